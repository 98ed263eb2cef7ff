import { CannotStart } from '../../../lib/user-error.ts'
import { newGeneration } from '../port.ts'
import { commit, type Connection, type Database, type Row } from './database.ts'
import { quoteName, Sql, sql } from './sql.ts'

/** Where a row belongs to no team, its team is empty. */
export type Tables = ReturnType<typeof tablesIn>

export function tablesIn(schema: string) {
  const table = (name: string) => new Sql(`${quoteName(schema)}.${name}`)
  return {
    schema: new Sql(quoteName(schema)),
    /** One row: the version of the tables, the generation, and the version of settings and teams. */
    sandbox: table('sandbox'),
    /** Of each team, and for all teams, with the version of the latest change. A team that was removed has none. */
    settings: table('settings'),
    tallies: table('tallies'),
    teams: table('teams'),
    /** By place in the order of creation. `keys` lists the keys of the entries. */
    records: table('records'),
    /** The places of the records that have a value of an index. */
    entries: table('entries'),
    counts: table('counts'),
    /** Record sets that no team has any more, with rows that are still to be removed. */
    unused: table('unused_record_sets'),
    /** The last commit of each process in each team. */
    writers: table('writers'),
    /** Hashes of API keys. */
    apiKeys: table('api_keys'),
    /** Worlds in parts: snapshots, and the first records of teams. */
    parts: table('parts'),
    counters: table('counters'),
    /** The servers that run, with the time of their latest announcement. */
    servers: table('servers'),
    /** Queries of servers to the others, with an empty `server`, and the answers. */
    remoteQueries: table('remote_queries'),
  }
}

/**
 * A program reads tables of a later version if `tables_oldest` is not above its own version. A program that changes tables
 * raises it first, in a separate transaction, and then waits as long as a transaction may take: by then no older program serves.
 */
export const tablesVersion = 1

// Text is compared by its bytes, so that an index outlives a change of the system's locale.
// `entries` instead of an index on an expression for each index: for 50,000 contacts with 3 values each it takes 20 MB, and those
// 8 MB, but each rule for a value of an index, such as that for a telephone number, would be in SQL a second time.
// All changes of settings lock the row of `sandbox` for a moment, since a server observes them by one version that grows.
const creationOf = (tables: Tables) => [
  sql`CREATE TABLE ${tables.sandbox} (tables_version int NOT NULL, tables_oldest int NOT NULL, epoch bigint NOT NULL, token_secret text NOT NULL, version bigint NOT NULL)`,
  sql`CREATE TABLE ${tables.settings} (team text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, data text)`,
  sql`CREATE INDEX settings_version ON ${tables.settings} (version)`,
  sql`CREATE TABLE ${tables.tallies} (team text COLLATE "C", name text COLLATE "C", count bigint NOT NULL, PRIMARY KEY (team, name)) WITH (fillfactor = 50)`,
  sql`CREATE TABLE ${tables.teams} (id text COLLATE "C" PRIMARY KEY, place bigint NOT NULL, data text NOT NULL, cache_tag text NOT NULL, record_set bigint NOT NULL, version bigint NOT NULL, writer text NOT NULL, due_at bigint, leased_until bigint) WITH (fillfactor = 50)`,
  sql`CREATE INDEX teams_due_at ON ${tables.teams} (due_at) WHERE due_at IS NOT NULL`,
  sql`CREATE TABLE ${tables.records} (team text COLLATE "C", record_set bigint, seq bigint, kind text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, data text NOT NULL, keys text NOT NULL, PRIMARY KEY (team, record_set, seq))`,
  sql`CREATE UNIQUE INDEX records_id ON ${tables.records} (team, record_set, kind, id)`,
  sql`CREATE INDEX records_kind ON ${tables.records} (team, record_set, kind, seq)`,
  sql`CREATE TABLE ${tables.entries} (team text COLLATE "C", record_set bigint, key bigint, seq bigint, PRIMARY KEY (team, record_set, key, seq))`,
  sql`CREATE TABLE ${tables.counts} (team text COLLATE "C", record_set bigint, key bigint, count bigint NOT NULL, PRIMARY KEY (team, record_set, key)) WITH (fillfactor = 70)`,
  sql`CREATE TABLE ${tables.unused} (team text COLLATE "C", record_set bigint, PRIMARY KEY (team, record_set))`,
  sql`CREATE TABLE ${tables.writers} (team text COLLATE "C", writer text, mark bigint NOT NULL, at bigint NOT NULL, PRIMARY KEY (team, writer)) WITH (fillfactor = 50)`,
  sql`CREATE TABLE ${tables.apiKeys} (team text COLLATE "C", key text, PRIMARY KEY (team, key))`,
  sql`CREATE INDEX api_keys_key ON ${tables.apiKeys} (key)`,
  sql`CREATE TABLE ${tables.parts} (team text COLLATE "C", name text, part int, data text NOT NULL, PRIMARY KEY (team, name, part))`,
  sql`CREATE TABLE ${tables.counters} (name text PRIMARY KEY, times bigint NOT NULL, until bigint NOT NULL)`,
  sql`CREATE TABLE ${tables.servers} (id text COLLATE "C" PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL)`,
  sql`CREATE TABLE ${tables.remoteQueries} (id text COLLATE "C", server text COLLATE "C", at timestamptz NOT NULL, data text NOT NULL, PRIMARY KEY (id, server))`,
]

const oneDay = 24 * 60 * 60 * 1000

/** Creates missing tables; `fill` then adds the first teams. Several processes may start at once. */
export async function prepare(
  database: Database,
  tables: Tables,
  fill: (connection: Connection) => Promise<void>,
): Promise<void> {
  const { schema, sandbox, settings, writers } = tables
  const start = async (connection: Connection) => {
    const [encoding] = await connection.query(sql`SHOW server_encoding`)
    if (encoding?.server_encoding !== 'UTF8')
      throw new CannotStart(
        `The database has the encoding ${String(encoding?.server_encoding)}; create one with the encoding UTF8, such as with createdb -E UTF8 -T template0.`,
      )
    // A process that starts waits here until another has created the tables and filled them.
    await connection.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${schema.text}, 0))`)
    const [found] = await connection.query(
      sql`SELECT to_regnamespace(${schema.text}) AS schema, to_regclass(${sandbox.text}) AS sandbox`,
    )
    if (found?.sandbox === null) {
      // An existing schema or sandbox needs no right to create one.
      if (found.schema === null) await connection.query(sql`CREATE SCHEMA ${schema}`)
      const { epoch, tokenSecret } = newGeneration(1)
      await connection.query(
        ...creationOf(tables),
        sql`INSERT INTO ${sandbox} VALUES (${tablesVersion}, ${tablesVersion}, ${epoch}, ${tokenSecret}, 1)`,
        sql`INSERT INTO ${settings} VALUES ('', 1, '{}')`,
      )
      await fill(connection)
    } else throwIfNewer((await connection.query(sql`SELECT tables_version, tables_oldest FROM ${sandbox}`))[0])
    // Rows of processes that have ended.
    await connection.query(sql`DELETE FROM ${writers} WHERE at < ${Date.now() - oneDay}`, commit)
  }
  await database.transaction(start, { isLong: true })
}

function throwIfNewer(row: Row | undefined): void {
  if (Number(row?.tables_oldest) <= tablesVersion) return
  throw new CannotStart(
    `The tables of the database are of a newer crm-sandbox (version ${Number(row?.tables_version)}, and this one knows ${tablesVersion}); start that one, or name another schema with ?schema=.`,
  )
}
