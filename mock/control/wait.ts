import { readDuration } from '../../shared/duration.ts'
import { refuse } from './refusals.ts'

const longest = 60_000

/** How long a caller wants to wait, in milliseconds. */
export function readWait(wait: string): number {
  const time = readDuration(wait)
  if (time === undefined || time > longest) refuse('wait must be from 0 to 60 seconds, such as 5s or 500ms')
  return time
}
