import { type Sql, quoteName, sql, Sql as Text } from './sql.ts'

/**
 * The tables. Each primary key starts with the team, so that a database can distribute them by team; what belongs to no
 * team has an empty one.
 */
export interface Tables {
  readonly schema: Sql
  /** One row: the version of the tables, the generation, and what all processes share. */
  readonly sandbox: Sql
  readonly teams: Sql
  /** By place in the order of creation. `keys` are those of the entries. */
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
  const table = (name: string) => new Text(`${quoteName(schema)}.${name}`)
  return {
    schema: new Text(quoteName(schema)),
    sandbox: table('sandbox'),
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
  /** The oldest version of this program's tables that works with the result: a new table disturbs nobody. */
  readonly oldest: number
  readonly statements: (tables: Tables) => Sql
}

/** Every start runs this; the row of an existing sandbox stays. */
export const firstTable = ({ sandbox }: Tables) => sql`
CREATE TABLE IF NOT EXISTS ${sandbox} (
  team text NOT NULL PRIMARY KEY, tables_version int NOT NULL, tables_oldest int NOT NULL, epoch bigint NOT NULL,
  token_secret text NOT NULL, version bigint NOT NULL, settings text NOT NULL
);
INSERT INTO ${sandbox} VALUES ('', 0, 0, 0, '', 1, '{}') ON CONFLICT (team) DO NOTHING`

export const migrations: readonly Migration[] = [{ to: 1, oldest: 1, statements: firstVersion }]

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
