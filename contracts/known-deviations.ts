import { CannotRun } from './client/errors.ts'
import { parseYaml } from './client/target/target-file.ts'
import { readText } from '../lib/files.ts'
import { quoteUnlessPlain } from '../lib/text.ts'
import { promises, type PromiseId } from '../spec/promises.ts'
import { suggest } from '../spec/close-to.ts'

/** A promise that a server is known to break, which does not fail a run until it expires. */
export interface KnownDeviation {
  readonly promise: PromiseId
  readonly reason: string
  /** The last day on which it does not fail a run, such as 2026-12-31. */
  readonly expires: string
}

const option = 'known'

export function readKnownDeviations(path: string): readonly KnownDeviation[] {
  const list = parseYaml(
    readText(path, path, (sentence) => new CannotRun(sentence, { option })),
    path,
    option,
  )
  if (!Array.isArray(list))
    throw new CannotRun(`${path} must be a list, each with promise, reason and expires.`, { option })
  return list.map((entry: unknown) => readDeviation(entry, path))
}

function readDeviation(entry: unknown, path: string): KnownDeviation {
  const { promise, reason, expires } = Object(entry) as Record<string, unknown>
  const known = promises.find(({ id }) => id === promise)
  if (!known) {
    const ids = promises.map(({ id }) => id)
    throw new CannotRun(
      `${path}: there is no promise ${quoteUnlessPlain(String(promise))}${suggest(String(promise), ids)}.`,
      { option },
    )
  }
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new CannotRun(`${path} gives no reason for ${known.id}.`, { option })
  const day = expires instanceof Date ? expires.toISOString().slice(0, 10) : expires
  if (typeof day !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) {
    throw new CannotRun(`${path} must say when ${known.id} expires, as a day such as 2026-12-31.`, { option })
  }
  return { promise: known.id, reason, expires: day }
}
