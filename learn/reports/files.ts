import { type FilesOf, prepareReportFiles, writeReportFiles } from '../../client/report-files.ts'
import { toHtml } from './html.ts'
import { toJunit } from './junit.ts'
import { toMarkdown } from './markdown.ts'
import type { LearnReport } from './report.ts'

const writers = {
  junit: toJunit,
  json: (report: LearnReport) => `${JSON.stringify(report, null, 2)}\n`,
  html: toHtml,
  markdown: toMarkdown,
} as const

type LearnReportFiles = FilesOf<typeof writers>

export const prepareReports = (files: LearnReportFiles) => {
  prepareReportFiles(files)
}

export const writeReports = (report: LearnReport, files: LearnReportFiles) => {
  writeReportFiles(report, writers, files)
}
