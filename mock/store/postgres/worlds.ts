import { randomBytes } from 'node:crypto'
import { type Kind, type Kinds, kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../../fixtures/world.ts'
import { newPause } from '../../../lib/pause.ts'
import { type StoredSnapshot, type Snapshots, type SnapshotSummary, summaryOf } from '../snapshots.ts'
import { mayBeDue, recordsOf, teamOf, teamWith } from '../teams.ts'
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
  parts: Parts,
  initialRecords: readonly TeamInWorld[],
  connection: Connection,
  tables: Tables,
): Promise<Sql[]> {
  const added: { readonly onFile: TeamOnFile; readonly records: NewRecords }[] = []
  for await (const part of parts) {
    const current = added.at(-1)?.records
    if ('kind' in part) await current?.add(part)
    else {
      await current?.end()
      added.push({ onFile: part.team, records: new NewRecords(storedId(part.team._id), connection, tables) })
    }
  }
  await added.at(-1)?.records.end()
  for (const team of initialRecords)
    await putParts(storedId(team._id), 'origin', { world: { teams: [team] }, isWhole: false }, connection, tables)
  const written = added.reduce((sum, { records }) => sum + records.size, 0)
  await renewStatistics(written, connection, tables)
  const rows = added.map(({ onFile, records: { set, columns } }, at) => [
    set.team,
    at,
    JSON.stringify(onFile),
    ...columns,
  ])
  const keys = added.flatMap(({ onFile, records: { set } }) =>
    [...new Set(onFile.apiKeys)].map((key) => [set.team, hashOf(key)]),
  )
  return [
    ...[...batchesOf(rows)].map(
      (batch) =>
        sql`INSERT INTO ${tables.teams} (id, place, data, cache_tag, record_set, version, due_at, writer) SELECT v.id, m.place + v.at, v.data, v.cache_tag, v.record_set, v.version, v.due_at, '' FROM ${rowsOf(['text', 'bigint', 'text', 'text', 'bigint', 'bigint', 'bigint'], batch)} v (id, at, data, cache_tag, record_set, version, due_at), (SELECT COALESCE(max(place), 0) + 1 AS place FROM ${tables.teams}) m`,
    ),
    ...[...batchesOf(keys)].map(
      (batch) => sql`INSERT INTO ${tables.apiKeys} (team, key) SELECT * FROM ${rowsOf(['text', 'text'], batch)}`,
    ),
  ]
}

/** So many changes later, every process has observed the removal of a team. */
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
const newCacheTag = () => randomBytes(8).toString('hex')

/** A new record set of a team, from the place 1 on. */
export class NewRecords {
  readonly set: RecordSet
  readonly #connection: Connection
  readonly #tables: Tables
  readonly #counted = new Map<string, number>()
  #batch: ReturnType<typeof rowOf>[] = []
  #dueAt: 0 | null = null
  size = 0

  constructor(team: string, connection: Connection, tables: Tables) {
    this.set = newRecordSet(team)
    this.#connection = connection
    this.#tables = tables
  }

  async add({ kind, records }: RecordsPart): Promise<void> {
    if (mayBeDue({ [kind]: records })) this.#dueAt = 0
    for (const record of records) {
      for (const key of countedKeysOf(kind, record)) this.#counted.set(key, (this.#counted.get(key) ?? 0) + 1)
      this.#batch.push(rowOf(++this.size, kind, storedId(record._id), record, keysOf(kind, record)))
    }
    if (this.#batch.length >= batchOfRecords) await this.#write()
  }

  async end(): Promise<void> {
    await this.#write()
    const { team, recordSet } = recordSetIn(this.set)
    for (const batch of batchesOf(this.#counted))
      await this.#connection.query(
        sql`INSERT INTO ${this.#tables.counts} (team, record_set, key, count) SELECT ${team}, ${recordSet}, v.* FROM ${rowsOf(['bigint', 'bigint'], batch)} v`,
      )
    this.#counted.clear()
  }

  /** The columns of a team that has these records. */
  get columns() {
    return [newCacheTag(), this.set.recordSet, 1 + this.size, this.#dueAt] as const
  }

  async #write(): Promise<void> {
    for (const batch of batchesOf(this.#batch))
      await this.#connection.query(sql`WITH ${insertion(recordSetIn(this.set), rowsIn(batch), this.#tables)} SELECT`)
    this.#batch = []
  }
}

const mostWithoutStatistics = 1_000

/** After many new records. Otherwise PostgreSQL takes new record sets for empty, and reads all of one for each request. */
export async function renewStatistics(
  written: number,
  connection: Connection,
  { records, entries, counts }: Tables,
): Promise<void> {
  if (written <= mostWithoutStatistics) return
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
 * Removes the record sets that no team has any more, in short steps. Another process may do the same. If the
 * database does not answer, the rest is removed after the next replacement or removal, or at the next start.
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
  // Without the lock, two processes with different plans may wait for each other.
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

/** A part of a world: a team, or more records of the team before. */
type Part = { readonly team: TeamOnFile } | RecordsPart
interface RecordsPart {
  readonly kind: Kind
  readonly records: readonly Kinds[Kind][]
}
type Parts = Iterable<Part> | AsyncIterable<Part>

const recordsInPart = 100

export function* partsOf(teams: readonly TeamInWorld[]): Generator<Part> {
  for (const team of teams) {
    yield { team: teamOf(team) }
    for (const kind of kinds) {
      const records = recordsOf(team, kind)
      for (let at = 0; at < records.length; at += recordsInPart)
        yield { kind, records: records.slice(at, at + recordsInPart) }
    }
  }
}

async function worldOf(parts: Parts): Promise<World> {
  const teams: { readonly onFile: TeamOnFile; readonly records: Map<Kind, Kinds[Kind][]> }[] = []
  for await (const part of parts) {
    const records = teams.at(-1)?.records
    if ('team' in part) teams.push({ onFile: part.team, records: new Map() })
    else if (records?.has(part.kind)) for (const record of part.records) records.get(part.kind)?.push(record)
    else records?.set(part.kind, [...part.records])
  }
  return { teams: teams.map(({ onFile, records }) => teamWith(onFile, (kind) => records.get(kind) ?? [])) }
}

/** Reads teams with all their records. The caller has begun a transaction. */
export const readWorld = (connection: Connection, tables: Tables, team?: string): Promise<World> =>
  worldOf(partsIn(connection, tables, team))

async function* partsIn(connection: Connection, tables: Tables, team?: string): AsyncGenerator<Part> {
  const pause = newPause()
  const condition = team === undefined ? sql`` : sql`WHERE id = ${team}`
  const rows = await connection.query(sql`SELECT id, record_set, data FROM ${tables.teams} ${condition} ORDER BY place`)
  for (const { id, record_set: recordSet, data } of rows) {
    yield { team: JSON.parse(String(data)) as TeamOnFile }
    const { isOfTeam: isOfSet } = recordSetIn({ team: String(id), recordSet: Number(recordSet) })
    for (let last = 0; ;) {
      const found = await connection.query(
        sql`SELECT seq, kind, data FROM ${tables.records} WHERE ${isOfSet} AND seq > ${last} ORDER BY seq LIMIT ${batchOfRows}`,
      )
      for (const { kind, data } of found)
        yield { kind: kind as Kind, records: [JSON.parse(String(data)) as Kinds[Kind]] }
      if (found.length < batchOfRows) break
      last = Number(found.at(-1)?.seq)
      await pause()
    }
  }
}

const batchOfRows = 2_000

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
    for (const one of partsOf(world.teams)) yield [part++, JSON.stringify(one)] as const
  }
  for (const batch of batchesOf(rows()))
    await connection.query(
      sql`INSERT INTO ${parts} (team, name, part, data) SELECT ${team}, ${name}, v.* FROM ${rowsOf(['bigint', 'text'], batch)} v`,
    )
}

/** Statements that remove stored worlds, also one that another process is about to store: its first part makes them wait. */
export const removalOfParts = (isMeant: Sql, { parts }: Tables) =>
  [sql`= 0`, sql`> 0`].map((place) => sql`DELETE FROM ${parts} WHERE ${isMeant} AND part ${place}`)

export interface SavedTeam {
  readonly onFile: TeamOnFile
  /** The numbers of its first part, and of the next team's. */
  readonly from: number
  readonly to: number
}

/** Keeps a snapshot from being replaced or removed until the end of the transaction. Returns its teams. */
export async function lockSnapshot(name: string, connection: Connection, { parts }: Tables): Promise<SavedTeam[]> {
  const ofSnapshot = sql`FROM ${parts} WHERE team = '' AND name = ${name}`
  const locked = await connection.query(sql`SELECT part ${ofSnapshot} AND part = 0 FOR SHARE`)
  if (locked.length === 0) throw new StoreUnreachable('The snapshot was removed during its restore')
  const rows = await connection.query(
    sql`SELECT data, part, lead(part, 1, ${2 ** 31 - 1}) OVER (ORDER BY part) AS next ${ofSnapshot} AND left(data, 8) = '{"team":'`,
  )
  return rows.map(({ data, part, next }) => {
    const { team: onFile } = JSON.parse(String(data)) as { readonly team: TeamOnFile }
    return { onFile, from: Number(part), to: Number(next) }
  })
}

/** Makes what a snapshot has of a team what the team was added as. The caller has begun a transaction. */
export async function putInitialRecordsOf(
  { onFile, from, to }: SavedTeam,
  name: string,
  connection: Connection,
  { parts }: Tables,
): Promise<void> {
  const put = sql`INSERT INTO ${parts} (team, name, part, data) SELECT ${storedId(onFile._id)}, 'origin'`
  await connection.query(
    sql`${put}, 0, data FROM ${parts} WHERE team = '' AND name = ${name} AND part = 0`,
    sql`${put}, part - ${from - 1}, data FROM ${parts} WHERE team = '' AND name = ${name} AND part >= ${from} AND part < ${to}`,
  )
}

/** Reads a stored world. The caller has begun a transaction. */
export async function readParts(team: string, name: string, connection: Connection, tables: Tables) {
  const summary = await readSummary(team, name, connection, tables)
  return summary && { world: await worldOf(storedParts(team, name, connection, tables)), isWhole: summary.isWhole }
}

async function readSummary(team: string, name: string, connection: Connection, { parts }: Tables) {
  const [row] = await connection.query(
    sql`SELECT data FROM ${parts} WHERE team = ${team} AND name = ${name} AND part = 0`,
  )
  return row && (JSON.parse(String(row.data)) as SnapshotSummary)
}

export async function* storedParts(
  team: string,
  name: string,
  connection: Connection,
  { parts }: Tables,
): AsyncGenerator<Part> {
  for (let from = 1; ; from += partsAtOnce) {
    const rows = await connection.query(
      sql`SELECT data FROM ${parts} WHERE team = ${team} AND name = ${name} AND part >= ${from} AND part < ${from + partsAtOnce} ORDER BY part`,
    )
    for (const { data } of rows) yield JSON.parse(String(data)) as Part
    if (rows.length < partsAtOnce) return
  }
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

  summary(name: string): Promise<SnapshotSummary | undefined> {
    return readSummary('', name, this.#database, this.#tables)
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
