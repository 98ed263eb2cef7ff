import { pluralize } from '../../lib/text.ts'

/** Changes by kind in words, such as `3 contacts created, 1 deal updated`. */
export function changesInWords(changes: object): string {
  const counts = Object.entries<Record<string, readonly unknown[]>>({ ...changes }).flatMap(([kind, ofKind]) =>
    Object.entries(ofKind)
      .filter(([, { length }]) => length > 0)
      .map(([change, { length }]) => `${pluralize(length, singularOf(kind), wordsOf(kind))} ${change}`),
  )
  return counts.join(', ') || 'Nothing changed'
}

/** `bulk sends` for `bulkSends`. */
const wordsOf = (kind: string) => kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const singularOf = (kind: string) => wordsOf(kind).replace(/ies$/, 'y').replace(/s$/, '')
