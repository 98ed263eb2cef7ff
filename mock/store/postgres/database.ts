import type { Client, Pool, PoolClient, PoolConfig } from 'pg'
import { type DatabaseWork, StoreUnreachable } from '../port.ts'
import { type Sql, sql } from './sql.ts'

export type Row = Readonly<Record<string, unknown>>

export interface Connection {
  /**
   * Runs statements in one round trip, and returns the rows of all. Several statements are one transaction.
   * Rejects with `RefusedStatement` or `StoreUnreachable` when nothing was changed, and with `AnswerLost` when that is not known.
   */
  query(statements: Sql, timeout?: number): Promise<readonly Row[]>
}

export interface Database extends Connection {
  /** Runs `work` on one connection. A transaction that it left open when it throws is rolled back. */
  withConnection<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  work(): Pick<DatabaseWork, 'openConnections' | 'idleConnections' | 'waiting' | 'roundTrips'>
  /** Ends the statements that have no answer, and refuses more. */
  abandon(): void
  close(): Promise<void>
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

/** How statements say that what they rely on is no longer so. */
export const divisionByZero = '22012'
export const uniqueViolation = '23505'

/** Another transaction came in between; the next attempt may succeed. */
export const isConflict = (error: unknown) =>
  error instanceof RefusedStatement && ['40001', '40P01'].includes(error.code)

const queryTimeout = 10_000
/** For a statement about all records of a team. */
export const longQueryTimeout = 10 * 60_000
/** For a connection: the time in the queue, then the time to open one. */
const connectionTimeout = 3_000
const maxWaiting = 500

/** Runs `work` on one state of the database. */
export const inSnapshot = <Result>(database: Database, work: (connection: Connection) => Promise<Result>) =>
  database.withConnection(async (connection) => {
    await connection.query(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`)
    const result = await work(connection)
    await connection.query(sql`COMMIT`)
    return result
  })

/** A pool of connections with a bounded queue. */
export class PostgresDatabase implements Database {
  readonly #pool: Pool
  readonly #clients = new Set<PoolClient>()
  #isAbandoned = false
  #roundTrips = 0

  private constructor(pool: Pool) {
    this.#pool = pool
    // Without a listener, a broken connection would end the process. Its query also rejects.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => {
      client.on('error', () => undefined)
      this.#clients.add(client)
    })
    pool.on('remove', (client) => this.#clients.delete(client))
  }

  static async connect(config: PoolConfig): Promise<PostgresDatabase> {
    // Loaded only when it is needed, for a quick start.
    const { default: pg } = await import('pg')
    const bounds = { connectionTimeoutMillis: connectionTimeout, keepAlive: true, application_name: 'crm-sandbox' }
    return new PostgresDatabase(new pg.Pool({ ...bounds, ...config }))
  }

  async query(statements: Sql, timeout?: number): Promise<readonly Row[]> {
    return this.#with((client) => this.#queryOn(client, statements, timeout))
  }

  withConnection<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#with(
      async (client) => work({ query: (statements, timeout) => this.#queryOn(client, statements, timeout) }),
      true,
    )
  }

  work() {
    const { totalCount: openConnections, idleCount: idleConnections, waitingCount: waiting } = this.#pool
    return { openConnections, idleConnections, waiting, roundTrips: this.#roundTrips }
  }

  abandon(): void {
    this.#isAbandoned = true
    for (const client of this.#clients) void (client as Client).end()
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  #queryOn(client: PoolClient, statements: Sql, timeout?: number): Promise<readonly Row[]> {
    this.#roundTrips++
    return queryOn(client, statements, timeout)
  }

  async #with<Result>(work: (client: PoolClient) => Promise<Result>, mayLeaveOpen = false): Promise<Result> {
    this.#throwIfAbandoned()
    if (this.#pool.waitingCount >= maxWaiting) throw new StoreUnreachable('Too many requests wait for the database')
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw new StoreUnreachable(`The database does not answer: ${reasonOf(error)}`, { cause: error })
    })
    try {
      this.#throwIfAbandoned()
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(mayLeaveOpen || !(error instanceof RefusedStatement))
      throw error
    }
  }

  #throwIfAbandoned(): void {
    if (this.#isAbandoned) throw new StoreUnreachable('The sandbox is closed')
  }
}

async function queryOn(client: PoolClient, statements: Sql, timeout = queryTimeout): Promise<readonly Row[]> {
  const query = { text: statements.text, query_timeout: timeout }
  const results = await (client.query<Row>(query) as Promise<Results | readonly Results[]>).catch((error: unknown) => {
    throw failureOf(error as DatabaseError)
  })
  return 'rows' in results ? results.rows : results.flatMap(({ rows }) => rows)
}

interface Results {
  readonly rows: readonly Row[]
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
