import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CannotRun } from '../../client/errors.ts'
import { fileError } from '../../shared/file-errors.ts'
import { toHtml } from './html.ts'
import { toJson } from './json.ts'
import { toJunit } from './junit.ts'
import { toMarkdown } from './markdown.ts'
import type { Report } from './report.ts'

const writers = { junit: toJunit, json: toJson, html: toHtml, markdown: toMarkdown } as const

export type ReportFiles = { readonly [Form in keyof typeof writers]?: string | undefined }

/** Throws if a report could not be written, before the run that would have been in vain. */
export function prepareReports(files: ReportFiles): void {
  for (const path of Object.values(files).filter((path) => path !== undefined)) {
    try {
      mkdirSync(dirname(path), { recursive: true })
      closeSync(openSync(path, 'a'))
    } catch (error) {
      throw new CannotRun(`${fileError(`The report ${path}`, 'written', error)}.`)
    }
  }
}

export function writeReports(report: Report, files: ReportFiles): void {
  prepareReports(files)
  for (const [form, write] of Object.entries(writers)) {
    const path = files[form as keyof ReportFiles]
    if (path !== undefined) writeFileSync(path, write(report))
  }
}
