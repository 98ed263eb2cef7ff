import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kinds } from '../../../fixtures/records.ts'
import type { TeamOnFile } from '../../../fixtures/world.ts'
import { NoSuchTeam, type ReadTeam, type StoreTransaction, StoreUnreachable } from '../port.ts'
import { Attempt, Changed, type HeldTeam } from './attempt.ts'
import { commitOf, inOrder } from './commit.ts'
import { AnswerLost, type Connection, type Database, isConflict, Refused, type Row } from './database.ts'
import type { Tables } from './schema.ts'
import { type Sql, sql, storedId } from './sql.ts'
import { readOnly } from './worlds.ts'

/** After these many, the next attempt locks the team first, or reads all from one snapshot of the database. */
const attemptsWithoutLock = 3
/** How long a commit without an answer is sent again. */
const longestDoubt = 2_500

/**
 * Runs reads and transactions of teams. A transaction reads without a lock; its commit, one round trip, locks the row of
 * the team and checks that no other commit came in between.
 */
export class Transactions {
  readonly #database: Database
  readonly #tables: Tables
  readonly #turns = new Turns()
  /** Names this process to the database. */
  readonly #writer = randomBytes(8).toString('hex')
  #marks = 0
  #teams = new Map<string, HeldTeam>()

  constructor(database: Database, tables: Tables) {
    this.#database = database
    this.#tables = tables
  }

  read<Result>(teamId: string, work: (team: ReadTeam) => Promise<Result>): Promise<Result> {
    return this.#attempts(teamId, async (team, isPatient) => {
      if (!isPatient) return this.#run(new Attempt(team, this.#tables, (select) => this.select(select), false), work)
      return this.#database.hold(async (connection) => {
        await connection.query(readOnly)
        const attempt = new Attempt(team, this.#tables, (select) => connection.query(select), false)
        const result = await this.#run(attempt, work)
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
        const attempt = new Attempt(team, this.#tables, (select) => this.select(select), true)
        const result = await run(attempt)
        if (attempt.hasChanges) await this.#commit(attempt)
        return result
      }),
    )
  }

  /** A team; looks in memory first. */
  async find(teamId: string): Promise<HeldTeam | undefined> {
    const teams = this.#teams
    const known = teams.get(teamId)
    if (known) return known
    const { teams: table, records } = this.#tables
    const rows = await this.select(
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

  /** Runs `work` in the order of the team's transactions. */
  inTurn<Result>(teamId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.take(teamId, work)
  }

  /** Ends the transactions of a team that was removed, or of all. */
  end(teamId?: string): void {
    this.#turns.end(teamId)
  }

  /** Drops the cache of teams. */
  forget(): void {
    this.#teams = new Map()
  }

  /** A select can be sent again on another connection, such as after a restart of the database. */
  async select(select: Sql): Promise<readonly Row[]> {
    try {
      return await this.#database.query(select)
    } catch (error) {
      if (error instanceof AnswerLost) return this.#database.query(select)
      throw error
    }
  }

  /** Attempts until no other transaction comes in between. */
  async #attempts<Result>(
    teamId: string,
    attempt: (team: HeldTeam, isPatient: boolean) => Promise<Result>,
  ): Promise<Result> {
    for (let attempts = 0; ; attempts++) {
      const team = await this.find(teamId)
      if (!team) throw new NoSuchTeam(teamId)
      try {
        return await attempt(team, attempts >= attemptsWithoutLock)
      } catch (error) {
        if (error instanceof NoSuchTeam || (error instanceof Changed && error.isReplaced)) this.#teams.delete(teamId)
        if (!(error instanceof Changed) && !isConflict(error)) throw error
        await sleep(Math.random() * 5 * 2 ** Math.min(attempts, 5))
      }
    }
  }

  /** An error counts only if all that the work has read was of one state. */
  async #run<Result>(attempt: Attempt, work: (team: StoreTransaction) => Promise<Result>): Promise<Result> {
    try {
      const result = await work(attempt.open)
      if (attempt.changed) throw attempt.changed
      return result
    } catch (error) {
      throw attempt.changed ?? error
    } finally {
      attempt.end()
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
        await sleep(50)
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
    const [row] = await this.select(
      sql`SELECT mark FROM ${this.#tables.writers} WHERE team = ${id} AND writer = ${this.#writer}`,
    )
    return marks.includes(Number(row?.mark))
  }
}

function checkTeam({ isGone }: Turn, teamId: string): void {
  if (isGone) throw new NoSuchTeam(teamId)
}

const divisionByZero = '22012'
const uniqueViolation = '23505'

export const onFileIn = ({ data }: Row) => JSON.parse(String(data)) as TeamOnFile

/** A transaction's place in the order of its team. */
interface Turn {
  /** Whether this process has removed or replaced the team since the call. */
  isGone: boolean
}

interface Line {
  last: Promise<unknown>
  readonly turns: Set<Turn>
}

const longestTurn = 5_000
const mostTurns = 1_000

/** Runs the transactions of a team one after the other, in the order of the calls. Few wait, and none for long. */
class Turns {
  readonly #lines = new Map<string, Line>()
  #size = 0

  async take<Result>(teamId: string, work: (turn: Turn) => Promise<Result>): Promise<Result> {
    if (this.#size >= mostTurns) throw new StoreUnreachable('Too many changes wait for the database')
    const line = this.#lines.get(teamId) ?? { last: Promise.resolve(), turns: new Set() }
    this.#lines.set(teamId, line)
    const turn = { isGone: false }
    line.turns.add(turn)
    this.#size++
    try {
      return await new Promise<Result>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new StoreUnreachable(`A change of team ${teamId} has waited too long for the database`)),
          longestTurn,
        )
        line.last = line.last.then(async () => {
          clearTimeout(timer)
          if (line.turns.has(turn)) await work(turn).then(resolve, reject)
        })
      })
    } finally {
      line.turns.delete(turn)
      this.#size--
      if (line.turns.size === 0 && this.#lines.get(teamId) === line) this.#lines.delete(teamId)
    }
  }

  /** Of a team, or of all. */
  end(teamId?: string): void {
    const lines = teamId === undefined ? [...this.#lines.values()] : [this.#lines.get(teamId)]
    for (const line of lines) for (const turn of line?.turns ?? []) turn.isGone = true
  }
}
