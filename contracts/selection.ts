import { closeTo } from '../spec/close-to.ts'
import { operations } from '../spec/operations.ts'
import { type PromiseEntry, promises } from '../spec/promises.ts'
import { CannotVerify } from './judge/outcome.ts'

/** Which promises a run is about; with nothing named, all. */
export interface Chosen {
  /** Groups, ids, or beginnings of ids. */
  readonly only: readonly string[]
  readonly operations: readonly string[]
}

export function isChosen({ id, group, operations }: PromiseEntry, { only, operations: named }: Chosen): boolean {
  const isNamed = only.length === 0 || only.some((text) => group === text || id.startsWith(text))
  const isAbout =
    named.length === 0 || operations === 'all' || operations.some((operation) => named.includes(operation))
  return isNamed && isAbout
}

/** What was written on the command line; a name that leads to nothing would run nothing. */
export function chosenFrom(only: readonly string[] = [], named: readonly string[] = []): Chosen {
  for (const text of only) {
    if (promises.some((entry) => isChosen(entry, { only: [text], operations: [] }))) continue
    throw new CannotVerify(`--only names no group and no promise: ${text}${meant(text, wordsForPromises)}.`)
  }
  for (const text of named) {
    if (Object.hasOwn(operations, text)) continue
    throw new CannotVerify(`--operation names no operation: ${text}${meant(text, Object.keys(operations))}.`)
  }
  return { only, operations: named }
}

const wordsForPromises = promises.flatMap(({ id, group }) => [id, group])

function meant(text: string, words: readonly string[]): string {
  const close = [...new Set(closeTo(text, words))]
  return close.length === 0 ? '' : `; close to it: ${close.join(', ')}`
}
