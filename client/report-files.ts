import { fileError } from '../shared/file-errors.ts'
import { prepareFile, writeWhole } from '../shared/whole-file.ts'
import { CannotRun } from './errors.ts'

/** How a report is written in each form, such as `junit`. */
export type ReportWriters<Report> = Readonly<Record<string, (report: Report) => string>>

/** The file for each form that is wanted. */
export type FilesOf<Writers> = { readonly [Form in keyof Writers]?: string | undefined }

/**
 * Deletes the reports of an earlier run, which say nothing about this one. Throws if a report could not be written,
 * before the run that would have been in vain.
 */
export function prepareReportFiles(files: Readonly<Record<string, string | undefined>>): void {
  for (const path of Object.values(files).filter((path) => path !== undefined)) orFail(path, prepareFile)
}

/** Writes each report whole or, when that fails, not at all. */
export function writeReportFiles<Report, Writers extends ReportWriters<Report>>(
  report: Report,
  writers: Writers,
  files: FilesOf<Writers>,
): void {
  for (const [form, toText] of Object.entries(writers)) {
    const path = files[form]
    if (path === undefined) continue
    const text = toText(report)
    orFail(path, () => {
      writeWhole(path, text)
    })
  }
}

function orFail(path: string, act: (path: string) => void): void {
  try {
    act(path)
  } catch (error) {
    throw new CannotRun(`${fileError(`The report ${path}`, 'written', error)}.`)
  }
}
