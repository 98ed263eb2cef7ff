import type { Kind, Kinds } from '../../fixtures/records.ts'

/** How many characters a record takes, of the kinds that are kept for a while only. */
const charactersIn: { readonly [K in Kind]?: (record: Kinds[K]) => number } = {
  answers: ({ body, fingerprint }) => body.length + fingerprint.length,
  deleted: ({ record }) => JSON.stringify(record).length,
}

/** Undefined for the other kinds. */
export function charactersOf<K extends Kind>(kind: K): ((record: Kinds[K]) => number) | undefined {
  return charactersIn[kind]
}
