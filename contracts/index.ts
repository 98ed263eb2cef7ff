// The contract suite as a function.
export { CannotVerify } from './judge/outcome.ts'
export { redacted, type Report } from './reports/report.ts'
export { prepareReports, type ReportFiles, writeReports } from './reports/files.ts'
export { cleanLedger, type StartedTarget, type StartTarget, verify, type VerifyOptions } from './verify.ts'
