// The contract suite as a function.
export { CannotRun as CannotVerify } from '../client/errors.ts'
export { prepareReports, type ReportFiles, writeReports } from './reports/files.ts'
export type { Report } from './reports/report.ts'
export {
  cleanLedger,
  cleanUp,
  listRequests,
  type StartedTarget,
  type StartTarget,
  verify,
  type VerifyOptions,
} from './verify.ts'
