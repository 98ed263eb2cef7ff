import { setTimeout } from 'node:timers/promises'
import { CannotStart } from '../../cannot-start.ts'
import { newGeneration } from '../port.ts'
import { type Connection, type Database, isConflict, longQueryTimeout, Refused, type Row } from './database.ts'
import { quoteName, Sql, sql, storedId, tuple } from './sql.ts'

/**
 * The tables. Each primary key starts with the team, so that a database can distribute the rows by team. The team of rows
 * that belong to none is empty.
 */
export interface Tables {
  readonly schema: Sql
  /** One row: the version of the tables, the generation, and the version of settings and teams. */
  readonly sandbox: Sql
  /** Of each team, and for all teams, with the version of the latest change. A team that was removed has none. */
  readonly settings: Sql
  readonly tallies: Sql
  readonly teams: Sql
  /** By place in the order of creation. `keys` lists the keys of the entries. */
  readonly records: Sql
  /** The places of the records that have a value of an index. */
  readonly entries: Sql
  readonly counts: Sql
  /** Lives with records that are still to be removed. */
  readonly ended: Sql
  /** The last commit of each process in each team. */
  readonly writers: Sql
  /** Hashes of API keys. */
  readonly apiKeys: Sql
  /** Worlds in parts: snapshots, and the first records of teams. */
  readonly parts: Sql
  readonly counters: Sql
  /** That run, with the time of their latest announcement. */
  readonly servers: Sql
  /** Questions of servers, with an empty `server`, and the answers. */
  readonly questions: Sql
}

export function tablesIn(schema: string): Tables {
  const table = (name: string) => new Sql(`${quoteName(schema)}.${name}`)
  return {
    schema: new Sql(quoteName(schema)),
    sandbox: table('sandbox'),
    settings: table('settings'),
    tallies: table('tallies'),
    teams: table('teams'),
    records: table('records'),
    entries: table('entries'),
    counts: table('counts'),
    ended: table('ended_lives'),
    writers: table('writers'),
    apiKeys: table('api_keys'),
    parts: table('parts'),
    counters: table('counters'),
    servers: table('servers'),
    questions: table('questions'),
  }
}

export interface Migration {
  readonly to: number
  /** The oldest program, by the version of its tables, that works with the result: a new table does not affect it. */
  readonly oldest: number
  /** Changes of tables, each for itself. One that was made already is refused. */
  readonly statements: (tables: Tables) => readonly Sql[]
  /** Moves the data. */
  readonly move?: (connection: Connection, tables: Tables) => Promise<void>
}

/** Each start of a process runs these; the row of an existing sandbox stays. */
export const firstTable = ({ sandbox }: Tables) => sql`
CREATE TABLE IF NOT EXISTS ${sandbox} (
  team text NOT NULL PRIMARY KEY, tables_version int NOT NULL, tables_oldest int NOT NULL, epoch bigint NOT NULL,
  token_secret text NOT NULL, version bigint NOT NULL, settings text NOT NULL
)`
const firstRow = ({ sandbox }: Tables) =>
  sql`INSERT INTO ${sandbox} VALUES ('', 0, 0, 0, '', 1, '{}') ON CONFLICT (team) DO NOTHING`

/** An index and a table cannot have the same name. PostgreSQL names the index of a primary key. */
const indexNames = [
  ...['records_pkey', 'entries_pkey', 'counts_pkey', 'records_of_life', 'entries_of_life', 'counts_of_life'],
  ...['records_id', 'records_kind', 'records_of_life_id', 'records_of_life_kind'],
  ...['teams_due_at', 'api_keys_key', 'settings_version'],
]

function otherTables({ sandbox, schema, ...others }: Tables): Sql {
  const indexes = indexNames.map((name) => new Sql(`${schema.text}.${name}`))
  const names = [...Object.values(others), ...indexes].map(({ text }) => tuple(text))
  return sql`SELECT name FROM (VALUES ${names}) v (name) WHERE to_regclass(name) IS NOT NULL`
}

/** None creates an index that a later one drops: a process that is slow to start would create it again. */
export const migrations: readonly Migration[] = [
  { to: 1, oldest: 1, statements: firstVersion },
  { to: 2, oldest: 2, statements: settingsByTeam, move: divideSettings },
  { to: 4, oldest: 4, statements: recordsByLife },
  { to: 5, oldest: 4, statements: serversAndQuestions },
]

// Text is compared by its bytes, so that an index outlives a change of the system's locale.
function firstVersion({ teams, records, entries, counts, writers, apiKeys, parts, counters }: Tables): Sql[] {
  return [
    sql`CREATE TABLE ${teams} (
  id text COLLATE "C" NOT NULL PRIMARY KEY, place bigint NOT NULL, data text NOT NULL, born text NOT NULL,
  version bigint NOT NULL, writer text NOT NULL, due_at bigint, leased_until bigint
) WITH (fillfactor = 50)`,
    sql`CREATE INDEX teams_due_at ON ${teams} (due_at) WHERE due_at IS NOT NULL`,
    sql`CREATE TABLE ${records} (
  team text COLLATE "C" NOT NULL, seq bigint NOT NULL, kind text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
  data text NOT NULL, keys text NOT NULL, PRIMARY KEY (team, seq)
)`,
    sql`CREATE TABLE ${entries} (
  team text COLLATE "C" NOT NULL, key bigint NOT NULL, seq bigint NOT NULL, PRIMARY KEY (team, key, seq)
)`,
    sql`CREATE TABLE ${counts} (
  team text COLLATE "C" NOT NULL, key bigint NOT NULL, count bigint NOT NULL, PRIMARY KEY (team, key)
) WITH (fillfactor = 70)`,
    sql`CREATE TABLE ${writers} (
  team text COLLATE "C" NOT NULL, writer text NOT NULL, mark bigint NOT NULL, at bigint NOT NULL, PRIMARY KEY (team, writer)
) WITH (fillfactor = 50)`,
    sql`CREATE TABLE ${apiKeys} (team text COLLATE "C" NOT NULL, key text NOT NULL, PRIMARY KEY (team, key))`,
    sql`CREATE INDEX api_keys_key ON ${apiKeys} (key)`,
    sql`CREATE TABLE ${parts} (
  team text COLLATE "C" NOT NULL, name text NOT NULL, part int NOT NULL, data text NOT NULL,
  PRIMARY KEY (team, name, part)
)`,
    sql`CREATE TABLE ${counters} (
  team text NOT NULL, name text NOT NULL, times bigint NOT NULL, until bigint NOT NULL, PRIMARY KEY (team, name)
)`,
  ]
}

function settingsByTeam({ settings, tallies }: Tables): Sql[] {
  return [
    sql`CREATE TABLE ${settings} (team text COLLATE "C" NOT NULL PRIMARY KEY, version bigint NOT NULL, data text)`,
    sql`CREATE INDEX settings_version ON ${settings} (version)`,
    sql`CREATE TABLE ${tallies} (
  team text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, count bigint NOT NULL, PRIMARY KEY (team, name)
) WITH (fillfactor = 50)`,
  ]
}

/** The rows of each life of a team are its own, so that the records of the next one are written beside them. */
function recordsByLife({ schema, teams, records, entries, counts, ended }: Tables): Sql[] {
  const addLife = (table: Sql) => sql`ALTER TABLE ${table} ADD COLUMN life bigint NOT NULL DEFAULT 0`
  const replaceKey = (table: Sql, name: string, columns: Sql) => [
    sql`ALTER TABLE ${table} DROP CONSTRAINT ${new Sql(`${name}_pkey`)}`,
    sql`ALTER TABLE ${table} ADD CONSTRAINT ${new Sql(`${name}_of_life`)} PRIMARY KEY (${columns})`,
  ]
  return [
    ...[teams, records, entries, counts].map(addLife),
    ...replaceKey(records, 'records', sql`team, life, seq`),
    ...replaceKey(entries, 'entries', sql`team, life, key, seq`),
    ...replaceKey(counts, 'counts', sql`team, life, key`),
    sql`CREATE UNIQUE INDEX records_of_life_id ON ${records} (team, life, kind, id)`,
    sql`CREATE INDEX records_of_life_kind ON ${records} (team, life, kind, seq)`,
    sql`DROP INDEX ${schema}.records_id`,
    sql`DROP INDEX ${schema}.records_kind`,
    sql`CREATE TABLE ${ended} (team text COLLATE "C" NOT NULL, life bigint NOT NULL, PRIMARY KEY (team, life))`,
  ]
}

function serversAndQuestions({ servers, questions }: Tables): Sql[] {
  return [
    sql`CREATE TABLE ${servers} (
  team text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, name text NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (team, id)
)`,
    sql`CREATE TABLE ${questions} (
  team text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, server text COLLATE "C" NOT NULL, at timestamptz NOT NULL,
  data text NOT NULL, PRIMARY KEY (team, id, server)
)`,
  ]
}

/** One document for all teams, with the counts of faults and gates. */
interface EarlierSettings {
  readonly choices?: { readonly all: object; readonly teams: Readonly<Record<string, object>> }
  readonly faults?: EarlierRules
  readonly gates?: EarlierRules
}

interface EarlierRules {
  readonly added: number
  readonly rules: readonly { readonly id: string; readonly team?: string; readonly matched: number; fired?: number }[]
}

const noEarlierRules: EarlierRules = { added: 0, rules: [] }

async function divideSettings(connection: Connection, { sandbox, settings, tallies, teams }: Tables): Promise<void> {
  const [row] = await connection.query(sql`SELECT version, settings FROM ${sandbox}`)
  const stored = JSON.parse(String(row?.settings)) as EarlierSettings
  const { choices, faults = noEarlierRules, gates = noEarlierRules, ...others } = stored
  const listOf = ({ rules }: EarlierRules, teamId?: string) => ({
    cleared: 0,
    rules: rules.filter(({ team }) => team === teamId),
  })
  const rowFor = (team: string, own: object, teamId?: string) =>
    tuple(
      ...[team, Number(row?.version)],
      JSON.stringify({ ...own, faults: listOf(faults, teamId), gates: listOf(gates, teamId) }),
    )
  const ofTeams = (await connection.query(sql`SELECT id, data FROM ${teams}`)).map(({ id, data }) => {
    const { _id } = JSON.parse(String(data)) as { readonly _id: string }
    return rowFor(String(id), { choices: choices?.teams[_id] ?? {} }, _id)
  })
  const counts: readonly (readonly [team: string, name: string, count: number])[] = [
    ['', 'fault', faults.added],
    ['', 'gate', gates.added],
    ...[...faults.rules, ...gates.rules].flatMap(({ id, team = '', matched, fired = 0 }) => [
      [team, `${id} matched`, matched] as const,
      [team, `${id} fired`, fired] as const,
    ]),
  ]
  const forAll = rowFor('', { ...others, choices: choices?.all ?? {} })
  await connection.query(sql`INSERT INTO ${settings} (team, version, data) VALUES ${[forAll, ...ofTeams]}`)
  const known = counts.filter(([, , count]) => count > 0).map(([team, ...count]) => tuple(storedId(team), ...count))
  if (known.length > 0) await connection.query(sql`INSERT INTO ${tallies} (team, name, count) VALUES ${known}`)
  // A change of the table itself would wait for each process that starts, as it waits for the row.
  await connection.query(sql`UPDATE ${sandbox} SET settings = ''`)
}

const oneDay = 24 * 60 * 60 * 1000
const newest = migrations.at(-1)?.to ?? 0

/**
 * Creates the tables, or migrates tables of an older version. `fill` adds the first teams. Several processes may start at
 * once. No transaction changes both tables and rows, which some databases refuse.
 */
export async function prepare(
  database: Database,
  tables: Tables,
  fill: (connection: Connection) => Promise<void>,
): Promise<void> {
  const [encoding] = await database.query(sql`SHOW server_encoding`)
  if (encoding?.server_encoding !== 'UTF8')
    throw new CannotStart(
      `The database has the encoding ${String(encoding?.server_encoding)}; create one with the encoding UTF8, such as with createdb -E UTF8 -T template0.`,
    )
  const state = sql`SELECT tables_version, tables_oldest, epoch FROM ${tables.sandbox}`
  let before = await rowsUnlessMissing(database, state)
  if (before.length === 0) {
    await changeTables(database, tables, firstTable(tables))
    const [other] = await database.query(otherTables(tables))
    // The first row precedes all other tables of this program.
    if (other && (await database.query(state)).length === 0)
      throw new Refused(
        Object.assign(new Error(`relation ${String(other.name)} already exists`), { code: tableExists }),
      )
    await database.query(firstRow(tables))
    before = await database.query(state)
  }
  for (const { statements } of migrationsFrom(before[0]))
    for (const statement of statements(tables)) await changeTables(database, tables, statement)
  await database.withConnection(async (connection) => {
    const [row] = await connection.query(sql`BEGIN; ${state} FOR UPDATE`, longQueryTimeout)
    for (const { to, oldest, move } of migrationsFrom(row)) {
      await move?.(connection, tables)
      await connection.query(sql`UPDATE ${tables.sandbox} SET tables_version = ${to}, tables_oldest = ${oldest}`)
    }
    if (Number(row?.epoch) === 0) {
      await fill(connection)
      const { epoch, tokenSecret } = newGeneration(1)
      await connection.query(sql`UPDATE ${tables.sandbox} SET epoch = ${epoch}, token_secret = ${tokenSecret}`)
    }
    // Rows of processes that have ended.
    await connection.query(sql`DELETE FROM ${tables.writers} WHERE at < ${Date.now() - oneDay}; COMMIT`)
  })
}

function migrationsFrom(row: Row | undefined): readonly Migration[] {
  const [version, oldest] = [Number(row?.tables_version), Number(row?.tables_oldest)]
  if (oldest > newest)
    throw new CannotStart(
      `The tables of the database are of a newer crm-sandbox (version ${version}, and this one knows ${newest}); start that one, or name another schema with ?schema=.`,
    )
  return migrations.filter(({ to }) => to > version)
}

/** An existing sandbox needs no right to create tables. */
async function rowsUnlessMissing(database: Database, select: Sql): Promise<readonly Row[]> {
  try {
    return await database.query(select)
  } catch (error) {
    if (error instanceof Refused && (error.code === missingTable || error.code === missingSchema)) return []
    throw error
  }
}

const missingTable = '42P01'
const missingSchema = '3F000'
const tableExists = '42P07'

/** A change that another process, or an earlier start, has made already: its table, index, column or key is there, or gone. */
const isMade = new Set([tableExists, '42701', '42P16', '42704'])

/** Processes that start at once may make the same change, which PostgreSQL refuses in one of several ways. */
async function changeTables(database: Database, tables: Tables, change: Sql): Promise<void> {
  for (let tries = 20; ; tries--) {
    try {
      await database.query(change, longQueryTimeout)
      return
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (isMade.has(error.code)) return
      if (tries === 0) throw error
      if (error.code === missingSchema)
        await database.query(sql`CREATE SCHEMA IF NOT EXISTS ${tables.schema}`).catch(ifRefused)
      else if (!isConflict(error) && !isRace.has(error.code)) throw error
      await setTimeout(Math.random() * 50)
    }
  }
}

const isRace = new Set(['23505', '42P06', '42710', 'XX000'])

function ifRefused(error: unknown): void {
  if (!(error instanceof Refused) || !isRace.has(error.code)) throw error
}
