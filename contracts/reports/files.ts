import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileError } from '../../shared/file-errors.ts'
import { CannotVerify } from '../judge/outcome.ts'
import type { Report } from './report.ts'
import { htmlOf } from './html.ts'
import { jsonOf } from './json.ts'
import { junitOf } from './junit.ts'
import { markdownOf } from './markdown.ts'

const writers = { junit: junitOf, json: jsonOf, html: htmlOf, markdown: markdownOf } as const

export type ReportFiles = { readonly [Form in keyof typeof writers]?: string | undefined }

/** Before a run, so that it is not for nothing: throws when one of them could not be written after it. */
export function prepareReports(files: ReportFiles): void {
  for (const path of Object.values(files).filter((path) => path !== undefined)) {
    try {
      mkdirSync(dirname(path), { recursive: true })
      closeSync(openSync(path, 'a'))
    } catch (error) {
      throw new CannotVerify(`${fileError(`The report ${path}`, 'written', error)}.`)
    }
  }
}

/** Writes each report that was asked for. */
export function writeReports(report: Report, files: ReportFiles): void {
  prepareReports(files)
  for (const [form, write] of Object.entries(writers)) {
    const path = files[form as keyof ReportFiles]
    if (path !== undefined) writeFileSync(path, write(report))
  }
}
