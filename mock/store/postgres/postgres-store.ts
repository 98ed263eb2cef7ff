import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../../fixtures/world.ts'
import type { KeptWorlds } from '../kept-worlds.ts'
import {
  clockTolerance,
  type Count,
  type Generation,
  newGeneration,
  NoSuchTeam,
  type ReadTeam,
  type SharedState,
  type Store,
  type StoreTransaction,
  StoreUnreachable,
  type Versioned,
} from '../port.ts'
import { sizeOf } from '../teams.ts'
import { Attempt, Changed, type HeldTeam } from './attempt.ts'
import { commitOf, inOrder } from './commit.ts'
import { AnswerLost, type Connection, type Database, isConflict, Refused, type Row } from './database.ts'
import { tablesIn, type Tables } from './schema.ts'
import { prepare } from './prepare.ts'
import { hashOf, type Sql, sql, storedId } from './sql.ts'
import { type Turn, Turns } from './turns.ts'
import {
  addRecords,
  addTeams,
  newBirth,
  patient,
  PostgresSnapshots,
  readOnly,
  readParts,
  readWorld,
  removalOf,
} from './worlds.ts'

/** After these many, the next attempt locks the team first, or reads all from one snapshot of the database. */
const attemptsWithoutLock = 3
/** How long a commit is tried again whose answer was lost. */
const longestDoubt = 2_500

/** Everything of a generation that a process may hold in memory, until the version of the shared state changes. */
class Held {
  readonly teams = new Map<string, HeldTeam>()
  readonly teamOfKey = new Map<string, string>()
  generation: Generation | undefined
}

/**
 * Keeps everything in PostgreSQL. A transaction reads without a lock; its commit, one round trip, locks the row of the team
 * and checks that no other commit came in between.
 */
export class PostgresStore implements Store {
  readonly snapshots: KeptWorlds
  readonly shared: SharedState
  readonly #database: Database
  readonly #tables: Tables
  readonly #turns = new Turns()
  /** Names this process to the database. */
  readonly #writer = randomBytes(8).toString('hex')
  #marks = 0
  #held = new Held()
  #version: number | undefined

  private constructor(database: Database, tables: Tables) {
    this.#database = database
    this.#tables = tables
    this.snapshots = new PostgresSnapshots(database, tables)
    this.shared = { observe: (known) => this.#observe(known), change: (work) => this.#change(work) }
  }

  /** Creates or migrates the tables. A new sandbox starts as the world. */
  static async open(database: Database, schema: string, world: World): Promise<PostgresStore> {
    const tables = tablesIn(schema)
    await prepare(database, tables, async (connection) => {
      await addTeams(world.teams, [], connection, tables)
    })
    return new PostgresStore(database, tables)
  }

  read<Result>(teamId: string, work: (team: ReadTeam) => Promise<Result>): Promise<Result> {
    return this.#attempts(teamId, async (team, isPatient) => {
      if (!isPatient) return this.#run(new Attempt(team, this.#tables, (select) => this.#read(select), false), work)
      return this.#database.hold(async (connection) => {
        await connection.query(readOnly)
        const result = await this.#run(
          new Attempt(team, this.#tables, (select) => connection.query(select), false),
          work,
        )
        await connection.query(sql`COMMIT`)
        return result
      })
    })
  }

  transaction<Result>(teamId: string, work: (team: StoreTransaction) => Promise<Result>): Promise<Result> {
    return this.#turns.take(teamId, (turn) =>
      this.#attempts(teamId, async (team, isPatient) => {
        const run = async (attempt: Attempt) => {
          checkTeam(turn, teamId)
          const result = await this.#run(attempt, work)
          checkTeam(turn, teamId)
          return result
        }
        if (isPatient) return this.#lockFirst(team, run)
        const attempt = new Attempt(team, this.#tables, (select) => this.#read(select), true)
        const result = await run(attempt)
        if (attempt.hasChanges) await this.#commit(attempt)
        return result
      }),
    )
  }

  async teamOfKey(apiKey: string): Promise<string | undefined> {
    const held = this.#held
    const known = held.teamOfKey.get(apiKey)
    if (known !== undefined) return known
    const { apiKeys, teams } = this.#tables
    const [row] = await this.#read(
      sql`SELECT t.data FROM ${apiKeys} k JOIN ${teams} t ON t.id = k.team WHERE k.key = ${hashOf(apiKey)}`,
    )
    const onFile = row && onFileIn(row)
    if (onFile) held.teamOfKey.set(apiKey, onFile._id)
    return onFile?._id
  }

  async team(teamId: string): Promise<TeamOnFile | undefined> {
    return (await this.#find(teamId))?.onFile
  }

  async teams(): Promise<readonly TeamOnFile[]> {
    const rows = await this.#read(sql`SELECT data FROM ${this.#tables.teams} ORDER BY place`)
    return rows.map(onFileIn)
  }

  addTeam(team: TeamInWorld): Promise<void> {
    return this.#changeTeams(async (connection) => {
      const { teams, apiKeys } = this.#tables
      const [other] = await connection.query(sql`SELECT 1 FROM ${teams} WHERE id = ${storedId(team._id)}`)
      if (other) throw new Error(`There is a team ${team._id} already`)
      const keys = team.apiKeys.map(hashOf)
      const [taken] =
        keys.length === 0 ? [] : await connection.query(sql`SELECT 1 FROM ${apiKeys} WHERE key IN (${keys})`)
      if (taken) throw new Error(`An API key of team ${team._id} is another team's`)
      await addTeams([team], [team], connection, this.#tables)
    })
  }

  async origin(teamId: string): Promise<TeamInWorld | undefined> {
    const kept = await this.#snapshot((connection) => readParts(storedId(teamId), 'origin', connection, this.#tables))
    return kept?.world.teams[0]
  }

  async removeTeam(teamId: string): Promise<void> {
    const id = storedId(teamId)
    await this.#changeTeams(async (connection) => {
      const [removed] = await connection.query(sql`DELETE FROM ${this.#tables.teams} WHERE id = ${id} RETURNING id`)
      if (!removed) throw new NoSuchTeam(teamId)
      await connection.query(removalOf(id, this.#tables), patient)
    })
    this.#turns.endTeam(teamId)
  }

  async restoreTeam(teamId: string, records: TeamInWorld): Promise<void> {
    const { teams, records: all, entries, counts } = this.#tables
    const id = storedId(teamId)
    await this.#turns.take(teamId, () =>
      this.#changeTeams(async (connection) => {
        const size = sizeOf(records)
        const [found] = await connection.query(
          sql`UPDATE ${teams} SET born = ${newBirth()}, version = ${1 + size}, due_at = ${size > 0 ? 0 : null}, leased_until = NULL WHERE id = ${id} RETURNING id`,
        )
        if (!found) throw new NoSuchTeam(teamId)
        await connection.query(
          inOrder([all, entries, counts].map((table) => sql`DELETE FROM ${table} WHERE team = ${id}`)),
          patient,
        )
        await addRecords(id, records, connection, this.#tables)
      }),
    )
  }

  async teamInWorld(teamId: string): Promise<TeamInWorld> {
    const { teams } = await this.#snapshot((connection) => readWorld(connection, this.#tables, storedId(teamId)))
    if (!teams[0]) throw new NoSuchTeam(teamId)
    return teams[0]
  }

  async replaceAll(world: World, origins: readonly TeamInWorld[] = []): Promise<void> {
    const { sandbox, teams, counters } = this.#tables
    await this.#changeTeams(async (connection) => {
      const [row] = await connection.query(sql`SELECT epoch FROM ${sandbox}`)
      const { epoch, tokenSecret } = newGeneration(Number(row?.epoch) + 1)
      await connection.query(
        inOrder([
          sql`DELETE FROM ${teams}`,
          removalOf(undefined, this.#tables),
          sql`DELETE FROM ${counters}`,
          sql`UPDATE ${sandbox} SET epoch = ${epoch}, token_secret = ${tokenSecret}`,
        ]),
        patient,
      )
      await addTeams(world.teams, origins, connection, this.#tables)
    })
    this.#turns.endAll()
  }

  world(): Promise<World> {
    return this.#snapshot((connection) => readWorld(connection, this.#tables))
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  async generation(): Promise<Generation> {
    const held = this.#held
    if (held.generation) return held.generation
    const [row] = await this.#read(sql`SELECT epoch, token_secret FROM ${this.#tables.sandbox}`)
    return (held.generation = { epoch: Number(row?.epoch), tokenSecret: String(row?.token_secret) })
  }

  async count(name: string, now: number, until: number): Promise<Count> {
    const isRunning = sql`(${now} < c.until AND c.until <= ${until + clockTolerance})`
    const [row] = await this.#database.query(
      sql`INSERT INTO ${this.#tables.counters} AS c (team, name, times, until) VALUES ('', ${storedId(name)}, 1, ${until}) ON CONFLICT (team, name) DO UPDATE SET times = CASE WHEN ${isRunning} THEN c.times + 1 ELSE 1 END, until = CASE WHEN ${isRunning} THEN c.until ELSE ${until} END RETURNING times, until`,
    )
    return { times: Number(row?.times), until: Number(row?.until) }
  }

  async claimDue(now: number, leasedAt: number, leaseUntil: number): Promise<string | undefined> {
    const { teams } = this.#tables
    const [row] = await this.#database.query(
      sql`UPDATE ${teams} SET leased_until = ${leaseUntil} WHERE id = (SELECT id FROM ${teams} WHERE due_at <= ${now} AND (leased_until IS NULL OR leased_until <= ${leasedAt}) ORDER BY due_at, place LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING data`,
    )
    return row && onFileIn(row)._id
  }

  async nextDue(): Promise<number | undefined> {
    const [row] = await this.#read(sql`SELECT min(due_at) AS due_at FROM ${this.#tables.teams}`)
    return row?.due_at === null || row?.due_at === undefined ? undefined : Number(row.due_at)
  }

  /** Attempts until no other transaction comes in between. */
  async #attempts<Result>(
    teamId: string,
    attempt: (team: HeldTeam, isPatient: boolean) => Promise<Result>,
  ): Promise<Result> {
    for (let attempts = 0; ; attempts++) {
      const team = await this.#find(teamId)
      if (!team) throw new NoSuchTeam(teamId)
      try {
        return await attempt(team, attempts >= attemptsWithoutLock)
      } catch (error) {
        if (error instanceof NoSuchTeam) this.#held.teams.delete(teamId)
        if (!(error instanceof Changed) && !isConflict(error)) throw error
        this.#held.teams.delete(teamId)
        await setTimeout(Math.random() * 5 * 2 ** Math.min(attempts, 5))
      }
    }
  }

  /** An error counts only if all that the work has read was of one state. */
  async #run<Result>(attempt: Attempt, work: (team: StoreTransaction) => Promise<Result>): Promise<Result> {
    try {
      const result = await work(attempt.open)
      if (attempt.isChanged) throw new Changed()
      return result
    } catch (error) {
      throw attempt.isChanged ? new Changed() : error
    } finally {
      attempt.end()
    }
  }

  /** A select can be sent again on another connection, such as after a restart of the database. */
  async #read(select: Sql): Promise<readonly Row[]> {
    try {
      return await this.#database.query(select)
    } catch (error) {
      if (error instanceof AnswerLost) return this.#database.query(select)
      throw error
    }
  }

  /** An attempt that no other transaction can come between. */
  async #lockFirst<Result>(team: HeldTeam, run: (attempt: Attempt) => Promise<Result>): Promise<Result> {
    let done: { readonly attempt: Attempt; readonly result: Result } | undefined
    try {
      return await this.#database.hold(async (connection) => {
        const attempt = new Attempt(team, this.#tables, (select) => connection.query(select), true)
        const lock = sql`BEGIN; SELECT born, version FROM ${this.#tables.teams} WHERE id = ${attempt.id} FOR UPDATE`
        attempt.checkTeam((await connection.query(lock))[0])
        const result = await run(attempt)
        done = { attempt, result }
        await this.#sendCommit(attempt, connection, true)
        return result
      })
    } catch (error) {
      if (!done || !(error instanceof AnswerLost)) throw error
      await this.#commit(done.attempt, true)
      return done.result
    }
  }

  /** Commits in one round trip. When its answer is lost, sends it again: the team has another version if it happened. */
  async #commit(attempt: Attempt, isLost = false): Promise<void> {
    const until = performance.now() + longestDoubt
    for (;;) {
      try {
        await this.#sendCommit(attempt, this.#database, false)
        return
      } catch (error) {
        if (isLost && error instanceof Changed && (await this.#hasCommitted(attempt))) return
        if (error instanceof AnswerLost) isLost = true
        const mayTryAgain =
          isLost && error instanceof StoreUnreachable && (!(error instanceof Refused) || isConflict(error))
        if (!mayTryAgain) throw error
        if (performance.now() > until)
          throw new StoreUnreachable(`Whether a change was made is unknown: ${error.message}`, { cause: error })
        await setTimeout(50)
      }
    }
  }

  async #sendCommit(attempt: Attempt, connection: Connection, isOpen: boolean): Promise<void> {
    const { changes, id, team } = attempt
    const mark = ++this.#marks
    attempt.marks.push(mark)
    const commit = { team: id, born: team.born, version: await attempt.version(), writer: this.#writer, mark }
    const { statements, after } = commitOf(changes, commit, this.#tables)
    team.version = undefined
    try {
      await connection.query(isOpen ? inOrder([statements, sql`COMMIT`]) : statements)
      team.version = after
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (error.code === divisionByZero) throw new Changed()
      if (error.code === uniqueViolation) throw new Error('A record of this id exists already')
      throw error
    }
  }

  async #hasCommitted({ id, marks }: Attempt): Promise<boolean> {
    const [row] = await this.#read(
      sql`SELECT mark FROM ${this.#tables.writers} WHERE team = ${id} AND writer = ${this.#writer}`,
    )
    return marks.includes(Number(row?.mark))
  }

  /** Looks in memory first. */
  async #find(teamId: string): Promise<HeldTeam | undefined> {
    const { teams } = this.#held
    const known = teams.get(teamId)
    if (known) return known
    const { teams: table, records } = this.#tables
    const rows = await this.#read(
      sql`SELECT t.data, t.born, t.version, r.data AS provider FROM ${table} t LEFT JOIN ${records} r ON r.team = t.id AND r.kind = 'providers' WHERE t.id = ${storedId(teamId)} ORDER BY r.seq`,
    )
    const [row] = rows
    if (!row) return undefined
    const providers = rows.filter(({ provider }) => provider !== null)
    const found: HeldTeam = {
      onFile: onFileIn(row),
      born: String(row.born),
      providers: providers.map(({ provider }) => JSON.parse(String(provider)) as Kinds['providers']),
      version: Number(row.version),
    }
    teams.set(teamId, found)
    return found
  }

  /** Changes the teams in a transaction that excludes other changes of teams, and ends what processes hold in memory. */
  async #changeTeams(work: (connection: Connection) => Promise<void>): Promise<void> {
    try {
      await this.#database.hold(async (connection) => {
        await connection.query(sql`BEGIN; SELECT 1 FROM ${this.#tables.sandbox} FOR UPDATE`, patient)
        await work(connection)
        await connection.query(sql`UPDATE ${this.#tables.sandbox} SET version = version + 1; COMMIT`, patient)
      })
    } finally {
      this.#held = new Held()
    }
  }

  #snapshot<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#database.hold(async (connection) => {
      await connection.query(readOnly)
      const result = await work(connection)
      await connection.query(sql`COMMIT`)
      return result
    })
  }

  async #observe(known: number | undefined): Promise<Versioned | undefined> {
    const [row] = await this.#read(
      sql`SELECT version, settings FROM ${this.#tables.sandbox} WHERE version <> ${known ?? 0}`,
    )
    return row && this.#noteVersion(row)
  }

  async #change(work: (settings: object) => object): Promise<Versioned> {
    for (;;) {
      const [before] = await this.#read(sql`SELECT version, settings FROM ${this.#tables.sandbox}`)
      const settings = JSON.stringify(work(JSON.parse(String(before?.settings)) as object))
      const [after] = await this.#database.query(
        sql`UPDATE ${this.#tables.sandbox} SET version = version + 1, settings = ${settings} WHERE version = ${Number(before?.version)} RETURNING version, settings`,
      )
      if (after) return this.#noteVersion(after)
    }
  }

  #noteVersion(row: Row): Versioned {
    const version = Number(row.version)
    if (version !== this.#version) this.#held = new Held()
    this.#version = version
    return { version, settings: JSON.parse(String(row.settings)) as object }
  }
}

function checkTeam({ isGone }: Turn, teamId: string): void {
  if (isGone) throw new NoSuchTeam(teamId)
}

const divisionByZero = '22012'
const uniqueViolation = '23505'

const onFileIn = ({ data }: Row) => JSON.parse(String(data)) as TeamOnFile
