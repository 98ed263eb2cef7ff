import { randomBytes } from 'node:crypto'
import { type Kind, type Kinds, kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../../fixtures/world.ts'
import { newPause } from '../../../lib/pause.ts'
import { type StoredSnapshot, type Snapshots, type SnapshotSummary, summaryOf } from '../snapshots.ts'
import { mayBeDue, recordsOf, sizeOf, teamOf, teamWith } from '../teams.ts'
import { StoreUnreachable } from '../port.ts'
import { insertion, rowOf, rowsIn } from './commit.ts'
import { commit, type Connection, type Database, inSnapshot } from './database.ts'
import type { Tables } from './schema.ts'
import {
  countedKeysOf,
  hashOf,
  joined,
  keysOf,
  newRecordSet,
  type RecordSet,
  recordSetIn,
  type Row,
  rowsOf,
  type Sql,
  sql,
  storedId,
} from './sql.ts'

/** The most that one statement writes. */
const batchOfRecords = 1_000
const batchOfCharacters = 2 * 1024 * 1024

/**
 * Writes the records of new teams, which no statement of others finds or waits for. The caller has begun a transaction.
 * Returns the statements that add the teams.
 */
export async function writeTeams(
  teams: readonly TeamInWorld[],
  initialRecords: readonly TeamInWorld[],
  connection: Connection,
  tables: Tables,
): Promise<Sql[]> {
  const rows: Row[] = []
  const keys: Row[] = []
  const sets = teams.map((team) => [newRecordSet(storedId(team._id)), team] as const)
  await addRecords(sets, connection, tables)
  for (const [{ team: id, recordSet }, team] of sets) {
    const ofTeam = initialRecords.find(({ _id }) => _id === team._id)
    if (ofTeam) await putParts(id, 'origin', { world: { teams: [ofTeam] }, isWhole: false }, connection, tables)
    const due = mayBeDue(team) ? 0 : null
    rows.push([id, rows.length, JSON.stringify(teamOf(team)), newCacheTag(), recordSet, 1 + sizeOf(team), due])
    for (const key of new Set(team.apiKeys)) keys.push([id, hashOf(key)])
  }
  await renewStatistics(teams, connection, tables)
  return [
    ...[...batchesOf(rows)].map(
      (batch) =>
        sql`INSERT INTO ${tables.teams} (id, place, data, cache_tag, record_set, version, writer, due_at) SELECT v.id, m.place + v.at, v.data, v.cache_tag, v.record_set, v.version, '', v.due_at FROM ${rowsOf(['text', 'bigint', 'text', 'text', 'bigint', 'bigint', 'bigint'], batch)} v (id, at, data, cache_tag, record_set, version, due_at), (SELECT COALESCE(max(place), 0) + 1 AS place FROM ${tables.teams}) m`,
    ),
    ...[...batchesOf(keys)].map(
      (batch) => sql`INSERT INTO ${tables.apiKeys} (team, key) SELECT * FROM ${rowsOf(['text', 'text'], batch)}`,
    ),
  ]
}

/** How many changes later nobody needs to observe the removal of a team. */
const mostChangesBehind = 10_000

/** Statements that let all processes observe changed teams, or all teams. They follow a change of the version. */
export function announcementOf(team: string | undefined, { sandbox, settings, tallies, teams }: Tables): Sql[] {
  const [isMeant, isOther] =
    team === undefined ? [sql`true`, sql`team <> ''`] : [sql`id = ${team}`, sql`team = ${team}`]
  const isRemoved = sql`${isOther} AND NOT EXISTS (SELECT 1 FROM ${teams} WHERE id = team)`
  return [
    sql`UPDATE ${settings} SET version = (SELECT version FROM ${sandbox}), data = NULL WHERE data IS NOT NULL AND ${isRemoved}`,
    sql`DELETE FROM ${tallies} WHERE ${isRemoved}`,
    sql`DELETE FROM ${settings} WHERE data IS NULL AND version < (SELECT version - ${mostChangesBehind} FROM ${sandbox})`,
    sql`INSERT INTO ${settings} AS s (team, version, data) SELECT t.id, b.version, '{}' FROM ${teams} t, ${sandbox} b WHERE ${isMeant} ON CONFLICT (team) DO UPDATE SET version = excluded.version, data = COALESCE(s.data, excluded.data)`,
  ]
}

/** Identifies a team until its records are replaced, or its providers change. */
export const newCacheTag = () => randomBytes(8).toString('hex')

/** Adds record sets, each from the place 1 on. */
export async function addRecords(
  sets: readonly (readonly [set: RecordSet, inWorld: TeamInWorld])[],
  connection: Connection,
  tables: Tables,
): Promise<void> {
  for (const [set, inWorld] of sets) {
    const columns = recordSetIn(set)
    const counted = new Map<string, number>()
    const rows = function* () {
      let place = 0
      for (const kind of kinds) {
        for (const record of recordsOf(inWorld, kind)) {
          for (const key of countedKeysOf(kind, record)) counted.set(key, (counted.get(key) ?? 0) + 1)
          yield rowOf(++place, kind, storedId(record._id), record, keysOf(kind, record))
        }
      }
    }
    for (const batch of batchesOf(rows()))
      await connection.query(sql`WITH ${insertion(columns, rowsIn(batch), tables)} SELECT`)
    for (const batch of batchesOf(counted))
      await connection.query(
        sql`INSERT INTO ${tables.counts} (team, record_set, key, count) SELECT ${columns.team}, ${columns.recordSet}, v.* FROM ${rowsOf(['bigint', 'bigint'], batch)} v`,
      )
  }
}

const mostWithoutStatistics = 1_000

/** After many new records. Otherwise PostgreSQL takes new record sets for empty, and reads all of one for each request. */
export async function renewStatistics(
  added: readonly TeamInWorld[],
  connection: Connection,
  { records, entries, counts }: Tables,
): Promise<void> {
  if (added.reduce((sum, team) => sum + sizeOf(team), 0) <= mostWithoutStatistics) return
  await connection.query(
    sql`ANALYZE ${records} (team, record_set, seq, kind, id), ${entries} (team, record_set, key, seq), ${counts} (team, record_set, key)`,
  )
}

function* batchesOf<One extends Row>(rows: Iterable<One>): Generator<One[]> {
  let batch: One[] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    for (const value of row) if (typeof value === 'string') characters += value.length
    if (batch.length < batchOfRecords && characters < batchOfCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

const removedAtOnce = 1_000

/**
 * Removes the record sets that no team has any more, in short steps. Another process may do the same. What is
 * left when the database does not answer is removed after the next replacement or removal, or at the next start.
 */
export async function removeUnused(database: Database, tables: Tables): Promise<void> {
  const { unused, records, entries, counts } = tables
  try {
    for (const row of await database.query(sql`SELECT team, record_set FROM ${unused}`)) {
      const { isOfTeam: isOfSet } = recordSetIn({ team: String(row.team), recordSet: Number(row.record_set) })
      await removeRows(entries, sql`key, seq`, isOfSet, unused, database)
      await removeRows(records, sql`seq`, isOfSet, unused, database)
      await database.query(...[unused, counts].map((table) => sql`DELETE FROM ${table} WHERE ${isOfSet}`))
    }
  } catch (error) {
    if (!(error instanceof StoreUnreachable)) throw error
  }
}

/** Removes rows in the order of their key. No join finds them: PostgreSQL plans a slow one without statistics on the record set. */
async function removeRows(table: Sql, key: Sql, isOfSet: Sql, unused: Sql, database: Database): Promise<void> {
  // Without it, two processes whose plans differ may each wait for a row that the other has removed.
  const lock = sql`SELECT FROM ${unused} WHERE ${isOfSet} FOR UPDATE`
  for (let rest = isOfSet; ;) {
    const [next] = await database.query(
      sql`SELECT ${key} FROM ${table} WHERE ${rest} ORDER BY ${key} OFFSET ${removedAtOnce} LIMIT 1`,
    )
    const from = next && sql`(${joined(Object.values(next).map((value) => sql`${String(value)}`))})`
    const isBefore = from ? sql` AND (${key}) < ${from}` : sql``
    await database.query(lock, sql`DELETE FROM ${table} WHERE ${rest}${isBefore}`)
    if (!from) return
    rest = sql`${isOfSet} AND (${key}) >= ${from}`
  }
}

/** Reads teams with all their records. The caller has begun a transaction. */
export async function readWorld(connection: Connection, tables: Tables, team?: string): Promise<World> {
  const pause = newPause()
  const condition = team === undefined ? sql`` : sql`WHERE id = ${team}`
  const rows = await connection.query(sql`SELECT id, record_set, data FROM ${tables.teams} ${condition} ORDER BY place`)
  const teams: TeamInWorld[] = []
  for (const { id, record_set: recordSet, data } of rows) {
    const { isOfTeam: isOfSet } = recordSetIn({ team: String(id), recordSet: Number(recordSet) })
    const records = new RecordsByKind()
    for (let last = 0; ;) {
      const found = await connection.query(
        sql`SELECT seq, kind, data FROM ${tables.records} WHERE ${isOfSet} AND seq > ${last} ORDER BY seq LIMIT ${batchOfRows}`,
      )
      for (const { kind, data } of found) records.add(kind as Kind, [JSON.parse(String(data)) as Kinds[Kind]])
      if (found.length < batchOfRows) break
      last = Number(found.at(-1)?.seq)
      await pause()
    }
    teams.push(records.of(JSON.parse(String(data)) as TeamOnFile))
  }
  return { teams }
}

const batchOfRows = 2_000

class RecordsByKind {
  readonly #records = new Map<Kind, Kinds[Kind][]>()

  add(kind: Kind, records: readonly Kinds[Kind][]): void {
    const known = this.#records.get(kind)
    if (!known) this.#records.set(kind, [...records])
    else for (const record of records) known.push(record)
  }

  of(onFile: TeamOnFile): TeamInWorld {
    return teamWith(onFile, (kind) => this.#records.get(kind) ?? [])
  }
}

/** A part of a stored world: a team, or more records of the team before. */
type Part = { readonly team: TeamOnFile } | { readonly kind: Kind; readonly records: readonly Kinds[Kind][] }

/**
 * Stores a world in parts, in place of one of the same name. The first part is its summary, and written first: its lock makes
 * writers of the same name wait for each other. The caller has begun a transaction.
 */
async function putParts(
  team: string,
  name: string,
  { world, isWhole }: StoredSnapshot,
  connection: Connection,
  { parts }: Tables,
): Promise<void> {
  const summary = JSON.stringify({ ...summaryOf({ world, isWhole }), isWhole })
  await connection.query(
    sql`INSERT INTO ${parts} (team, name, part, data) VALUES (${team}, ${name}, 0, ${summary}) ON CONFLICT (team, name, part) DO UPDATE SET data = excluded.data`,
    sql`DELETE FROM ${parts} WHERE team = ${team} AND name = ${name} AND part > 0`,
  )
  let part = 1
  const rows = function* () {
    for (const one of partsOf(world)) yield [part++, JSON.stringify(one)] as const
  }
  for (const batch of batchesOf(rows()))
    await connection.query(
      sql`INSERT INTO ${parts} (team, name, part, data) SELECT ${team}, ${name}, v.* FROM ${rowsOf(['bigint', 'text'], batch)} v`,
    )
}

/** Statements that remove stored worlds, also one that another process is about to store: its first part makes them wait. */
export const removalOfParts = (isMeant: Sql, { parts }: Tables) =>
  [sql`= 0`, sql`> 0`].map((place) => sql`DELETE FROM ${parts} WHERE ${isMeant} AND part ${place}`)

const recordsInPart = 100

function* partsOf({ teams }: World): Generator<Part> {
  for (const team of teams) {
    yield { team: teamOf(team) }
    for (const kind of kinds) {
      const records = recordsOf(team, kind)
      for (let at = 0; at < records.length; at += recordsInPart)
        yield { kind, records: records.slice(at, at + recordsInPart) }
    }
  }
}

/** Reads a stored world. The caller has begun a transaction. */
export async function readParts(team: string, name: string, connection: Connection, tables: Tables) {
  const teams: TeamInWorld[] = []
  let summary: SnapshotSummary | undefined
  let current: TeamOnFile | undefined
  let records = new RecordsByKind()
  const endTeam = () => {
    if (current) teams.push(records.of(current))
    records = new RecordsByKind()
  }
  for (let from = 0; ; from += partsAtOnce) {
    const rows = await connection.query(
      sql`SELECT data FROM ${tables.parts} WHERE team = ${team} AND name = ${name} AND part >= ${from} AND part < ${from + partsAtOnce} ORDER BY part`,
    )
    const texts = rows.map(({ data }) => String(data))
    if (from === 0) summary = texts.length === 0 ? undefined : (JSON.parse(texts.shift() ?? '') as SnapshotSummary)
    for (const text of texts) {
      const part = JSON.parse(text) as Part
      if ('kind' in part) records.add(part.kind, part.records)
      else {
        endTeam()
        current = part.team
      }
    }
    if (rows.length < partsAtOnce) break
  }
  endTeam()
  return summary && { world: { teams }, isWhole: summary.isWhole }
}

const partsAtOnce = 50

/** Snapshots in the database. */
export class PostgresSnapshots implements Snapshots {
  readonly #database: Database
  readonly #tables: Tables

  constructor(database: Database, tables: Tables) {
    this.#database = database
    this.#tables = tables
  }

  async names(): Promise<readonly string[]> {
    const rows = await this.#database.query(sql`SELECT name FROM ${this.#tables.parts} WHERE team = '' AND part = 0`)
    return rows.map(({ name }) => String(name))
  }

  get(name: string): Promise<StoredSnapshot | undefined> {
    return inSnapshot(this.#database, (connection) => readParts('', name, connection, this.#tables))
  }

  async summary(name: string): Promise<SnapshotSummary | undefined> {
    const [row] = await this.#database.query(
      sql`SELECT data FROM ${this.#tables.parts} WHERE team = '' AND name = ${name} AND part = 0`,
    )
    return row && (JSON.parse(String(row.data)) as SnapshotSummary)
  }

  put(name: string, snapshot: StoredSnapshot): Promise<void> {
    return this.#database.transaction(
      async (connection) => {
        await putParts('', name, snapshot, connection, this.#tables)
        await connection.query(commit)
      },
      { isLong: true },
    )
  }

  async remove(name: string): Promise<void> {
    const removal = removalOfParts(sql`team = '' AND name = ${name}`, this.#tables)
    await this.#database.transaction((connection) => connection.query(...removal, commit), { isLong: true })
  }
}
