import type { Report } from './report.ts'

/** The report as it is, for machines. */
export function jsonOf(report: Report): string {
  return `${JSON.stringify({ version: 1, ...report }, null, 2)}\n`
}
