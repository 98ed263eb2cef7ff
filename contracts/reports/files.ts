import { resolve } from 'node:path'
import type { Command } from 'commander'
import { fileError, prepareFile } from '../../lib/files.ts'
import { capitalize } from '../../lib/text.ts'
import { CannotRun } from '../client/errors.ts'

const descriptions = {
  junit: 'write JUnit XML',
  json: 'write JSON',
  html: 'write an HTML page',
  markdown: 'write a summary for a CI job',
} as const

type Form = keyof typeof descriptions

/** The file of each report. */
export type ReportFiles = Readonly<Partial<Record<Form, string | undefined>>>

/** The options as commander parses them, such as `reportJunit`. */
export type ReportFlags = Readonly<Partial<Record<`report${Capitalize<Form>}`, string | undefined>>>

/** Adds options such as `--report-junit`. */
export function addReportOptions(command: Command, forms: readonly Form[]): Command {
  for (const form of forms) command.option(`--report-${form} <file>`, descriptions[form])
  return command
}

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
