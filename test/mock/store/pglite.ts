import { PGlite } from '@electric-sql/pglite'
import { type Connection, type Database, RefusedStatement } from '../../../mock/store/postgres/database.ts'
import { once, oneAtATime } from '../../../lib/async.ts'

/** PostgreSQL in this process, for machines without it. All stores of a process have the one, which has one connection. */
export const pglite = once(async (): Promise<Database> => {
  const database = await PGlite.create()
  const inTurn = oneAtATime()
  const connection: Connection = {
    async query({ text }) {
      try {
        const results = await database.exec(text)
        return results.flatMap(({ rows }) => rows)
      } catch (error) {
        throw new RefusedStatement(error as Error)
      }
    },
  }
  return {
    query: (statements) => inTurn(() => connection.query(statements)),
    withConnection: (work) =>
      inTurn(async () => {
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
