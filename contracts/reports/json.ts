import type { Report } from './report.ts'

/** The whole report, for machines. */
export function toJson(report: Report): string {
  return `${JSON.stringify({ version: 1, ...report }, null, 2)}\n`
}
