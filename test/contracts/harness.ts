import { CheckLog } from '../../contracts/judge/check-log.ts'
import { clientFor } from '../client/harness.ts'

/** A client with a log that compares its answers with the document. */
export function watchedClientFor(url: string) {
  const log = new CheckLog()
  return { log, ...clientFor(url, { observer: log }) }
}
