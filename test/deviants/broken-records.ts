import type { Kind, Kinds } from '../../fixtures/records.ts'
import { type Fields, Stamped } from '../../mock/core/team.ts'
import { type Break, replaceMethod, together } from './broken-places.ts'

/** Records of the kind are inserted with other fields than those given. */
export function changeNew<K extends Kind>(kind: K, change: (fields: Fields<K>) => BrokenFields<K>): Break {
  const changeOf = (own: Kind, fields: Fields<K>) => (own === kind ? (change(fields) as Fields<K>) : fields)
  return together(
    replaceMethod(
      Stamped<K>,
      'insert',
      (original, { kind: own }) =>
        (fields) =>
          original(changeOf(own, fields)),
    ),
    replaceMethod(Stamped<K>, 'insertAll', (original, { kind: own }) => (all) => {
      return original(all.map((fields) => changeOf(own, fields)))
    }),
  )
}

type BrokenFields<K extends Kind> = Readonly<Partial<Record<keyof Kinds[K], unknown>>>

/** Records of the kind are updated in another way. */
export function changeUpdate<K extends Kind>(
  kind: K,
  update: (records: Stamped<K>, record: Kinds[K], fields: Partial<Kinds[K]>) => Promise<Kinds[K]>,
): Break {
  return replaceMethod(Stamped<K>, 'update', (original, records) => async (record, fields) => {
    return records.kind === kind ? update(records, record, fields) : original(record, fields)
  })
}

/** An update answers with the change but does not store it. */
export function forgetUpdates(kind: Kind): Break {
  return changeUpdate(kind, async (_records, record, fields) => ({ ...record, ...fields }) as typeof record)
}

/** Records of the kind are marked instead of removed. */
export function markDeleted(kind: Kind): Break {
  return replaceMethod(Stamped<Kind>, 'remove', (original, records) => async (id) => {
    const record = records.kind === kind ? await records.get(id) : undefined
    await (record ? records.update(record, { isDeleted: true } as object) : original(id))
  })
}

/** An update loses the fields that it does not name. */
export function replaceOnUpdate(kind: Kind): Break {
  return changeUpdate(kind, (records, record, fields) => records.replace(record, fields as Fields<typeof kind>))
}
