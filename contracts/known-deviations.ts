import { parse } from 'yaml'
import { readText } from '../shared/file-errors.ts'
import { closeTo } from '../spec/close-to.ts'
import { promises, type PromiseId } from '../spec/promises.ts'
import { CannotVerify } from './judge/outcome.ts'

/** A promise that a server is known to break: it is let pass, until the day named. */
export interface KnownDeviation {
  readonly promise: PromiseId
  readonly reason: string
  /** The last day on which it is let pass, such as 2026-12-31. */
  readonly expires: string
}

export function readKnown(path: string): readonly KnownDeviation[] {
  const list: unknown = parsed(path)
  if (!Array.isArray(list)) throw new CannotVerify(`${path} must be a list, each with promise, reason and expires.`)
  return list.map((entry: unknown) => deviationFrom(entry, path))
}

function deviationFrom(entry: unknown, path: string): KnownDeviation {
  const { promise, reason, expires } = Object(entry) as Record<string, unknown>
  const known = promises.find(({ id }) => id === promise)
  if (!known) throw new CannotVerify(`${path} names a promise that there is not${meant(promise)}.`)
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new CannotVerify(`${path} gives no reason for ${known.id}.`)
  const day = expires instanceof Date ? expires.toISOString().slice(0, 10) : expires
  if (typeof day !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) {
    throw new CannotVerify(`${path} must say when ${known.id} expires, as a day such as 2026-12-31.`)
  }
  return { promise: known.id, reason, expires: day }
}

function meant(promise: unknown): string {
  const ids = promises.map(({ id }) => id)
  const [close] = typeof promise === 'string' ? closeTo(promise, ids) : []
  return close === undefined ? '' : `; close to it is ${close}`
}

function parsed(path: string): unknown {
  const text = readText(path, path, (sentence) => new CannotVerify(sentence))
  try {
    return parse(text)
  } catch {
    throw new CannotVerify(`${path} is neither YAML nor JSON.`)
  }
}
