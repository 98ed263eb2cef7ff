import { setTimeout } from 'node:timers/promises'

/** Resolves after the time, or at once when the signal aborts. */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(Math.max(milliseconds, 0), undefined, { signal }).catch(() => undefined)
