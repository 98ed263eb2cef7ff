import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Awaitable } from '../../../lib/async.ts'
import type { Kinds } from '../../../fixtures/records.ts'
import type { TeamOnFile } from '../../../fixtures/world.ts'
import {
  type Hold,
  Lease,
  NoSuchTeam,
  type Outcomes,
  type Reader,
  type ReadTeam,
  type StoreTransaction,
  StoreUnreachable,
} from '../port.ts'
import { Attempt, type CachedTeam, Changed, type Query } from './attempt.ts'
import { commitOf } from './commit.ts'
import {
  AnswerLost,
  commit,
  type Connection,
  type Database,
  inSnapshot,
  isConflict,
  RefusedStatement,
  type Row,
  uniqueViolation,
} from './database.ts'
import type { Tables } from './schema.ts'
import { type Sql, sql, storedId } from './sql.ts'

/** After these many, the next attempt locks the team first, or reads from one snapshot of the database. */
const optimisticAttempts = 3
/** How long a commit without an answer is repeated. */
const commitTimeout = 2_500

/**
 * Runs reads and transactions of teams. A transaction reads without a lock; its commit, one round trip, locks the row of
 * the team and checks that no other commit came in between.
 */
export class Transactions {
  readonly #database: Database
  readonly #tables: Tables
  readonly #queues: Queues
  /** Names this process to the database. */
  readonly #writer = randomBytes(8).toString('hex')
  #marks = 0
  readonly #teams = new Map<string, CachedTeam>()
  /** Grows when the cache drops a team, so that no select that began before fills it again. */
  #age = 0
  #retries = 0
  #conflicts = 0

  readonly outcomes = new RecentOutcomes()
  /** How many reads of each team wait or run. */
  readonly #reads = new Map<string, number>()
  readonly #perTeam: number

  /** At most `perTeam` reads and as many changes of one team wait or run: half of all that may wait for a connection. */
  constructor(database: Database, tables: Tables, perTeam = 250) {
    this.#database = database
    this.#tables = tables
    this.#perTeam = perTeam
    this.#queues = new Queues(perTeam)
  }

  read<Result>(teamId: string, work: (team: ReadTeam) => Awaitable<Result>, reader: Reader = {}): Promise<Result> {
    const before = this.#reads.get(teamId) ?? 0
    if (before >= this.#perTeam) return Promise.reject(tooMany('reads', teamId))
    this.#reads.set(teamId, before + 1)
    const reading = this.#attempts(teamId, reader, (team, isOptimistic, hold) => {
      const run = (query: Query) => this.#run(new Attempt(team, this.#tables, query, reader.settings), work)
      if (isOptimistic) return run(this.selecting(hold))
      const fromSnapshot = (connection: Connection) => run((...selects) => connection.query(...selects))
      return inSnapshot(this.#database, fromSnapshot, { isLong: false, hold })
    })
    return this.outcomes.of(reading).finally(() => {
      const left = (this.#reads.get(teamId) ?? 1) - 1
      if (left > 0) this.#reads.set(teamId, left)
      else this.#reads.delete(teamId)
    })
  }

  transaction<Result>(
    teamId: string,
    work: (team: StoreTransaction) => Awaitable<Result>,
    reader: Reader = {},
  ): Promise<Result> {
    const changing = this.#queues.run(teamId, (task) =>
      this.#attempts(teamId, reader, async (team, isOptimistic, hold) => {
        const run = async (attempt: Attempt) => {
          throwIfCancelled(task, teamId)
          const result = await this.#run(attempt, work)
          throwIfCancelled(task, teamId)
          return result
        }
        if (!isOptimistic) return this.#lockFirst(team, run, { ...reader, hold })
        const attempt = new Attempt(team, this.#tables, this.selecting(hold), reader.settings, true)
        const result = await run(attempt)
        if (attempt.hasChanges) await this.#commit(attempt)
        return result
      }),
    )
    return this.outcomes.of(changing)
  }

  get work() {
    const recent = this.outcomes.recent()
    return { queued: this.#queues.size, retries: this.#retries, conflicts: this.#conflicts, recent }
  }

  /** Finds a team, first in the cache. */
  async find(teamId: string): Promise<CachedTeam | undefined> {
    const known = this.#teams.get(teamId)
    if (known) return known
    const age = this.#age
    const { teams: table, records } = this.#tables
    const rows = await this.select(
      sql`SELECT t.data, t.cache_tag, t.record_set, t.version, r.data AS provider FROM ${table} t LEFT JOIN ${records} r ON r.team = t.id AND r.record_set = t.record_set AND r.kind = 'providers' WHERE t.id = ${storedId(teamId)} ORDER BY r.seq`,
    )
    const [row] = rows
    if (!row) return undefined
    const providers = rows.filter(({ provider }) => provider !== null)
    const found: CachedTeam = {
      onFile: onFileIn(row),
      cacheTag: String(row.cache_tag),
      recordSet: Number(row.record_set),
      providers: providers.map(({ provider }) => JSON.parse(String(provider)) as Kinds['providers']),
      version: Number(row.version),
    }
    if (age === this.#age) this.#teams.set(teamId, found)
    return found
  }

  /** Cancels the transactions of a team that was removed, or of all teams. */
  cancel(teamId?: string): void {
    this.#queues.cancel(teamId)
  }

  /** Drops a team from the cache, or all teams. */
  forget(teamId?: string): void {
    this.#age++
    if (teamId === undefined) this.#teams.clear()
    else this.#teams.delete(teamId)
  }

  select(...selects: readonly Sql[]): Promise<readonly Row[]> {
    return this.selecting()(...selects)
  }

  /** Repeats selects on another connection if its answer is lost, such as by a restart of the database. */
  selecting(hold?: Hold): Query {
    const database = this.#database.holding(hold)
    return async (...selects) => {
      try {
        return await database.query(...selects)
      } catch (error) {
        if (!(error instanceof AnswerLost)) throw error
        this.#retries++
        return database.query(...selects)
      }
    }
  }

  /** Repeats the attempt until no other transaction comes in between. */
  async #attempts<Result>(
    teamId: string,
    reader: Reader,
    attempt: (team: CachedTeam, isOptimistic: boolean, hold: Hold | undefined) => Promise<Result>,
  ): Promise<Result> {
    for (let attempts = 0; ; attempts++) {
      const team = await this.find(teamId)
      if (!team) throw new NoSuchTeam(teamId)
      const lease = new Lease(reader)
      try {
        return await attempt(team, attempts < optimisticAttempts, lease.hold)
      } catch (error) {
        if (error instanceof NoSuchTeam || (error instanceof Changed && error.isReplaced)) this.#teams.delete(teamId)
        if (!(error instanceof Changed) && !isConflict(error)) throw error
        lease.end()
        this.#conflicts++
        await sleep(Math.random() * 5 * 2 ** Math.min(attempts, 5))
      }
    }
  }

  /** Rejects with the error of the work only if all its reads saw one version of the team. */
  async #run<Result>(attempt: Attempt, work: (team: StoreTransaction) => Awaitable<Result>): Promise<Result> {
    try {
      const result = await work(attempt.transaction)
      await attempt.checkSettings()
      if (attempt.changed) throw attempt.changed
      return result
    } catch (error) {
      throw attempt.changed ?? error
    } finally {
      attempt.end()
    }
  }

  /** Locks the team before the attempt reads, so that no other transaction comes in between. */
  async #lockFirst<Result>(
    team: CachedTeam,
    run: (attempt: Attempt) => Promise<Result>,
    { settings, hold }: Reader,
  ): Promise<Result> {
    let done: { readonly attempt: Attempt; readonly result: Result } | undefined
    try {
      return await this.#database.transaction(
        async (connection) => {
          const attempt = new Attempt(team, this.#tables, (...selects) => connection.query(...selects), settings, true)
          const lock = sql`SELECT cache_tag, version FROM ${this.#tables.teams} WHERE id = ${attempt.id} FOR UPDATE`
          attempt.checkTeam((await connection.query(lock))[0])
          const result = await run(attempt)
          done = { attempt, result }
          await this.#sendCommit(attempt, connection, [commit])
          return result
        },
        { hold },
      )
    } catch (error) {
      if (!done || !(error instanceof AnswerLost)) throw error
      await this.#commit(done.attempt, true)
      return done.result
    }
  }

  /** Commits in one round trip. Repeats a commit without an answer: the team has another version if it was done. */
  async #commit(attempt: Attempt, isLost = false): Promise<void> {
    const until = performance.now() + commitTimeout
    for (;;) {
      try {
        await this.#sendCommit(attempt, this.#database)
        return
      } catch (error) {
        if (isLost && error instanceof Changed && (await this.#hasCommitted(attempt))) return
        if (error instanceof AnswerLost) isLost = true
        const mayTryAgain =
          isLost && error instanceof StoreUnreachable && (!(error instanceof RefusedStatement) || isConflict(error))
        if (!mayTryAgain) throw error
        if (performance.now() > until)
          throw new StoreUnreachable(`Whether a change was made is unknown: ${error.message}`, { cause: error })
        this.#retries++
        await sleep(50)
      }
    }
  }

  async #sendCommit(attempt: Attempt, connection: Connection, more: readonly Sql[] = []): Promise<void> {
    const { changes, id, team } = attempt
    const mark = ++this.#marks
    attempt.marks.push(mark)
    const by = {
      team: id,
      cacheTag: team.cacheTag,
      recordSet: team.recordSet,
      version: await attempt.version(),
      writer: this.#writer,
      mark,
    }
    const { statement, after } = commitOf(changes, by, this.#tables)
    team.version = undefined
    try {
      if ((await connection.query(statement, ...more)).length === 0) throw new Changed()
      team.version = after
    } catch (error) {
      if (error instanceof RefusedStatement && error.code === uniqueViolation)
        throw new Error('A record of this id exists already', { cause: error })
      throw error
    }
  }

  async #hasCommitted({ id, marks }: Attempt): Promise<boolean> {
    const [row] = await this.select(
      sql`SELECT mark FROM ${this.#tables.writers} WHERE team = ${id} AND writer = ${this.#writer}`,
    )
    return marks.includes(Number(row?.mark))
  }
}

function throwIfCancelled({ isCancelled }: Task, teamId: string): void {
  if (isCancelled) throw new NoSuchTeam(teamId)
}

/** The outcomes of the work of the last 30 seconds. */
class RecentOutcomes {
  readonly #seconds: { readonly second: number; succeeded: number; failed: number }[] = []

  /** Counts how the work ends. A refusal is no failure of the store. */
  async of<Result>(work: Promise<Result>, countsSuccess = true): Promise<Result> {
    let hasFailed = false
    try {
      return await work
    } catch (error) {
      hasFailed = error instanceof StoreUnreachable
      throw error
    } finally {
      if (hasFailed) this.#now().failed++
      else if (countsSuccess) this.#now().succeeded++
    }
  }

  recent(): Outcomes {
    const { second } = this.#now()
    const sum = { succeeded: 0, failed: 0, areAllFailing: false }
    for (const { succeeded, failed, second: at } of this.#seconds) {
      sum.succeeded += succeeded
      sum.failed += failed
      if (at >= second - 2 && failed > 0) sum.areAllFailing = true
    }
    return sum.succeeded > 0 ? { ...sum, areAllFailing: false } : sum
  }

  #now() {
    const second = Math.floor(performance.now() / 1_000)
    while (this.#seconds[0] && this.#seconds[0].second <= second - 30) this.#seconds.shift()
    const last = this.#seconds.at(-1)
    if (last?.second === second) return last
    const now = { second, succeeded: 0, failed: 0 }
    this.#seconds.push(now)
    return now
  }
}

export const onFileIn = ({ data }: Row) => JSON.parse(String(data)) as TeamOnFile

/** A transaction in a queue. */
interface Task {
  /** Whether this process has removed or replaced the team since the call. */
  isCancelled: boolean
}

interface Queue {
  last: Promise<unknown>
  readonly tasks: Set<Task>
}

const queueTimeout = 5_000
/** The number of transactions in all queues. */
const maxQueued = 1_000

/** A team with so many requests gets no more, so that other teams need not wait for it. */
const tooMany = (what: string, teamId: string) =>
  new StoreUnreachable(`Too many ${what} of team ${teamId} wait for the database`)

/** Runs the transactions of a team one after the other, in the order of the calls. Limits their number and their wait. */
class Queues {
  readonly #queues = new Map<string, Queue>()
  readonly #perTeam: number
  #size = 0

  constructor(perTeam: number) {
    this.#perTeam = perTeam
  }

  get size(): number {
    return this.#size
  }

  async run<Result>(teamId: string, work: (task: Task) => Promise<Result>): Promise<Result> {
    if (this.#size >= maxQueued) throw new StoreUnreachable('Too many changes wait for the database')
    const queue = this.#queues.get(teamId) ?? { last: Promise.resolve(), tasks: new Set() }
    if (queue.tasks.size >= this.#perTeam) throw tooMany('changes', teamId)
    this.#queues.set(teamId, queue)
    const task = { isCancelled: false }
    queue.tasks.add(task)
    this.#size++
    try {
      return await new Promise<Result>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new StoreUnreachable(`A change of team ${teamId} has waited too long for the database`)),
          queueTimeout,
        )
        queue.last = queue.last.then(async () => {
          clearTimeout(timer)
          if (queue.tasks.has(task)) await work(task).then(resolve, reject)
        })
      })
    } finally {
      queue.tasks.delete(task)
      this.#size--
      if (queue.tasks.size === 0 && this.#queues.get(teamId) === queue) this.#queues.delete(teamId)
    }
  }

  cancel(teamId?: string): void {
    const queues = teamId === undefined ? [...this.#queues.values()] : [this.#queues.get(teamId)]
    for (const queue of queues) for (const task of queue?.tasks ?? []) task.isCancelled = true
  }
}
