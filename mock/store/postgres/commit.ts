import type { Kind, Kinds } from '../../../fixtures/records.ts'
import type { Tables } from './schema.ts'
import { countedKeysOf, joined, type RecordSet, recordSetIn, rowsOf, type Sql, sql } from './sql.ts'

/** A record of the database. `record` is undefined when only its keys were read, for a removal. */
export interface StoredRecord<K extends Kind = Kind> {
  /** Its place in the order of creation. An update keeps it; the commit gives a new record its final place. */
  readonly place: number
  readonly keys: readonly string[]
  readonly record: Kinds[K] | undefined
}

export interface NewRecord<K extends Kind = Kind> extends StoredRecord<K> {
  readonly record: Kinds[K]
}

/** A record before and after a transaction. */
export interface RecordChange<K extends Kind = Kind> {
  readonly was: StoredRecord<K> | undefined
  readonly is: NewRecord<K> | undefined
}

export interface PendingChanges {
  /** By stored id. */
  readonly records: readonly { readonly kind: Kind; readonly changes: ReadonlyMap<string, RecordChange> }[]
  readonly dueAt?: number
  /** Whether `dueAt`, or none, replaces the time before; otherwise the earlier of the two counts. */
  readonly replacesDueAt: boolean
}

interface Commit extends RecordSet {
  readonly cacheTag: string
  readonly version: number
  /** Identifies this process. */
  readonly writer: string
  /** The number of this try of the commit, unique within the process. */
  readonly mark: number
}

/** The statement that commits changes to a team of this version. It returns no row, and changes nothing, if the team has another. */
export function commitOf(changes: PendingChanges, commit: Commit, tables: Tables) {
  const { cacheTag, version, writer, mark } = commit
  const { teams, writers, records, entries, counts } = tables
  const by = `${writer} ${mark}`
  const set = recordSetIn(commit)
  const { team, recordSet, isOfTeam } = set
  const { removed, added, updated, removedEntries, addedEntries, counted } = sort(changes)
  const after = version + Math.max(1, added.length)
  const rows = added.map(({ kind, id, record, keys }, at) => rowOf(version + 1 + at, kind, id, record, keys))
  const providers = changes.records.find(({ kind }) => kind === 'providers')?.changes.size ?? 0
  // A new `cacheTag` invalidates the cached providers.
  const newTag = providers > 0 ? sql`, cache_tag = ${by}` : sql``
  // A removed record may have had the same id.
  const isRemoved = removed.length > 0 ? sql` AND (SELECT count(*) FROM removed) >= 0` : sql``
  const fewer =
    removed.length > 0
      ? sql` UNION ALL SELECT key, -1 FROM old WHERE EXISTS (SELECT FROM ${counts} k WHERE ${isOfTeam} AND k.key = old.key)`
      : sql``
  const isFree = sql`EXISTS (SELECT FROM changed)`
  const steps = [
    sql`changed AS (UPDATE ${teams} SET version = ${after}, writer = ${by}${newTag}${due(changes)} WHERE id = ${team} AND cache_tag = ${cacheTag} AND version = ${version} RETURNING id)`,
    removed.length > 0 && removal(sql`${isOfTeam} AND ${isFree} AND seq = ANY (${removed})`, isOfTeam, tables),
    rows.length > 0 && insertion(set, sql`${rowsIn(rows)} WHERE ${isFree}${isRemoved}`, tables),
    updated.length > 0 &&
      sql`updated AS (UPDATE ${records} r SET data = v.data, keys = v.keys FROM ${rowsOf(['bigint', 'text', 'text'], updated)} v (seq, data, keys) WHERE ${isOfTeam} AND ${isFree} AND r.seq = v.seq AND r.seq = ANY (${updated.map(([seq]) => seq)}))`,
    removedEntries.length > 0 &&
      sql`left_out AS (DELETE FROM ${entries} e USING ${rowsOf(['bigint', 'bigint'], removedEntries)} v (key, seq) WHERE ${isOfTeam} AND ${isFree} AND e.key = v.key AND e.seq = v.seq)`,
    addedEntries.length > 0 &&
      sql`put_in AS (INSERT INTO ${entries} (team, record_set, key, seq) SELECT ${team}, ${recordSet}, v.* FROM ${rowsOf(['bigint', 'bigint'], addedEntries)} v WHERE ${isFree})`,
    counted.length + removed.length > 0 &&
      sql`counted AS (INSERT INTO ${counts} AS c (team, record_set, key, count) SELECT ${team}, ${recordSet}, s.key, sum(s.step)::bigint FROM (SELECT v.* FROM ${rowsOf(['bigint', 'bigint'], counted)} v (key, step) WHERE ${isFree}${fewer}) s GROUP BY s.key ON CONFLICT (team, record_set, key) DO UPDATE SET count = c.count + excluded.count)`,
    sql`marked AS (INSERT INTO ${writers} (team, writer, mark, at) SELECT id, ${writer}, ${mark}, ${Date.now()} FROM changed ON CONFLICT (team, writer) DO UPDATE SET mark = excluded.mark, at = excluded.at)`,
  ]
  return { statement: sql`WITH ${joined(steps.filter((step) => step !== false))} SELECT id FROM changed`, after }
}

function due({ dueAt, replacesDueAt }: PendingChanges): Sql {
  if (replacesDueAt) return sql`, due_at = ${dueAt}, leased_until = NULL`
  return dueAt === undefined ? sql`` : sql`, due_at = LEAST(due_at, ${dueAt}), leased_until = NULL`
}

type RecordRow = ReturnType<typeof rowOf>

/** Records as a table `v`. */
export const rowsIn = (rows: readonly RecordRow[]) =>
  sql`${rowsOf(['bigint', 'text', 'text', 'text', 'text'], rows)} v (seq, kind, id, data, keys)`

/** The steps that insert the records of a table `v` with their entries. */
export const insertion = (
  { team, recordSet }: ReturnType<typeof recordSetIn>,
  from: Sql,
  { records, entries }: Tables,
) =>
  sql`added AS (INSERT INTO ${records} (team, record_set, seq, kind, id, data, keys) SELECT ${team}, ${recordSet}, v.* FROM ${from} RETURNING team, record_set, seq, keys), entered AS (INSERT INTO ${entries} (team, record_set, key, seq) SELECT team, record_set, unnest(string_to_array(keys, ','))::bigint, seq FROM added)`

export const rowOf = (seq: number, kind: Kind, id: string, record: unknown, keys: readonly string[]) =>
  [seq, kind, id, JSON.stringify(record), keys.join()] as const

/** The steps that remove records of a team, with their entries. `old` has the keys that found them. */
const removal = (isMeant: Sql, isOfTeam: Sql, { records, entries }: Tables) =>
  sql`removed AS (DELETE FROM ${records} WHERE ${isMeant} RETURNING seq, keys), old AS (SELECT unnest(string_to_array(keys, ','))::bigint AS key, seq FROM removed), gone AS (DELETE FROM ${entries} e USING old WHERE ${isOfTeam} AND e.key = old.key AND e.seq = old.seq)`

interface Added extends NewRecord {
  readonly kind: Kind
  readonly id: string
}

function sort({ records }: PendingChanges) {
  const sorted = {
    removed: [] as number[],
    added: [] as Added[],
    updated: [] as (readonly [seq: number, data: string, keys: string])[],
    removedEntries: [] as (readonly [key: string, seq: number])[],
    addedEntries: [] as (readonly [key: string, seq: number])[],
  }
  const counted = new Map<string, number>()
  const count = (kind: Kind, record: Kinds[Kind] | undefined, step: number) => {
    for (const key of record ? countedKeysOf(kind, record) : []) counted.set(key, (counted.get(key) ?? 0) + step)
  }
  for (const { kind, changes } of records) {
    for (const [id, { was, is }] of changes) {
      if (was && is?.place === was.place) {
        const { place } = was
        sorted.updated.push([place, JSON.stringify(is.record), is.keys.join()])
        for (const key of was.keys) if (!is.keys.includes(key)) sorted.removedEntries.push([key, place])
        for (const key of is.keys) if (!was.keys.includes(key)) sorted.addedEntries.push([key, place])
        count(kind, was.record, -1)
        count(kind, is.record, 1)
        continue
      }
      if (was) sorted.removed.push(was.place)
      if (!is) continue
      sorted.added.push({ ...is, kind, id })
      count(kind, is.record, 1)
    }
  }
  sorted.added.sort((one, other) => one.place - other.place)
  return { ...sorted, counted: [...counted].filter(([, step]) => step !== 0) }
}
