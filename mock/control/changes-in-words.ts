import { pluralize, singularOf, wordsOf } from '../../lib/text.ts'

/** Changes by kind in words, such as `3 contacts created, 1 deal updated`. */
export function changesInWords(changes: object): string {
  const counts = Object.entries<Record<string, readonly unknown[]>>({ ...changes }).flatMap(([kind, ofKind]) =>
    Object.entries(ofKind)
      .filter(([, { length }]) => length > 0)
      .map(([change, { length }]) => `${pluralize(length, singularOf(kind), wordsOf(kind))} ${change}`),
  )
  return counts.join(', ') || 'Nothing changed'
}
