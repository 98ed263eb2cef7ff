import { randomBytes } from 'node:crypto'
import { type Kind, type Kinds, kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../../fixtures/world.ts'
import { newPause } from '../../../lib/pause.ts'
import { type StoredSnapshot, type Snapshots, type SnapshotSummary, summaryOf } from '../snapshots.ts'
import { mayBeDue, recordsOf, sizeOf, teamOf, teamWith } from '../teams.ts'
import { StoreUnreachable } from '../port.ts'
import { insertion, rowOf } from './commit.ts'
import { type Connection, type Database, inSnapshot, longQueryTimeout } from './database.ts'
import type { Tables } from './schema.ts'
import {
  countedKeysOf,
  hashOf,
  inOrder,
  keysOf,
  type RecordSet,
  newRecordSet,
  inRecordSet,
  Sql,
  sql,
  storedId,
  tuple,
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
  const rows: Sql[] = []
  const keys: Sql[] = []
  const sets = teams.map((team) => [newRecordSet(storedId(team._id)), team] as const)
  await addRecords(sets, connection, tables)
  for (const [{ team: id, recordSet }, team] of sets) {
    const ofTeam = initialRecords.find(({ _id }) => _id === team._id)
    if (ofTeam) await putParts(id, 'origin', { world: { teams: [ofTeam] }, isWhole: false }, connection, tables)
    const due = mayBeDue(team) ? 0 : null
    rows.push(tuple(id, rows.length, JSON.stringify(teamOf(team)), newCacheTag(), recordSet, 1 + sizeOf(team), due))
    keys.push(...[...new Set(team.apiKeys)].map((key) => tuple(id, hashOf(key))))
  }
  await renewStatistics(teams, connection, tables)
  return [
    ...[...batchesOf(rows)].map(
      (batch) =>
        sql`INSERT INTO ${tables.teams} (id, place, data, cache_tag, record_set, version, writer, due_at) SELECT v.id, m.place + v.at, v.data, v.cache_tag, v.record_set, v.version, '', v.due_at::bigint FROM (VALUES ${batch}) v (id, at, data, cache_tag, record_set, version, due_at), (SELECT COALESCE(max(place), 0) + 1 AS place FROM ${tables.teams}) m`,
    ),
    ...[...batchesOf(keys)].map((batch) => sql`INSERT INTO ${tables.apiKeys} (team, key) VALUES ${batch}`),
  ]
}

/** How many changes later nobody needs to observe the removal of a team. */
const mostChangesBehind = 10_000

/** Statements that let all processes observe changed teams, or all teams. They follow a change of the version. */
export function announcementOf(team: string | undefined, { sandbox, settings, tallies, teams }: Tables): Sql {
  const [isMeant, isOther] =
    team === undefined ? [sql`true`, sql`team <> ''`] : [sql`id = ${team}`, sql`team = ${team}`]
  const isRemoved = sql`${isOther} AND NOT EXISTS (SELECT 1 FROM ${teams} WHERE id = team)`
  return inOrder([
    sql`UPDATE ${settings} SET version = (SELECT version FROM ${sandbox}), data = NULL WHERE data IS NOT NULL AND ${isRemoved}`,
    sql`DELETE FROM ${tallies} WHERE ${isRemoved}`,
    sql`DELETE FROM ${settings} WHERE data IS NULL AND version < (SELECT version - ${mostChangesBehind} FROM ${sandbox})`,
    sql`INSERT INTO ${settings} AS s (team, version, data) SELECT t.id, b.version, '{}' FROM ${teams} t, ${sandbox} b WHERE ${isMeant} ON CONFLICT (team) DO UPDATE SET version = excluded.version, data = COALESCE(s.data, excluded.data)`,
  ])
}

/** Identifies a team until its records are replaced, or its providers change. */
export const newCacheTag = () => randomBytes(8).toString('hex')

/** Adds record sets, each from the place 1 on. */
export async function addRecords(
  sets: readonly (readonly [set: RecordSet, inWorld: TeamInWorld])[],
  connection: Connection,
  tables: Tables,
): Promise<void> {
  const counts: Sql[] = []
  const rows = function* () {
    for (const [set, inWorld] of sets) {
      const counted = new Map<string, number>()
      let place = 0
      for (const kind of kinds) {
        for (const record of recordsOf(inWorld, kind)) {
          for (const key of countedKeysOf(kind, record)) counted.set(key, (counted.get(key) ?? 0) + 1)
          yield rowOf(set, ++place, kind, storedId(record._id), record, keysOf(kind, record))
        }
      }
      for (const [key, count] of counted) counts.push(tuple(set.team, set.recordSet, new Sql(key), count))
    }
  }
  for (const batch of batchesOf(rows())) await connection.query(insertion(batch, tables), longQueryTimeout)
  for (const batch of batchesOf(counts))
    await connection.query(
      sql`INSERT INTO ${tables.counts} (team, record_set, key, count) VALUES ${batch}`,
      longQueryTimeout,
    )
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
    longQueryTimeout,
  )
}

function* batchesOf(rows: Iterable<Sql>): Generator<Sql[]> {
  let batch: Sql[] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    characters += row.text.length
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
      const isOfSet = inRecordSet({ team: String(row.team), recordSet: Number(row.record_set) })
      await removeRows(entries, sql`key, seq`, isOfSet, unused, database)
      await removeRows(records, sql`seq`, isOfSet, unused, database)
      await database.query(
        inOrder([sql`DELETE FROM ${unused} WHERE ${isOfSet}`, sql`DELETE FROM ${counts} WHERE ${isOfSet}`]),
      )
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
    const from = next && sql`(${Object.values(next).map((value) => new Sql(String(value)))})`
    const isBefore = from ? sql` AND (${key}) < ${from}` : sql``
    await database.query(inOrder([lock, sql`DELETE FROM ${table} WHERE ${rest}${isBefore}`]))
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
    const isOfSet = inRecordSet({ team: String(id), recordSet: Number(recordSet) })
    const records = new RecordsByKind()
    for (let last = 0; ;) {
      const found = await connection.query(
        sql`SELECT seq, kind, data FROM ${tables.records} WHERE ${isOfSet} AND seq > ${last} ORDER BY seq LIMIT ${batchOfRows}`,
        longQueryTimeout,
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
  const summary = tuple(team, name, 0, JSON.stringify({ ...summaryOf({ world, isWhole }), isWhole }))
  await connection.query(
    inOrder([
      sql`INSERT INTO ${parts} (team, name, part, data) VALUES ${summary} ON CONFLICT (team, name, part) DO UPDATE SET data = excluded.data`,
      sql`DELETE FROM ${parts} WHERE team = ${team} AND name = ${name} AND part > 0`,
    ]),
    longQueryTimeout,
  )
  let part = 1
  const rows = function* () {
    for (const one of partsOf(world)) yield tuple(team, name, part++, JSON.stringify(one))
  }
  for (const batch of batchesOf(rows()))
    await connection.query(sql`INSERT INTO ${parts} (team, name, part, data) VALUES ${batch}`, longQueryTimeout)
}

/** Statements that remove stored worlds, also one that another process is about to store: its first part makes them wait. */
export const removalOfParts = (isMeant: Sql, { parts }: Tables) =>
  inOrder([sql`= 0`, sql`> 0`].map((place) => sql`DELETE FROM ${parts} WHERE ${isMeant} AND part ${place}`))

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
      longQueryTimeout,
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
    return this.#database.withConnection(async (connection) => {
      await connection.query(sql`BEGIN`)
      await putParts('', name, snapshot, connection, this.#tables)
      await connection.query(sql`COMMIT`)
    })
  }

  async remove(name: string): Promise<void> {
    await this.#database.query(removalOfParts(sql`team = '' AND name = ${name}`, this.#tables), longQueryTimeout)
  }
}
