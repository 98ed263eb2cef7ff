// The contract suite as a function.
export { CannotVerify } from './outcome.ts'
export { redacted, type Report } from './report.ts'
export { prepareReports, type ReportFiles, writeReports } from './report/files.ts'
export { cleanLedger, type StartedTarget, type StartTarget, verify, type VerifyOptions } from './verify.ts'
