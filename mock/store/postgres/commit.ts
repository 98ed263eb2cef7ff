import type { Kind, Kinds } from '../../../fixtures/records.ts'
import type { Tables } from './schema.ts'
import { countedKeysOf, inOrder, type RecordSet, inRecordSet, Sql, sql, tuple } from './sql.ts'

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

/** The statements that commit changes to a team of this version. They divide by zero if the team has another version. */
export function commitOf(changes: PendingChanges, commit: Commit, tables: Tables) {
  const { team, recordSet, cacheTag, version, writer, mark } = commit
  const { teams, writers, entries, counts } = tables
  const by = `${writer} ${mark}`
  const { removed, added, updated, removedEntries, addedEntries, counted } = sort(changes)
  const after = version + Math.max(1, added.length)
  const rows = added.map(({ kind, id, record, keys }, at) => rowOf(commit, version + 1 + at, kind, id, record, keys))
  const providers = changes.records.find(({ kind }) => kind === 'providers')?.changes.size ?? 0
  // A new `cacheTag` invalidates the cached providers.
  const isOfTeam = inRecordSet(commit)
  const newTag = providers > 0 ? sql`, cache_tag = ${by}` : sql``
  const statements = [
    sql`UPDATE ${teams} SET version = ${after}, writer = ${by}${newTag}${due(changes)} WHERE id = ${team} AND cache_tag = ${cacheTag} AND version = ${version}`,
    sql`SELECT 1 / count(*) FROM ${teams} WHERE id = ${team} AND writer = ${by}`,
    removed.length > 0 && removal(isOfTeam, removed, tables),
    rows.length > 0 && insertion(rows, tables),
    updated.length > 0 && update(isOfTeam, updated, tables),
    removedEntries.length > 0 && sql`DELETE FROM ${entries} WHERE ${isOfTeam} AND (key, seq) IN (${removedEntries})`,
    addedEntries.length > 0 &&
      sql`INSERT INTO ${entries} (team, record_set, key, seq) SELECT ${team}, ${recordSet}::bigint, v.* FROM (VALUES ${addedEntries}) v`,
    counted.length > 0 &&
      sql`INSERT INTO ${counts} AS c (team, record_set, key, count) SELECT ${team}, ${recordSet}::bigint, v.* FROM (VALUES ${counted}) v ON CONFLICT (team, record_set, key) DO UPDATE SET count = c.count + excluded.count`,
    sql`INSERT INTO ${writers} (team, writer, mark, at) VALUES ${tuple(team, writer, mark, Date.now())} ON CONFLICT (team, writer) DO UPDATE SET mark = excluded.mark, at = excluded.at`,
  ]
  return { statements: inOrder(statements.filter((statement) => statement !== false)), after }
}

function due({ dueAt, replacesDueAt }: PendingChanges): Sql {
  if (replacesDueAt) return sql`, due_at = ${dueAt}, leased_until = NULL`
  return dueAt === undefined ? sql`` : sql`, due_at = LEAST(due_at, ${dueAt}), leased_until = NULL`
}

/** Inserts these records with their entries. */
export const insertion = (rows: readonly Sql[], { records, entries }: Tables) =>
  sql`WITH added AS (INSERT INTO ${records} (team, record_set, seq, kind, id, data, keys) VALUES ${rows} RETURNING team, record_set, seq, keys) INSERT INTO ${entries} (team, record_set, key, seq) SELECT team, record_set, unnest(string_to_array(keys, ','))::bigint, seq FROM added`

export const rowOf = (
  { team, recordSet }: RecordSet,
  seq: number,
  kind: Kind,
  id: string,
  record: unknown,
  keys: readonly string[],
) => tuple(team, recordSet, seq, kind, id, JSON.stringify(record), keys.join())

/** Removes records of a team by their places, with their entries and from the counts. */
const removal = (isOfTeam: Sql, places: readonly number[], { records, entries, counts }: Tables) =>
  sql`WITH removed AS (DELETE FROM ${records} WHERE ${isOfTeam} AND seq IN (${places}) RETURNING seq, keys), old AS (SELECT unnest(string_to_array(keys, ','))::bigint AS key, seq FROM removed), fewer AS (UPDATE ${counts} c SET count = c.count - s.count FROM (SELECT key, count(*) AS count FROM old GROUP BY key) s WHERE ${isOfTeam} AND c.key = s.key) DELETE FROM ${entries} e USING old WHERE ${isOfTeam} AND e.key = old.key AND e.seq = old.seq`

const update = (isOfTeam: Sql, rows: readonly Sql[], { records }: Tables) =>
  sql`UPDATE ${records} r SET data = v.data, keys = v.keys FROM (VALUES ${rows}) v (seq, data, keys) WHERE ${isOfTeam} AND r.seq = v.seq`

interface Added extends NewRecord {
  readonly kind: Kind
  readonly id: string
}

function sort({ records }: PendingChanges) {
  const sorted = {
    removed: [] as number[],
    added: [] as Added[],
    updated: [] as Sql[],
    removedEntries: [] as Sql[],
    addedEntries: [] as Sql[],
  }
  const counted = new Map<string, number>()
  const count = (kind: Kind, record: Kinds[Kind] | undefined, step: number) => {
    for (const key of record ? countedKeysOf(kind, record) : []) counted.set(key, (counted.get(key) ?? 0) + step)
  }
  for (const { kind, changes } of records) {
    for (const [id, { was, is }] of changes) {
      if (was && is?.place === was.place) {
        const { place } = was
        sorted.updated.push(tuple(place, JSON.stringify(is.record), is.keys.join()))
        sorted.removedEntries.push(
          ...was.keys.filter((key) => !is.keys.includes(key)).map((key) => tuple(new Sql(key), place)),
        )
        sorted.addedEntries.push(
          ...is.keys.filter((key) => !was.keys.includes(key)).map((key) => tuple(new Sql(key), place)),
        )
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
  const steps = [...counted].filter(([, step]) => step !== 0)
  return { ...sorted, counted: steps.map(([key, step]) => tuple(new Sql(key), step)) }
}
