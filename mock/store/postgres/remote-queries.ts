import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { RemoteAnswers, RemoteQueries, ServerOnStore } from '../port.ts'
import type { Database } from './database.ts'
import type { Tables } from './schema.ts'
import { sql } from './sql.ts'

/** In milliseconds. */
const longestWait = 2_000
const pause = 50

/** Queries of servers to each other, in the database. */
export class PostgresRemoteQueries implements RemoteQueries {
  readonly #database: Database
  readonly #tables: Tables

  constructor(database: Database, tables: Tables) {
    this.#database = database
    this.#tables = tables
  }

  async announce({ id, name }: ServerOnStore): Promise<void> {
    await this.#database.query(
      sql`INSERT INTO ${this.#tables.servers} (id, name, at) VALUES (${id}, ${name}, now()) ON CONFLICT (id) DO UPDATE SET at = excluded.at`,
    )
  }

  async leave({ id }: ServerOnStore): Promise<void> {
    await this.#database.query(sql`DELETE FROM ${this.#tables.servers} WHERE id = ${id}`)
  }

  async ask(server: ServerOnStore, query: string): Promise<RemoteAnswers> {
    const { sandbox, servers, remoteQueries } = this.#tables
    const id = randomUUID()
    const answered = [server.id]
    const answers: string[] = []
    let others = await this.#others(id, answered)
    if (others.length === 0) return { answers, unanswered: [] }
    const isLeft = sql`at < now() - interval '1 minute'`
    await this.#database.query(
      sql`DELETE FROM ${servers} WHERE ${isLeft}`,
      sql`DELETE FROM ${remoteQueries} WHERE ${isLeft}`,
      sql`INSERT INTO ${remoteQueries} (id, server, at, data) VALUES (${id}, '', now(), ${query}), (${id}, ${server.id}, now(), '')`,
      sql`UPDATE ${sandbox} SET version = version + 1`,
    )
    try {
      for (const end = performance.now() + longestWait; others.length > 0 && performance.now() < end;) {
        await setTimeout(pause)
        others = await this.#others(id, answered)
        for (const { id, answer } of others) {
          if (answer === undefined) continue
          answers.push(answer)
          answered.push(id)
        }
        others = others.filter(({ answer }) => answer === undefined)
      }
    } finally {
      await this.#database.query(sql`DELETE FROM ${remoteQueries} WHERE id = ${id}`)
    }
    return { answers, unanswered: others.map(({ name }) => name) }
  }

  async answer({ id }: ServerOnStore, answerTo: (query: string) => Promise<string>): Promise<void> {
    const { remoteQueries } = this.#tables
    const asked = await this.#database.query(
      sql`SELECT q.id, q.data FROM ${remoteQueries} q WHERE q.server = '' AND q.at > now() - interval '1 minute' AND NOT EXISTS (SELECT 1 FROM ${remoteQueries} a WHERE a.id = q.id AND a.server = ${id})`,
    )
    for (const { id: query, data } of asked) {
      const answer = await answerTo(String(data))
      // Not if the other server has stopped waiting.
      await this.#database.query(
        sql`INSERT INTO ${remoteQueries} (id, server, at, data) SELECT id, ${id}, now(), ${answer} FROM ${remoteQueries} WHERE id = ${String(query)} AND server = '' ON CONFLICT (id, server) DO NOTHING`,
      )
    }
  }

  /** The running servers without an answer that was read, each with its new answer. */
  async #others(query: string, answered: readonly string[]) {
    const { servers, remoteQueries } = this.#tables
    const rows = await this.#database.query(
      sql`SELECT s.id, s.name, q.data FROM ${servers} s LEFT JOIN ${remoteQueries} q ON q.id = ${query} AND q.server = s.id WHERE s.at > now() - interval '15 seconds' AND s.id <> ALL (${answered}) ORDER BY s.id`,
    )
    return rows.map(({ id, name, data }) => ({
      id: String(id),
      name: String(name),
      answer: typeof data === 'string' ? data : undefined,
    }))
  }
}
