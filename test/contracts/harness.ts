import { CheckLog } from '../../contracts/judge/check-log.ts'
import { clientFor } from '../client/harness.ts'

/** A client whose answers are compared with the document, and the log of its faults. */
export function watchedClientFor(url: string) {
  const log = new CheckLog()
  return { log, ...clientFor(url, { observer: log }) }
}
