import { hrefOf } from '../../address.ts'
import { useData } from '../../data.ts'
import { type AnyRecord, type KindWithPages, titleOf } from './kinds.ts'

/** Reads a record; null when there is none of this id. */
export const useRecord = (team: string, kind: KindWithPages, id: string, at?: 'records') =>
  useData<AnyRecord | null>(
    async (client) => (await client.records(team, kind, { where: { _id: id }, limit: 1 })).records[0] ?? null,
    [team, kind, id],
    at,
  )

export interface RecordPlace {
  readonly team: string
  readonly kind: KindWithPages
  readonly id: string
}

/** A link with the name of the record; with its id, if there is no such record. */
export function RecordLink({ team, kind, id }: RecordPlace) {
  const { value } = useRecord(team, kind, id)
  if (value === undefined) return null
  return value === null ? <code>{id}</code> : <a href={hrefOf(team, kind, id)}>{titleOf(value)}</a>
}
