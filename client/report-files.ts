import { resolve } from 'node:path'
import { fileError } from '../shared/file-errors.ts'
import { prepareFile, writeWhole } from '../shared/whole-file.ts'
import { CannotRun } from './errors.ts'

/** How a report is written in each form, such as `junit`. */
type ReportWriters<Report> = Readonly<Record<string, (report: Report) => string>>

/** The file for each form that is wanted. */
export type FilesOf<Writers> = { readonly [Form in keyof Writers]?: string | undefined }

/**
 * Deletes the reports of an earlier run. Throws if a report cannot be written, so that this is known before the run and
 * not after it.
 */
export function prepareReportFiles(files: Readonly<Record<string, string | undefined>>): void {
  const paths = Object.values(files).filter((path) => path !== undefined)
  refuseSameFile(paths)
  for (const path of paths) orFail(path, prepareFile)
}

/** Of two outputs in one file, only the last would stay. */
export function refuseSameFile(paths: readonly (string | undefined)[]): void {
  const known = new Set<string>()
  for (const path of paths) {
    if (path === undefined || path.startsWith('/dev/')) continue
    if (known.has(resolve(path)))
      throw new CannotRun(`The file ${path} is named for two outputs: name another for one.`)
    known.add(resolve(path))
  }
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
