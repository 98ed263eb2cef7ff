import { writeWhole } from '../../lib/files.ts'
import type { CaseReport, ReportDocument } from './document.ts'
import { orFail, type ReportFiles } from './files.ts'
import { toHtml } from './html.ts'
import { toJunit } from './junit.ts'
import { toMarkdown } from './markdown.ts'

/** The contents of the reports of a run. */
interface Contents {
  readonly json: object
  readonly document: ReportDocument
  readonly cases?: CaseReport
}

/** Writes each report whole or, when that fails, not at all. */
export function writeReportFiles(files: ReportFiles, { json, document, cases }: Contents): void {
  const texts = {
    junit: () => (cases ? toJunit(cases) : ''),
    json: () => toJson(json),
    html: () => toHtml(document),
    markdown: () => toMarkdown(document),
  }
  for (const [form, path] of Object.entries(files))
    if (path !== undefined) orFail(path, () => writeWhole(path, texts[form as keyof ReportFiles]()))
}

/** A report as JSON. */
export const toJson = (report: object) => `${JSON.stringify(report, null, 2)}\n`
