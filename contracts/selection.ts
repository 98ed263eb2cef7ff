import type { PromiseEntry } from '../spec/promises.ts'

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
