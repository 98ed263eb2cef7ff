import type { Asking } from './probe.ts'

/** A look that comes later than this, in milliseconds, does not show whether something was there at once. */
const late = 40

const mostTries = 4

/**
 * How long the server takes for something, in milliseconds; `undefined` when that is longer than may be waited. Here, where
 * it costs nothing, it is begun again when the first look came too late.
 */
export async function timeTaken(
  { timeUntil, target }: Asking,
  begin: () => Promise<() => Promise<boolean>>,
): Promise<number | undefined> {
  for (let tries = 1; ; tries++) {
    const begunAt = Date.now()
    const isSo = await begin()
    const delay = await timeUntil(isSo)
    if (delay !== 0 || Date.now() - begunAt <= late || tries === mostTries || !target.loopback) return delay
  }
}
