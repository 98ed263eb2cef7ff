// The contract suite as a function.
export type { StartedTarget, StartTarget } from '../client/reach-target.ts'
export { CannotRun as CannotVerify } from '../client/errors.ts'
export { prepareReports, type ReportFiles, writeReports } from './reports/files.ts'
export type { Report } from './reports/report.ts'
export { cleanLedger, cleanUp, listRequests, verify, type VerifyOptions } from './verify.ts'
