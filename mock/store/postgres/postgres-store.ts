import type { Kind, Kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../../fixtures/world.ts'
import { type Awaitable, oneAtATime } from '../../../lib/async.ts'
import type { Snapshots } from '../snapshots.ts'
import {
  clockTolerance,
  type Count,
  type Generation,
  type InitialWorld,
  Lease,
  loadInitial,
  newGeneration,
  NoSuchTeam,
  type Observed,
  type ObservedSettings,
  type Page,
  type Part,
  type Polled,
  type Reader,
  type ReadTeam,
  type SharedState,
  type Store,
  StoreOutdated,
  type StoreTransaction,
  type TallyName,
} from '../port.ts'
import { commit, type Connection, type Database, inSnapshot, type Row } from './database.ts'
import { PostgresRemoteQueries } from './remote-queries.ts'
import { prepare, type Tables, tablesIn, tablesVersion } from './schema.ts'
import { hashOf, idOf, rowsOf, type Sql, sql, storedId } from './sql.ts'
import { onFileIn, Transactions } from './transactions.ts'
import {
  announcementOf,
  NewRecords,
  partsOf,
  PostgresSnapshots,
  lockSnapshot,
  putInitialRecordsOf,
  readParts,
  readWorld,
  removalOfParts,
  removeUnused,
  renewStatistics,
  type SavedTeam,
  storedParts,
  writeTeams,
} from './worlds.ts'

const scannedAtOnce = 1_000
/** Unless one record has more. */
const bytesScannedAtOnce = 1024 * 1024
/** More than there are processes, so that each finds a team that no other claims. */
const triedAtOnce = 20

/** A text that JSON has without escapes. */
const mayContainText = /^[ !#-[\]-~]+$/

/** A record with letters beyond ASCII is searched here, without its accents. */
const containing = (text: string) =>
  sql`strpos(lower(data COLLATE "C"), ${text}) > 0 OR octet_length(data) > char_length(data)`

const recordIn = ({ data }: Row) => JSON.parse(String(data)) as never

interface TeamChange {
  /** The change is refused with the error when the select returns a row. */
  readonly refusal?: { readonly select: Sql; readonly error: () => Error }
  /** Returns the statements of its last round trip. */
  readonly work: (connection: Connection) => Promise<readonly Sql[]>
}

/** Keeps everything in PostgreSQL. */
export class PostgresStore implements Store {
  readonly snapshots: Snapshots
  readonly shared: SharedState
  readonly #database: Database
  readonly #tables: Tables
  readonly #transactions: Transactions
  /** One after the other, since each would wait for the locks of the others. */
  readonly #removals = oneAtATime()
  readonly #teamOfKey = new Map<string, string>()
  /** Grows when the cache drops a key, so that no select that began before fills it again. */
  #age = 0
  #generation: Generation | undefined

  private constructor(database: Database, tables: Tables, perTeam?: number) {
    this.#database = database
    this.#tables = tables
    this.#transactions = new Transactions(database, tables, perTeam)
    this.snapshots = new PostgresSnapshots(database, tables)
    this.shared = {
      observe: (known) => this.#observe(known),
      poll: () => this.#poll(),
      change: (teamId, work) => this.#change(teamId, work),
      tallies: {
        add: (tallies, most) => this.#addTallies(tallies, most),
        all: () => this.#allTallies(),
        remove: (tallies) => this.#removeTallies(tallies),
      },
      remoteQueries: new PostgresRemoteQueries(database, tables),
      abandon: () => database.abandon(),
      revision: (teamId) => this.#revision(teamId),
    }
  }

  /** Creates missing tables. A new sandbox starts as the world. */
  static async open(database: Database, schema: string, world: InitialWorld, perTeam?: number): Promise<PostgresStore> {
    const tables = tablesIn(schema)
    await prepare(database, tables, async (connection) => {
      const { teams } = await loadInitial(world)
      const added = await writeTeams(partsOf(teams), [], connection, tables)
      await connection.query(...added, ...announcementOf(undefined, tables))
    })
    const store = new PostgresStore(database, tables, perTeam)
    store.#removeUnused()
    return store
  }

  read<Result>(teamId: string, work: (team: ReadTeam) => Awaitable<Result>, reader?: Reader): Promise<Result> {
    return this.#transactions.read(teamId, work, reader)
  }

  transaction<Result>(
    teamId: string,
    work: (team: StoreTransaction) => Awaitable<Result>,
    reader?: Reader,
  ): Promise<Result> {
    return this.#transactions.transaction(teamId, work, reader)
  }

  async teamOfKey(apiKey: string): Promise<string | undefined> {
    const known = this.#teamOfKey.get(apiKey)
    if (known !== undefined) return known
    const age = this.#age
    const { apiKeys, teams } = this.#tables
    const [row] = await this.#transactions.select(
      sql`SELECT t.data FROM ${apiKeys} k JOIN ${teams} t ON t.id = k.team WHERE k.key = ${hashOf(apiKey)}`,
    )
    const onFile = row && onFileIn(row)
    if (onFile && age === this.#age) this.#teamOfKey.set(apiKey, onFile._id)
    return onFile?._id
  }

  async team(teamId: string): Promise<TeamOnFile | undefined> {
    return (await this.#transactions.find(teamId))?.onFile
  }

  async teams(): Promise<readonly TeamOnFile[]> {
    const rows = await this.#transactions.select(sql`SELECT data FROM ${this.#tables.teams} ORDER BY place`)
    return rows.map(onFileIn)
  }

  async addTeam(team: TeamInWorld): Promise<void> {
    const { teams, apiKeys } = this.#tables
    const isTaken = sql`SELECT FROM ${teams} WHERE id = ${storedId(team._id)} UNION ALL SELECT FROM ${apiKeys} WHERE key = ANY (${team.apiKeys.map(hashOf)})`
    await this.#changeTeams(team._id, {
      refusal: { select: isTaken, error: () => new Error(`The id or a key of team ${team._id} is another team's`) },
      work: (connection) => writeTeams(partsOf([team]), [team], connection, this.#tables),
    })
  }

  async initialRecords(teamId: string): Promise<TeamInWorld | undefined> {
    const stored = await inSnapshot(this.#database, (connection) =>
      readParts(storedId(teamId), 'origin', connection, this.#tables),
    )
    return stored?.world.teams[0]
  }

  async removeTeam(teamId: string): Promise<void> {
    const { teams, writers, apiKeys } = this.#tables
    const id = storedId(teamId)
    await this.#retireRecordSet(teamId, async (connection) => {
      // Waits here for a reset that writes to this table, not in the last step, for which the reset waits.
      await connection.query(...removalOfParts(sql`team = ${id}`, this.#tables))
      return [
        sql`DELETE FROM ${teams} WHERE id = ${id}`,
        ...[writers, apiKeys].map((table) => sql`DELETE FROM ${table} WHERE team = ${id}`),
      ]
    })
    this.#transactions.cancel(teamId)
  }

  async restoreTeam(teamId: string, records: TeamInWorld): Promise<void> {
    const { teams } = this.#tables
    const id = storedId(teamId)
    await this.#retireRecordSet(teamId, async (connection) => {
      const written = new NewRecords(id, connection, this.#tables)
      for (const part of partsOf([records])) if ('kind' in part) await written.add(part)
      await written.end()
      await renewStatistics(written.size, connection, this.#tables)
      const [cacheTag, recordSet, version, dueAt] = written.columns
      return [
        sql`UPDATE ${teams} SET cache_tag = ${cacheTag}, record_set = ${recordSet}, version = ${version}, due_at = ${dueAt}, leased_until = NULL WHERE id = ${id}`,
      ]
    })
  }

  async teamInWorld(teamId: string, reader?: Reader): Promise<TeamInWorld> {
    const { teams } = await inSnapshot(
      this.#database,
      (connection) => readWorld(connection, this.#tables, storedId(teamId)),
      reader,
    )
    if (!teams[0]) throw new NoSuchTeam(teamId)
    return teams[0]
  }

  async page<K extends Kind>(
    teamId: string,
    kind: K,
    { skip, take }: Omit<Part, 'order'>,
    reader?: Reader,
  ): Promise<Page<Kinds[K]>> {
    const from = await this.#recordsOf(teamId)
    const [row] = await this.#transactions.select(sql`SELECT count(*) AS total ${from} AND kind = ${kind}`)
    const total = Number(row?.total)
    const after = Math.max(0, total - skip - take)
    const [order, offset] = after < skip ? [sql`DESC`, after] : [sql`ASC`, skip]
    // Skips in the index only, from the nearer end, and without a join: with statistics older than a large team, PostgreSQL
    // plans a join that takes minutes.
    const places = sql`SELECT seq ${from} AND kind = ${kind} ORDER BY seq ${order} LIMIT ${Math.max(0, Math.min(take, total - skip))} OFFSET ${offset}`
    const found = await this.#transactions.selecting(reader?.hold)(
      sql`SELECT data ${from} AND seq = ANY (ARRAY (${places})) ORDER BY seq`,
    )
    return { total, records: found.map(recordIn) }
  }

  async *scan<K extends Kind>(
    teamId: string,
    kind: K,
    text = '',
    reader: Reader = {},
  ): AsyncIterable<readonly Kinds[K][]> {
    const from = await this.#recordsOf(teamId)
    const mayContain = mayContainText.test(text) ? sql` AND (${containing(text)})` : sql``
    for (let last = 0; ;) {
      const some = sql`SELECT seq, data, sum(octet_length(data)) OVER (ORDER BY seq) AS up_to ${from} AND kind = ${kind}${mayContain} AND seq > ${last} ORDER BY seq LIMIT ${scannedAtOnce}`
      const lease = new Lease(reader)
      const rows = await this.#transactions.selecting(lease.hold)(
        sql`SELECT * FROM (${some}) s WHERE up_to - octet_length(data) < ${bytesScannedAtOnce} ORDER BY seq`,
      )
      yield rows.map(recordIn)
      lease.end()
      const { seq, up_to: bytes } = rows.at(-1) ?? {}
      if (rows.length < scannedAtOnce && !(Number(bytes) >= bytesScannedAtOnce)) return
      last = Number(seq)
    }
  }

  /** The record set of a team at that moment. */
  async #recordsOf(teamId: string) {
    if (!(await this.#transactions.find(teamId))) throw new NoSuchTeam(teamId)
    const { records, teams } = this.#tables
    const team = storedId(teamId)
    return sql`FROM ${records} WHERE team = ${team} AND record_set = (SELECT record_set FROM ${teams} WHERE id = ${team})`
  }

  replaceAll({ teams }: World, initialRecords: readonly TeamInWorld[] = []): Promise<void> {
    return this.#replaceAll(async (connection) => {
      await connection.query(...removalOfParts(sql`team <> ''`, this.#tables))
      return writeTeams(partsOf(teams), initialRecords, connection, this.#tables)
    })
  }

  restoreSnapshot(name: string, addedOf: (teams: readonly TeamOnFile[]) => Promise<readonly string[]>): Promise<void> {
    return this.#replaceAll(async (connection) => {
      const saved = await lockSnapshot(name, connection, this.#tables)
      const added = await addedOf(saved.map(({ onFile }) => onFile))
      const isAdded = ({ onFile }: SavedTeam) => added.includes(onFile._id)
      const kept = saved.filter((team) => !isAdded(team)).map(({ onFile }) => storedId(onFile._id))
      await connection.query(...removalOfParts(sql`team <> ALL (${['', ...kept]})`, this.#tables))
      for (const team of saved.filter(isAdded)) await putInitialRecordsOf(team, name, connection, this.#tables)
      return writeTeams(storedParts('', name, connection, this.#tables), [], connection, this.#tables)
    })
  }

  async #replaceAll(write: (connection: Connection) => Promise<readonly Sql[]>): Promise<void> {
    const { sandbox, teams, writers, apiKeys, counters, tallies } = this.#tables
    await this.#retireRecordSet(undefined, async (connection) => {
      // The lock on this row makes one reset wait for another.
      await connection.query(
        sql`INSERT INTO ${tallies} AS c (team, name, count) VALUES ('', 'reset', 1) ON CONFLICT (team, name) DO UPDATE SET count = c.count + 1`,
      )
      const added = await write(connection)
      const { tokenSecret } = newGeneration(0)
      return [
        sql`UPDATE ${sandbox} SET epoch = epoch + 1, token_secret = ${tokenSecret}`,
        ...[counters, teams, writers, apiKeys].map((table) => sql`DELETE FROM ${table}`),
        ...added,
      ]
    })
    this.#transactions.cancel()
  }

  world(reader?: Reader): Promise<World> {
    return inSnapshot(this.#database, (connection) => readWorld(connection, this.#tables), reader)
  }

  async size() {
    const { teams, records } = this.#tables
    // Also reads a record, since it says whether the data can be read.
    const [row] = await this.#transactions.select(
      sql`SELECT count(*) AS teams, pg_stat_get_live_tuples(${records.text}::regclass) AS records, (SELECT seq FROM ${records} LIMIT 1) AS one FROM ${teams}`,
    )
    return { teams: Number(row?.teams), records: Number(row?.records) }
  }

  work() {
    return { ...this.#database.work(), ...this.#transactions.work }
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  async generation(): Promise<Generation> {
    if (this.#generation) return this.#generation
    const age = this.#age
    const [row] = await this.#transactions.select(sql`SELECT epoch, token_secret FROM ${this.#tables.sandbox}`)
    const generation = generationIn(row)
    if (age === this.#age) this.#generation = generation
    return generation
  }

  async count(name: string, now: number, until: number): Promise<Count> {
    const isRunning = sql`(${now} < c.until AND c.until <= ${until + clockTolerance})`
    const [row] = await this.#database.query(
      sql`INSERT INTO ${this.#tables.counters} AS c (name, times, until) VALUES (${storedId(name)}, 1, ${until}) ON CONFLICT (name) DO UPDATE SET times = CASE WHEN ${isRunning} THEN c.times + 1 ELSE 1 END, until = CASE WHEN ${isRunning} THEN c.until ELSE ${until} END RETURNING times, until`,
    )
    return { times: Number(row?.times), until: Number(row?.until) }
  }

  async claimDue(now: number, leasedAt: number, leaseUntil: number): Promise<string | undefined> {
    const { teams } = this.#tables
    const isDue = sql`due_at <= ${now} AND (leased_until IS NULL OR leased_until <= ${leasedAt})`
    const due = await this.#transactions.select(
      sql`SELECT id FROM ${teams} WHERE ${isDue} ORDER BY due_at, place LIMIT ${triedAtOnce}`,
    )
    for (const { id } of due) {
      // Other processes skip the row, so that each claims another team.
      const [row] = await this.#database.query(
        sql`UPDATE ${teams} SET leased_until = ${leaseUntil} WHERE id = (SELECT id FROM ${teams} WHERE id = ${String(id)} AND ${isDue} FOR UPDATE SKIP LOCKED) RETURNING data`,
      )
      if (row) return onFileIn(row)._id
    }
    return undefined
  }

  async nextDue(): Promise<number | undefined> {
    const [row] = await this.#transactions.select(sql`SELECT min(due_at) AS due_at FROM ${this.#tables.teams}`)
    return dueIn(row)
  }

  /**
   * Changes a team, or all teams, in one transaction, and lets all processes observe that. `work` may take long, since others
   * wait only for the last round trips, which lock the version.
   */
  async #changeTeams(teamId: string | undefined, { refusal, work }: TeamChange): Promise<void> {
    const announced = announcementOf(teamId === undefined ? undefined : storedId(teamId), this.#tables)
    const change = async (connection: Connection) => {
      const last = await work(connection)
      const version = sql`UPDATE ${this.#tables.sandbox} SET version = version + 1`
      const refused = await connection.query(version, ...(refusal ? [refusal.select] : []))
      if (refusal && refused.length > 0) throw refusal.error()
      await connection.query(...last, ...announced, commit)
    }
    try {
      await this.#database.transaction(change, { isLong: true })
    } finally {
      this.#forget(teamId)
    }
  }

  /** Like `#changeTeams`, and retires the record set of the team, which must exist, or of all teams. */
  async #retireRecordSet(teamId: string | undefined, work: TeamChange['work']): Promise<void> {
    const { unused, teams } = this.#tables
    const isMeant = teamId === undefined ? sql`true` : sql`id = ${storedId(teamId)}`
    const retires = sql`INSERT INTO ${unused} (team, record_set) SELECT id, record_set FROM ${teams} WHERE ${isMeant}`
    await this.#changeTeams(teamId, {
      ...(teamId !== undefined && {
        refusal: {
          select: sql`SELECT WHERE NOT EXISTS (SELECT FROM ${teams} WHERE ${isMeant})`,
          error: () => new NoSuchTeam(teamId),
        },
      }),
      work: async (connection) => [retires, ...(await work(connection))],
    })
    this.#removeUnused()
  }

  #removeUnused(): void {
    void this.#removals(() => removeUnused(this.#database, this.#tables))
  }

  async #revision(teamId: string | undefined): Promise<string> {
    const ofTeam = teamId === undefined ? sql`` : sql` WHERE id = ${storedId(teamId)}`
    const [row] = await this.#transactions.select(
      sql`SELECT sum(version) AS versions, sum(record_set) AS sets FROM ${this.#tables.teams}${ofTeam}`,
    )
    return JSON.stringify(row)
  }

  #observe(known?: number): Promise<Observed | undefined> {
    return this.#transactions.outcomes.of(this.#observed(known), false)
  }

  async #observed(known = 0): Promise<Observed | undefined> {
    const { sandbox, settings, teams, remoteQueries } = this.#tables
    const rows = await this.#transactions.select(
      sql`SELECT b.version, b.tables_oldest, b.epoch, b.token_secret, (SELECT count(*) FROM ${remoteQueries} q WHERE q.server = '') AS queries, s.team, s.data, t.data AS on_file FROM ${sandbox} b LEFT JOIN ${settings} s ON s.version > ${known} LEFT JOIN ${teams} t ON t.id = s.team WHERE b.version <> ${known} OR b.tables_oldest > ${tablesVersion}`,
    )
    const [first] = rows
    if (!first) return undefined
    throwIfOutdated(first)
    const generation = generationIn(first)
    if (generation.epoch !== this.#generation?.epoch) this.#forget()
    this.#generation = generation
    const changed = rows.filter(({ team }) => team !== null).map(settingsIn)
    for (const { teamId } of changed) if (teamId !== undefined) this.#forget(teamId)
    return { version: Number(first.version), changed, hasRemoteQueries: Number(first.queries) > 0 }
  }

  async #poll(): Promise<Polled> {
    const { sandbox, teams } = this.#tables
    const [row] = await this.#transactions.select(
      sql`SELECT version, tables_oldest, pg_current_snapshot()::text AS commits, (SELECT min(due_at) FROM ${teams}) AS due_at FROM ${sandbox}`,
    )
    throwIfOutdated(row)
    return { version: Number(row?.version), nextDue: dueIn(row), commits: String(row?.commits) }
  }

  async #change(teamId: string | undefined, work: (settings: object) => object): Promise<void> {
    const { sandbox, settings } = this.#tables
    const team = teamId === undefined ? '' : storedId(teamId)
    for (;;) {
      const [before] = await this.#transactions.select(
        sql`SELECT version, data FROM ${settings} WHERE team = ${team} AND data IS NOT NULL`,
      )
      if (!before) throw new NoSuchTeam(teamId ?? '')
      const data = JSON.stringify(work(JSON.parse(String(before.data)) as object))
      // The first statement makes the versions grow in the order of the commits.
      const [after] = await this.#database.query(
        sql`UPDATE ${sandbox} SET version = version + 1`,
        sql`UPDATE ${settings} SET version = (SELECT version FROM ${sandbox}), data = ${data} WHERE team = ${team} AND version = ${Number(before.version)} RETURNING version`,
      )
      if (after) return
    }
  }

  async #addTallies(tallies: readonly TallyName[], most = Infinity): Promise<(number | undefined)[]> {
    const rows = tallies.map(({ team, name }) => [storedId(team ?? ''), name])
    const isBelow = most === Infinity ? sql`` : sql` WHERE c.count < ${most}`
    const found = await this.#database.query(
      sql`INSERT INTO ${this.#tables.tallies} AS c (team, name, count) SELECT v.*, 1 FROM ${rowsOf(['text', 'text'], rows)} v ON CONFLICT (team, name) DO UPDATE SET count = c.count + 1${isBelow} RETURNING name, count`,
    )
    const counts = new Map(found.map(({ name, count }) => [name, Number(count)]))
    return tallies.map(({ name }) => counts.get(name))
  }

  async #allTallies(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#transactions.select(sql`SELECT name, count FROM ${this.#tables.tallies}`)
    return new Map(rows.map(({ name, count }) => [String(name), Number(count)]))
  }

  async #removeTallies(tallies: readonly TallyName[]): Promise<void> {
    const rows = rowsOf(
      ['text', 'text'],
      tallies.map(({ team, name }) => [storedId(team ?? ''), name]),
    )
    await this.#database.query(sql`DELETE FROM ${this.#tables.tallies} WHERE (team, name) IN (SELECT * FROM ${rows})`)
  }

  /** Drops a team from the caches, or everything. */
  #forget(teamId?: string): void {
    this.#age++
    this.#transactions.forget(teamId)
    for (const [key, team] of this.#teamOfKey) if (team === (teamId ?? team)) this.#teamOfKey.delete(key)
    if (teamId === undefined) this.#generation = undefined
  }
}

function throwIfOutdated(row: Row | undefined): void {
  if (Number(row?.tables_oldest) > tablesVersion)
    throw new StoreOutdated(
      'A newer crm-sandbox has changed the tables of the database; stop this server, and start that version',
    )
}

const dueIn = (row: Row | undefined) =>
  row?.due_at === null || row?.due_at === undefined ? undefined : Number(row.due_at)

const generationIn = (row: Row | undefined): Generation => ({
  epoch: Number(row?.epoch),
  tokenSecret: String(row?.token_secret),
})

function settingsIn({ team, data, on_file }: Row): ObservedSettings {
  const onFile = on_file === null ? undefined : onFileIn({ data: on_file })
  return {
    teamId: team === '' ? undefined : (onFile?._id ?? idOf(String(team))),
    settings: typeof data === 'string' ? (JSON.parse(data) as object) : undefined,
    apiKeys: onFile?.apiKeys ?? [],
  }
}
