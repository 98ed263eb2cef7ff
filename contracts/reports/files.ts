import { type FilesOf, prepareReportFiles, writeReportFiles } from '../../client/report-files.ts'
import { toHtml } from './html.ts'
import { toJson } from './json.ts'
import { toJunit } from './junit.ts'
import { toMarkdown } from './markdown.ts'
import type { Report } from './report.ts'

const writers = { junit: toJunit, json: toJson, html: toHtml, markdown: toMarkdown } as const

export type ReportFiles = FilesOf<typeof writers>

/**
 * Deletes the reports of an earlier run, which say nothing about this one. Throws if a report could not be written,
 * before the run that would have been in vain.
 */
export function prepareReports(files: ReportFiles): void {
  prepareReportFiles(files)
}

/** Writes each report whole or, when that fails, not at all. */
export function writeReports(report: Report, files: ReportFiles): void {
  writeReportFiles(report, writers, files)
}
