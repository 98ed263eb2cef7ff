import { type FilesOf, prepareReportFiles, writeReportFiles } from '../../client/report-files.ts'
import { toHtml } from './html.ts'
import { toJson } from './json.ts'
import { toJunit } from './junit.ts'
import { toMarkdown } from './markdown.ts'
import type { Report } from './report.ts'

const writers = { junit: toJunit, json: toJson, html: toHtml, markdown: toMarkdown } as const

export type ReportFiles = FilesOf<typeof writers>

export function prepareReports(files: ReportFiles): void {
  prepareReportFiles(files)
}

export function writeReports(report: Report, files: ReportFiles): void {
  writeReportFiles(report, writers, files)
}
