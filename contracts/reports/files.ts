import { resolve } from 'node:path'
import { fileError, prepareFile } from '../../lib/files.ts'
import { capitalize } from '../../lib/text.ts'
import { CannotRun } from '../client/errors.ts'

/** The forms of a report, and what the option for its file does. */
export const reportForms = {
  junit: 'write JUnit XML',
  json: 'write JSON',
  html: 'write an HTML page',
  markdown: 'write a summary for a CI job',
} as const

export type ReportForm = keyof typeof reportForms

/** The file of each report. */
export type ReportFiles = Readonly<Partial<Record<ReportForm, string | undefined>>>

/** The options as commander parses them, such as `reportJunit`. */
export type ReportFlags = Readonly<Partial<Record<`report${Capitalize<ReportForm>}`, string | undefined>>>

export const reportFilesOf = ({ reportJunit, reportJson, reportHtml, reportMarkdown }: ReportFlags): ReportFiles => ({
  junit: reportJunit,
  json: reportJson,
  html: reportHtml,
  markdown: reportMarkdown,
})

/** Deletes the reports of an earlier run. Throws before a run if its reports cannot be written. */
export function prepareReports(files: ReportFiles): void {
  refuseSameFile(Object.values(files))
  for (const [form, path] of Object.entries(files))
    if (path !== undefined) orFail(path, prepareFile, 'report', `report${capitalize(form)}`)
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

/** Throws the reason for the operator when the file cannot be written. */
export function orFail(path: string, act: (path: string) => void, noun = 'report', option?: string): void {
  try {
    act(path)
  } catch (error) {
    throw new CannotRun(`${fileError(`The ${noun} ${path}`, 'written', error)}.`, { option })
  }
}
