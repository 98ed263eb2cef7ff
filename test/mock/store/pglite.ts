import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { type Connection, type Database, RefusedStatement } from '../../../mock/store/postgres/database.ts'
import { once, oneAtATime } from '../../../lib/async.ts'
import type { Sql, Value } from '../../../mock/store/postgres/sql.ts'

/** The text of a statement with its values as literals, such as for EXPLAIN. */
export function withLiterals(statement: Sql): string {
  const { text, values } = statement.statement()
  return text.replaceAll(/\$(\d+)/g, (_, at) => literal(values[Number(at) - 1]))
}

function literal(value: Value): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return pg.escapeLiteral(value)
  return pg.escapeLiteral(
    `{${value.map((one) => (one === null ? 'NULL' : `"${String(one).replaceAll(/["\\]/g, '\\$&')}"`)).join()}}`,
  )
}

/** PostgreSQL in this process, for machines without it. All stores of a process have the one, which has one connection. */
export const pglite = once(async (): Promise<Database> => {
  const database = await PGlite.create()
  const inTurn = oneAtATime()
  const connection: Connection = {
    async query(...statements) {
      try {
        const results = await database.exec(statements.map(withLiterals).join(';\n'))
        return results.flatMap(({ rows }) => rows)
      } catch (error) {
        throw new RefusedStatement(error as Error)
      }
    },
  }
  const inOrder: Connection = { query: (...statements) => inTurn(() => connection.query(...statements)) }
  return {
    ...inOrder,
    holding: () => inOrder,
    transaction: (work, { isSnapshot = false } = {}) =>
      inTurn(async () => {
        await database.exec(isSnapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN')
        try {
          return await work(connection)
        } catch (error) {
          await database.exec('ROLLBACK')
          throw error
        }
      }),
    work: () => ({ openConnections: 1, idleConnections: 1, waiting: 0, roundTrips: 0 }),
    abandon: () => undefined,
    close: async () => undefined,
  }
})
