import { type Duration, readDuration } from '../../shared/duration.ts'
import { refuse } from '../core/refusals.ts'

const longest = 60_000

/** How long a caller wants to wait, in milliseconds. */
export function readWait(wait: Duration): number {
  const time = readDuration(wait)
  if (time === undefined || !(time >= 0 && time <= longest))
    refuse('wait must be from 0 to 60 seconds, such as 5s or 500ms')
  return time
}
