import { runInNewContext } from 'node:vm'

/**
 * The limit of every wait of a test, in milliseconds. Only a hang reaches it, also on a machine with eight times more work
 * than processors.
 */
export const longestWait = 60_000

/** Does the work, and fails when it takes longer than any wait: in linear time a megabyte takes a moment, in quadratic time hours. */
export const inLinearTime = <Result>(work: () => Result): Result =>
  runInNewContext('work()', { work }, { timeout: longestWait }) as Result

/** A text of about a megabyte. */
export const repeating = (unit: string) => unit.repeat(Math.ceil(1_000_000 / unit.length))
