import { Watch } from '../../contracts/judge/watch.ts'
import { clientFor } from '../client/harness.ts'

/** A client whose answers are compared with the document, and the log of what was found. */
export function watchedClientFor(url: string) {
  const watch = new Watch()
  const log = watch.startLog()
  return { watch, log, ...clientFor(url, { observer: watch }) }
}
