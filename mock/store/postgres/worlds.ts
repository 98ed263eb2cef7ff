import { randomBytes } from 'node:crypto'
import { type Kind, type Kinds, kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../../fixtures/world.ts'
import { newPause } from '../../../lib/pause.ts'
import { type StoredSnapshot, type Snapshots, type SnapshotSummary, summaryOf } from '../snapshots.ts'
import { recordsOf, sizeOf, teamOf, teamWith } from '../teams.ts'
import { inOrder, insertion, rowOf } from './commit.ts'
import { type Connection, type Database, inSnapshot, longQueryTimeout } from './database.ts'
import type { Tables } from './schema.ts'
import { countedKeysOf, hashOf, keysOf, Sql, sql, storedId, tuple } from './sql.ts'

/** The most that one statement writes. */
const batchOfRecords = 1_000
const batchOfCharacters = 2 * 1024 * 1024

/** Adds teams with their records. The caller has begun a transaction that no other team is added in. */
export async function addTeams(
  teams: readonly TeamInWorld[],
  origins: readonly TeamInWorld[],
  connection: Connection,
  tables: Tables,
): Promise<void> {
  const [row] = await connection.query(sql`SELECT COALESCE(max(place), 0) AS place FROM ${tables.teams}`)
  for (const [at, team] of teams.entries()) {
    const onFile = teamOf(team)
    const { _id, apiKeys } = onFile
    const version = 1 + sizeOf(team)
    const due = sizeOf(team) > 0 ? 0 : null
    const keys = [...new Set(apiKeys)].map((key) => tuple(storedId(_id), hashOf(key)))
    const place = Number(row?.place ?? 0) + 1 + at
    const added = tuple(storedId(_id), place, JSON.stringify(onFile), newBirth(), version, '', due)
    await connection.query(
      inOrder([
        sql`INSERT INTO ${tables.teams} (id, place, data, born, version, writer, due_at) VALUES ${added}`,
        ...(keys.length > 0 ? [sql`INSERT INTO ${tables.apiKeys} (team, key) VALUES ${keys}`] : []),
      ]),
    )
    await addRecords(storedId(_id), team, connection, tables)
    const origin = origins.find((one) => one._id === _id)
    if (origin)
      await putParts(storedId(_id), 'origin', { world: { teams: [origin] }, isWhole: false }, connection, tables)
  }
}

/** Statements that let all processes observe changed teams, or all teams. They follow a change of the version. */
export function announcementOf(team: string | undefined, { sandbox, settings, teams }: Tables): Sql {
  const [isMeant, isOther] =
    team === undefined ? [sql`true`, sql`team <> ''`] : [sql`id = ${team}`, sql`team = ${team}`]
  return inOrder([
    sql`UPDATE ${settings} SET version = (SELECT version FROM ${sandbox}), data = NULL WHERE ${isOther} AND data IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${teams} WHERE id = team)`,
    sql`INSERT INTO ${settings} AS s (team, version, data) SELECT t.id, b.version, '{}' FROM ${teams} t, ${sandbox} b WHERE ${isMeant} ON CONFLICT (team) DO UPDATE SET version = excluded.version, data = COALESCE(s.data, excluded.data)`,
  ])
}

/** Identifies a team until it is replaced. */
export const newBirth = () => randomBytes(8).toString('hex')

/** Adds the records of a team that has none, from the place 1 on. */
export async function addRecords(team: string, inWorld: TeamInWorld, connection: Connection, tables: Tables) {
  const counted = new Map<string, number>()
  const rows = function* () {
    let place = 0
    for (const kind of kinds) {
      for (const record of recordsOf(inWorld, kind)) {
        for (const key of countedKeysOf(kind, record)) counted.set(key, (counted.get(key) ?? 0) + 1)
        yield rowOf(team, ++place, kind, storedId(record._id), record, keysOf(kind, record))
      }
    }
  }
  for (const batch of batchesOf(rows())) await connection.query(insertion(batch, tables), longQueryTimeout)
  const counts = [...counted].map(([key, count]) => tuple(team, new Sql(key), count))
  for (const batch of batchesOf(counts))
    await connection.query(sql`INSERT INTO ${tables.counts} (team, key, count) VALUES ${batch}`, longQueryTimeout)
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

/** Statements that remove all data of teams, or of one team. */
export function removalOf(team: string | undefined, tables: Tables): Sql {
  const { records, entries, counts, writers, apiKeys, parts, tallies } = tables
  const condition = team === undefined ? sql`team <> ''` : sql`team = ${team}`
  const ofOne = team === undefined ? [] : [tallies]
  return inOrder(
    [records, entries, counts, writers, apiKeys, parts, ...ofOne].map(
      (table) => sql`DELETE FROM ${table} WHERE ${condition}`,
    ),
  )
}

/** Reads teams with all their records. The caller has begun a transaction. */
export async function readWorld(connection: Connection, tables: Tables, team?: string): Promise<World> {
  const pause = newPause()
  const condition = team === undefined ? sql`` : sql`WHERE id = ${team}`
  const rows = await connection.query(sql`SELECT id, data FROM ${tables.teams} ${condition} ORDER BY place`)
  const teams: TeamInWorld[] = []
  for (const { id, data } of rows) {
    const records = new RecordsByKind()
    for (let last = 0; ;) {
      const found = await connection.query(
        sql`SELECT seq, kind, data FROM ${tables.records} WHERE team = ${String(id)} AND seq > ${last} ORDER BY seq LIMIT ${batchOfRows}`,
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

/** Stores a world in parts, in place of one of the same name. The first part is its summary. */
async function putParts(
  team: string,
  name: string,
  { world, isWhole }: StoredSnapshot,
  connection: Connection,
  tables: Tables,
): Promise<void> {
  await connection.query(removalOfParts(team, name, tables), longQueryTimeout)
  let part = 0
  const rows = function* () {
    yield tuple(team, name, part++, JSON.stringify({ ...summaryOf({ world, isWhole }), isWhole }))
    for (const one of partsOf(world)) yield tuple(team, name, part++, JSON.stringify(one))
  }
  for (const batch of batchesOf(rows()))
    await connection.query(sql`INSERT INTO ${tables.parts} (team, name, part, data) VALUES ${batch}`, longQueryTimeout)
}

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

const removalOfParts = (team: string, name: string, { parts }: Tables) =>
  sql`DELETE FROM ${parts} WHERE team = ${team} AND name = ${name}`

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
      // The lock makes the writers of snapshots wait for each other.
      await connection.query(sql`BEGIN; SELECT 1 FROM ${this.#tables.sandbox} FOR UPDATE`)
      await putParts('', name, snapshot, connection, this.#tables)
      await connection.query(sql`COMMIT`)
    })
  }

  async remove(name: string): Promise<void> {
    await this.#database.query(removalOfParts('', name, this.#tables), longQueryTimeout)
  }
}
