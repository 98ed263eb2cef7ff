import { setTimeout } from 'node:timers/promises'
import { CannotStart } from '../../cannot-start.ts'
import { newGeneration } from '../port.ts'
import { type Connection, type Database, isConflict, longQueryTimeout, Refused } from './database.ts'
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
  /** The last commit of each process in each team. */
  readonly writers: Sql
  /** Hashes of API keys. */
  readonly apiKeys: Sql
  /** Worlds in parts: snapshots, and the first records of teams. */
  readonly parts: Sql
  readonly counters: Sql
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
    writers: table('writers'),
    apiKeys: table('api_keys'),
    parts: table('parts'),
    counters: table('counters'),
  }
}

export interface Migration {
  readonly to: number
  /** The oldest program, by the version of its tables, that works with the result: a new table does not affect it. */
  readonly oldest: number
  readonly statements: (tables: Tables) => Sql
  /** Moves the data. */
  readonly move?: (connection: Connection, tables: Tables) => Promise<void>
}

/** Every start runs this; the row of an existing sandbox stays. */
export const firstTable = ({ sandbox }: Tables) => sql`
CREATE TABLE IF NOT EXISTS ${sandbox} (
  team text NOT NULL PRIMARY KEY, tables_version int NOT NULL, tables_oldest int NOT NULL, epoch bigint NOT NULL,
  token_secret text NOT NULL, version bigint NOT NULL, settings text NOT NULL
);
INSERT INTO ${sandbox} VALUES ('', 0, 0, 0, '', 1, '{}') ON CONFLICT (team) DO NOTHING`

export const migrations: readonly Migration[] = [
  { to: 1, oldest: 1, statements: firstVersion },
  { to: 2, oldest: 2, statements: settingsByTeam, move: divideSettings },
  {
    to: 3,
    oldest: 2,
    statements: ({ records }) => sql`CREATE INDEX IF NOT EXISTS records_kind ON ${records} (team, kind, seq)`,
  },
]

// Text is compared by its bytes, so that an index outlives a change of the system's locale.
function firstVersion({ teams, records, entries, counts, writers, apiKeys, parts, counters }: Tables): Sql {
  return sql`
CREATE TABLE ${teams} (
  id text COLLATE "C" NOT NULL PRIMARY KEY, place bigint NOT NULL, data text NOT NULL, born text NOT NULL,
  version bigint NOT NULL, writer text NOT NULL, due_at bigint, leased_until bigint
) WITH (fillfactor = 50);
CREATE INDEX teams_due_at ON ${teams} (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE ${records} (
  team text COLLATE "C" NOT NULL, seq bigint NOT NULL, kind text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
  data text NOT NULL, keys text NOT NULL, PRIMARY KEY (team, seq)
);
CREATE UNIQUE INDEX records_id ON ${records} (team, kind, id);
CREATE TABLE ${entries} (
  team text COLLATE "C" NOT NULL, key bigint NOT NULL, seq bigint NOT NULL, PRIMARY KEY (team, key, seq)
);
CREATE TABLE ${counts} (
  team text COLLATE "C" NOT NULL, key bigint NOT NULL, count bigint NOT NULL, PRIMARY KEY (team, key)
) WITH (fillfactor = 70);
CREATE TABLE ${writers} (
  team text COLLATE "C" NOT NULL, writer text NOT NULL, mark bigint NOT NULL, at bigint NOT NULL, PRIMARY KEY (team, writer)
) WITH (fillfactor = 50);
CREATE TABLE ${apiKeys} (team text COLLATE "C" NOT NULL, key text NOT NULL, PRIMARY KEY (team, key));
CREATE INDEX api_keys_key ON ${apiKeys} (key);
CREATE TABLE ${parts} (
  team text COLLATE "C" NOT NULL, name text NOT NULL, part int NOT NULL, data text NOT NULL,
  PRIMARY KEY (team, name, part)
);
CREATE TABLE ${counters} (
  team text NOT NULL, name text NOT NULL, times bigint NOT NULL, until bigint NOT NULL, PRIMARY KEY (team, name)
)`
}

function settingsByTeam({ settings, tallies }: Tables): Sql {
  return sql`
CREATE TABLE ${settings} (team text COLLATE "C" NOT NULL PRIMARY KEY, version bigint NOT NULL, data text);
CREATE INDEX settings_version ON ${settings} (version);
CREATE TABLE ${tallies} (
  team text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, count bigint NOT NULL, PRIMARY KEY (team, name)
) WITH (fillfactor = 50)`
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

/** Creates the tables, or migrates tables of an older version. `fill` adds the first teams. Several processes may start at once. */
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
  if (!(await isPrepared(database, tables))) await createFirstTable(database, tables)
  await database.withConnection(async (connection) => {
    const [row] = await connection.query(
      sql`BEGIN; SELECT tables_version, tables_oldest, epoch FROM ${tables.sandbox} FOR UPDATE`,
      longQueryTimeout,
    )
    const [version, oldest] = [Number(row?.tables_version), Number(row?.tables_oldest)]
    if (oldest > newest)
      throw new CannotStart(
        `The tables of the database are of a newer crm-sandbox (version ${version}, and this one knows ${newest}); start that one, or name another schema with ?schema=.`,
      )
    for (const { to, oldest, statements, move } of migrations) {
      if (to <= version) continue
      await connection.query(statements(tables), longQueryTimeout)
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

/** An existing sandbox needs no right to create tables. */
async function isPrepared(database: Database, { sandbox }: Tables): Promise<boolean> {
  try {
    return (await database.query(sql`SELECT 1 FROM ${sandbox}`)).length > 0
  } catch (error) {
    if (error instanceof Refused && isMissing(error)) return false
    throw error
  }
}

/** A table or a schema. */
const isMissing = ({ code }: Refused) => code === '42P01' || code === '3F000'

/** Processes that start at once may create the same table, which PostgreSQL refuses in one of several ways. */
async function createFirstTable(database: Database, tables: Tables): Promise<void> {
  for (let tries = 20; ; tries--) {
    try {
      await database.query(firstTable(tables))
      return
    } catch (error) {
      if (!(error instanceof Refused) || tries === 0) throw error
      if (error.code === '3F000')
        await database.query(sql`CREATE SCHEMA IF NOT EXISTS ${tables.schema}`).catch(ifRefused)
      else if (!isConflict(error) && !['23505', '42P07', 'XX000'].includes(error.code)) throw error
      await setTimeout(Math.random() * 50)
    }
  }
}

function ifRefused(error: unknown): void {
  if (!(error instanceof Refused) || !['23505', '42P06', 'XX000'].includes(error.code)) throw error
}
