// The contract suite as a function.
export type { StartedTarget, StartTarget } from './client/run.ts'
export { CannotRun as CannotVerify } from './client/errors.ts'
export { prepareReports, type ReportFiles } from './reports/files.ts'
export type { Report } from './reports/report.ts'
export { writeReports } from './reports/report-forms.ts'
export { cleanUp, listRequests, verify, type VerifyOptions } from './verify.ts'
