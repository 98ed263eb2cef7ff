import type { Client, Connection as Wire, Pool, PoolClient, PoolConfig, Submittable } from 'pg'
import { type DatabaseWork, type Hold, StoreUnreachable } from '../port.ts'
import { NoMemoryFree } from '../retention.ts'
import { joined, Sql, sql, type Value } from './sql.ts'

export type Row = Readonly<Record<string, unknown>>

export interface Connection {
  /**
   * Runs statements in one round trip and one transaction, and returns the rows of all.
   * Rejects with `RefusedStatement` or `StoreUnreachable` when nothing was changed, and with `AnswerLost` when that is not known.
   */
  query(...statements: readonly Sql[]): Promise<readonly Row[]>
}

export interface Database extends Connection {
  /** A connection that takes memory for the rows of long answers, and fails when none is free. */
  holding(hold: Hold | undefined): Connection
  /** Runs `work` in a transaction, which it commits as its last statement. Rolls back when it throws. */
  transaction<Result>(work: (connection: Connection) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  work(): Pick<DatabaseWork, 'openConnections' | 'idleConnections' | 'waiting' | 'roundTrips'>
  /** Ends the statements that have no answer, and refuses more. */
  abandon(): void
  close(): Promise<void>
}

interface TransactionOptions {
  /** Work about all records of a team has at most half of the connections, and waits for them as long as it takes. */
  readonly isLong?: boolean
  /** All statements read one state of the database. */
  readonly isSnapshot?: boolean
  readonly hold?: Hold | undefined
}

/** The database refused a statement, and undid the transaction. */
export class RefusedStatement extends StoreUnreachable {
  /** Its SQLSTATE. */
  readonly code: string

  constructor(error: Error & { readonly code?: string }) {
    super(`The database refused a statement: ${error.message}`, { cause: error })
    this.code = error.code ?? ''
  }
}

/** Whether the database has executed the statements is unknown. */
export class AnswerLost extends StoreUnreachable {}

export const uniqueViolation = '23505'

/** Another transaction came in between; the next attempt may succeed. */
export const isConflict = (error: unknown) =>
  error instanceof RefusedStatement && ['40001', '40P01'].includes(error.code)

export const commit = sql`COMMIT`

/**
 * After these milliseconds the database itself ends a statement, its wait for a lock, or an idle transaction, so that no
 * work of a client that has given up, or hangs, stays there.
 */
interface Limits {
  readonly statement: number
  readonly lock: number
  readonly idle: number
}

const limits: Limits = { statement: 8_000, lock: 5_000, idle: 10_000 }
const longLimits: Limits = { statement: 10 * 60_000, lock: 10 * 60_000, idle: 30_000 }
/** How much later the client gives up a round trip. */
const grace = 2_000
/** For a connection: the time in the queue, then the time to open one. */
const connectionTimeout = 3_000
const ofConnecting: Limits = { ...limits, statement: connectionTimeout - grace }
const maxWaiting = 500

/** Runs `work` on one state of the database. */
export const inSnapshot = <Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
  { isLong = true, hold }: TransactionOptions = {},
) =>
  database.transaction(
    async (connection) => {
      const result = await work(connection)
      await connection.query(commit)
      return result
    },
    { isLong, isSnapshot: true, hold },
  )

/** A pool of connections with a bounded queue. */
export class PostgresDatabase implements Database {
  readonly #pool: Pool
  /**
   * The statements that each connection has prepared, which it parses and plans once. Undefined behind a pooler, which may lead
   * to another connection each time.
   */
  readonly #prepared = new Map<PoolClient, Set<string> | undefined>()
  readonly #names = new Map<string, string>()
  readonly #longWork: Slots
  #isAbandoned = false
  #roundTrips = 0

  private constructor(pool: Pool) {
    this.#pool = pool
    this.#longWork = new Slots(Math.max(1, Math.floor(pool.options.max / 2)))
    // Without a listener, a broken connection would end the process. Its query also rejects.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', () => undefined))
    pool.on('remove', (client) => this.#prepared.delete(client))
  }

  static async connect(config: PoolConfig): Promise<PostgresDatabase> {
    // Loaded only when it is needed, for a quick start.
    const { default: pg } = await import('pg')
    const bounds = { connectionTimeoutMillis: connectionTimeout, keepAlive: true, application_name: 'crm-sandbox' }
    // The pool waits for the promise.
    const onConnect = ((client: unknown) => database.#begin(client as PoolClient)) as PoolConfig['onConnect']
    const database: PostgresDatabase = new PostgresDatabase(new pg.Pool({ ...bounds, ...config, onConnect }))
    return database
  }

  query(...statements: readonly Sql[]): Promise<readonly Row[]> {
    return this.holding().query(...statements)
  }

  holding(hold?: Hold): Connection {
    return {
      query: (...statements) =>
        this.#with((client) =>
          this.#queryOn(client, statements, limits, this.#isPooled(client) ? [limiting(limits)] : [], hold),
        ),
    }
  }

  transaction<Result>(
    work: (connection: Connection) => Promise<Result>,
    { isLong = false, isSnapshot = false, hold }: TransactionOptions = {},
  ): Promise<Result> {
    const ofWork = isLong ? longLimits : limits
    const run = () =>
      this.#with(async (client) => {
        const first = [isSnapshot ? sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY` : sql`BEGIN`]
        if (isLong || this.#isPooled(client)) first.push(limiting(ofWork))
        try {
          return await work({
            query: (...statements) => this.#queryOn(client, statements, ofWork, first.splice(0), hold),
          })
        } catch (error) {
          if (first.length === 0 && !isBroken(error)) await this.#queryOn(client, [sql`ROLLBACK`], limits)
          throw error
        }
      })
    return isLong ? this.#longWork.run(run) : run()
  }

  work() {
    const { totalCount: openConnections, idleCount: idleConnections, waitingCount: waiting } = this.#pool
    return { openConnections, idleConnections, waiting, roundTrips: this.#roundTrips }
  }

  abandon(): void {
    this.#isAbandoned = true
    for (const client of this.#prepared.keys()) void (client as Client).end()
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  /** Sets the limits of a new connection. A pooler, which shows its own process id, must keep none of it. */
  async #begin(client: PoolClient): Promise<void> {
    this.#prepared.set(client, undefined)
    try {
      const [row] = await this.#queryOn(client, [sql`SELECT pg_backend_pid() AS id`], ofConnecting)
      if (Number(row?.id) !== Reflect.get(client, 'processID')) return
      await this.#queryOn(client, [limiting(limits, false)], ofConnecting)
      this.#prepared.set(client, new Set())
    } catch (error) {
      this.#prepared.delete(client)
      throw error
    }
  }

  async #with<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    this.#throwIfAbandoned()
    if (this.#pool.waitingCount >= maxWaiting) throw new StoreUnreachable('Too many requests wait for the database')
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw new StoreUnreachable(`The database does not answer: ${reasonOf(error)}`, { cause: error })
    })
    let broken = false
    try {
      this.#throwIfAbandoned()
      return await work(client)
    } catch (error) {
      broken = isBroken(error)
      throw error
    } finally {
      client.release(broken)
    }
  }

  #isPooled(client: PoolClient): boolean {
    return !this.#prepared.get(client)
  }

  #throwIfAbandoned(): void {
    if (this.#isAbandoned) throw new StoreUnreachable('The sandbox is closed')
  }

  async #queryOn(
    client: PoolClient,
    statements: readonly Sql[],
    { statement }: Limits,
    before: readonly Sql[] = [],
    hold?: Hold,
  ): Promise<readonly Row[]> {
    this.#roundTrips++
    const prepared = this.#prepared.get(client)
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(new Error('Query read timeout')), statement + grace)
        const sent = [...before, ...statements].map((one) => {
          const { text, values } = one.statement()
          return { text, values, name: prepared && values.length > 0 ? this.#nameOf(text) : '' }
        })
        const done = (rows: readonly (readonly Row[])[]) => resolve(rows.slice(before.length).flat())
        client.query(new Batch(sent, prepared, { done, reject, hold }))
      })
    } catch (error) {
      throw error instanceof NoMemoryFree ? error : failureOf(error as DatabaseError)
    } finally {
      clearTimeout(timer)
    }
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= mostNames) return known ?? ''
    const name = `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

/** Whether the connection can no longer be used. */
const isBroken = (error: unknown) =>
  error instanceof NoMemoryFree || (error instanceof StoreUnreachable && !(error instanceof RefusedStatement))

/** Sets the limits until the end of the transaction, or of the connection. */
const limiting = ({ statement, lock, idle }: Limits, isLocal = true) =>
  sql`SELECT set_config(name, value, ${new Sql(String(isLocal))}) FROM (VALUES ${joined(
    Object.entries({
      statement_timeout: statement,
      lock_timeout: lock,
      idle_in_transaction_session_timeout: idle,
      client_connection_check_interval: 1_000,
    }).map(([name, value]) => new Sql(`('${name}', '${value}')`)),
  )}) s (name, value) WHERE name NOT LIKE 'client%' OR version() !~* 'windows|visual c|mingw'`

/** Runs so many tasks at once. The others wait in the order of the calls. */
class Slots {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(free: number) {
    this.#free = free
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}

interface Statement {
  readonly text: string
  readonly values: readonly Value[]
  /** Empty for a statement that is not prepared. */
  readonly name: string
}

/** Each connection keeps a plan for each name. */
const mostNames = 300

/** In bytes. A shorter answer takes no more than the rest of a request. */
const countedAtOnce = 64 * 1024

/** The text of a row, and its values. */
const timesOfRow = 2

interface BatchOptions {
  readonly done: (rows: readonly (readonly Row[])[]) => void
  readonly reject: (error: Error) => void
  readonly hold: Hold | undefined
}

/** Statements that are sent together, so that the database runs them in one transaction. Each value of a row is a text. */
class Batch implements Submittable {
  readonly #statements: readonly Statement[]
  readonly #prepared: Set<string> | undefined
  readonly #options: BatchOptions
  readonly #rows: Row[][] = []
  #current: Row[] = []
  #columns: readonly string[] = []
  #uncounted = 0
  #isRefused = false

  constructor(statements: readonly Statement[], prepared: Set<string> | undefined, options: BatchOptions) {
    this.#statements = statements
    this.#prepared = prepared
    this.#options = options
  }

  /** As a query of pg has it, for those who trace statements. */
  get text(): string {
    return this.#statements.map(({ text }) => text).join(';\n')
  }

  submit(wire: Wire): void {
    wire.stream.cork()
    for (const { text, values, name } of this.#statements) {
      if (!this.#prepared?.has(name)) {
        // A batch that failed may or may not have prepared it.
        if (name !== '') wire.close({ type: 'S', name }, true)
        wire.parse({ name, text, types: [] }, true)
      }
      wire.bind({ statement: name, values: values.map(written) }, true)
      wire.describe({ type: 'P' }, true)
      wire.execute(null, true)
    }
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly name: string }[] }): void {
    this.#columns = fields.map(({ name }) => name)
  }

  handleDataRow({ fields, length }: { readonly fields: readonly (string | null)[]; readonly length: number }): void {
    this.#uncounted += length
    if (this.#uncounted > countedAtOnce) this.#count()
    if (this.#isRefused) return
    this.#current.push(Object.fromEntries(this.#columns.map((name, at) => [name, fields[at]])))
  }

  handleCommandComplete(): void {
    this.#rows.push(this.#current)
    this.#current = []
  }

  handleReadyForQuery(): void {
    for (const { name } of this.#statements) if (name !== '') this.#prepared?.add(name)
    this.#options.done(this.#rows)
  }

  #count(): void {
    try {
      this.#options.hold?.(timesOfRow * this.#uncounted)
      this.#uncounted = 0
    } catch (error) {
      this.#isRefused = true
      this.#options.reject(error as Error)
    }
  }

  handleError(error: Error): void {
    this.#options.reject(error)
  }
}

/** A value in the text format of the database. */
function written(value: Value): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return String(value)
  const elements = value.map((one) => (one === null ? 'NULL' : `"${String(one).replaceAll(/["\\]/g, '\\$&')}"`))
  return `{${elements.join()}}`
}

interface DatabaseError extends Error {
  readonly severity?: string
  readonly code?: string
}

/** A standby and a server that shuts down count as unreachable, so that the next attempt opens another connection. */
function failureOf(error: DatabaseError): Error {
  const { severity, code = '' } = error
  if (code === '25006') return new StoreUnreachable('The database is read-only', { cause: error })
  if (severity === 'ERROR' && !/^(08|57P)/.test(code)) return new RefusedStatement(error)
  return new AnswerLost(`The database does not answer: ${reasonOf(error)}`, { cause: error })
}

/** An error about several addresses of one name has no message. */
export function reasonOf(error: unknown): string {
  const { message, errors = [] } = error as Error & { readonly errors?: readonly Error[] }
  return message === '' ? errors.map((one) => one.message).join(', ') : message
}
