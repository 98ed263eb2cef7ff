import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Report } from '../report.ts'
import { htmlOf } from './html.ts'
import { jsonOf } from './json.ts'
import { junitOf } from './junit.ts'
import { markdownOf } from './markdown.ts'

const writers = { junit: junitOf, json: jsonOf, html: htmlOf, markdown: markdownOf } as const

export type ReportFiles = { readonly [Form in keyof typeof writers]?: string | undefined }

/** Writes each report that was asked for. */
export function writeReports(report: Report, files: ReportFiles): void {
  for (const [form, write] of Object.entries(writers)) {
    const path = files[form as keyof ReportFiles]
    if (path === undefined) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, write(report))
  }
}
