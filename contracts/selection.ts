import { CannotRun } from './client/errors.ts'
import { suggest } from '../spec/close-to.ts'
import { operations } from '../spec/operations.ts'
import { type PromiseEntry, promises } from '../spec/promises.ts'

/** The selected promises; an empty list selects all. */
export interface Selection {
  /** Groups, ids, or beginnings of ids. */
  readonly only: readonly string[]
  readonly operations: readonly string[]
  /** Groups, ids, or beginnings of ids that are left out. */
  readonly exclude?: readonly string[]
}

export function isSelected(
  { id, group, operations }: PromiseEntry,
  { only, operations: named, exclude = [] }: Selection,
): boolean {
  const fits = (text: string) => group === text || id.startsWith(text)
  const isNamed = (only.length === 0 || only.some(fits)) && !exclude.some(fits)
  const isAbout =
    named.length === 0 || operations === 'all' || operations.some((operation) => named.includes(operation))
  return isNamed && isAbout
}

/** Refuses a name that selects nothing, since a run of no checks would find nothing wrong. */
export function readSelection(
  only: readonly string[] = [],
  named: readonly string[] = [],
  exclude: readonly string[] = [],
): Selection {
  for (const [option, words] of Object.entries({ only, exclude })) {
    for (const text of words) {
      if (promises.some((entry) => isSelected(entry, { only: [text], operations: [] }))) continue
      throw new CannotRun(
        (nameOf) => `${nameOf(option)} names no group and no promise: ${text}${suggest(text, promiseWords)}.`,
      )
    }
  }
  for (const text of named) {
    if (Object.hasOwn(operations, text)) continue
    throw new CannotRun(
      (nameOf) => `${nameOf('operation')} names no operation: ${text}${suggest(text, Object.keys(operations))}.`,
    )
  }
  const selection = { only, operations: named, exclude }
  if (!promises.some((entry) => isSelected(entry, selection)))
    throw new CannotRun(
      (nameOf) =>
        `No promise is left: ${nameOf('only')}, ${nameOf('operation')} and ${nameOf('exclude')} name none in common.`,
    )
  return selection
}

/** Prints the promises that are selected, a line for each. */
export function listPromises(selection: Selection, write: (text: string) => void): 0 {
  for (const entry of promises) if (isSelected(entry, selection)) write(`${entry.id}: ${entry.words}\n`)
  return 0
}

const promiseWords = promises.flatMap(({ id, group }) => [id, group])
