import { CannotRun } from '../../client/errors.ts'
import { fileError } from '../../shared/file-errors.ts'
import { prepareFile, writeWhole } from '../../shared/whole-file.ts'
import { toHtml } from './html.ts'
import { toJson } from './json.ts'
import { toJunit } from './junit.ts'
import { toMarkdown } from './markdown.ts'
import type { Report } from './report.ts'

const writers = { junit: toJunit, json: toJson, html: toHtml, markdown: toMarkdown } as const

export type ReportFiles = { readonly [Form in keyof typeof writers]?: string | undefined }

/**
 * Deletes the reports of an earlier run, which say nothing about this one. Throws if a report could not be written,
 * before the run that would have been in vain.
 */
export function prepareReports(files: ReportFiles): void {
  for (const path of Object.values(files).filter((path) => path !== undefined)) {
    orFail(path, () => {
      prepareFile(path)
    })
  }
}

/** Writes each report whole or, when that fails, not at all. */
export function writeReports(report: Report, files: ReportFiles): void {
  for (const [form, write] of Object.entries(writers)) {
    const path = files[form as keyof ReportFiles]
    if (path === undefined) continue
    const text = write(report)
    orFail(path, () => {
      writeWhole(path, text)
    })
  }
}

function orFail(path: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    throw new CannotRun(`${fileError(`The report ${path}`, 'written', error)}.`)
  }
}
