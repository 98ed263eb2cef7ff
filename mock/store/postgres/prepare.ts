import { setTimeout } from 'node:timers/promises'
import { CannotStart } from '../../cannot-start.ts'
import { newGeneration } from '../port.ts'
import { type Connection, type Database, isConflict, Refused } from './database.ts'
import { firstTable, migrations, type Tables } from './schema.ts'
import { sql } from './sql.ts'
import { patient } from './worlds.ts'

const oneDay = 24 * 60 * 60 * 1000
const newest = migrations.at(-1)?.to ?? 0

/** Creates the tables, or migrates those of an older version. `fill` adds the first teams. Several processes may start at once. */
export async function prepare(
  database: Database,
  tables: Tables,
  fill: (connection: Connection) => Promise<void>,
): Promise<void> {
  const [encoding] = await database.query(sql`SHOW server_encoding`)
  if (encoding?.server_encoding !== 'UTF8')
    throw new CannotStart(
      `The database has the encoding ${String(encoding?.server_encoding)}; create one with the encoding UTF8, such as with createdb -E UTF8 -T template0.`,
    )
  if (!(await isPrepared(database, tables))) await createFirstTable(database, tables)
  await database.hold(async (connection) => {
    const [row] = await connection.query(
      sql`BEGIN; SELECT tables_version, tables_oldest, epoch FROM ${tables.sandbox} FOR UPDATE`,
      patient,
    )
    const [version, oldest] = [Number(row?.tables_version), Number(row?.tables_oldest)]
    if (oldest > newest)
      throw new CannotStart(
        `The tables of the database are of a newer crm-sandbox (version ${version}, and this one knows ${newest}); start that one, or name another schema with ?schema=.`,
      )
    for (const { to, oldest, statements } of migrations) {
      if (to <= version) continue
      await connection.query(statements(tables), patient)
      await connection.query(sql`UPDATE ${tables.sandbox} SET tables_version = ${to}, tables_oldest = ${oldest}`)
    }
    if (Number(row?.epoch) === 0) {
      await fill(connection)
      const { epoch, tokenSecret } = newGeneration(1)
      await connection.query(sql`UPDATE ${tables.sandbox} SET epoch = ${epoch}, token_secret = ${tokenSecret}`)
    }
    // Those of processes that have ended.
    await connection.query(sql`DELETE FROM ${tables.writers} WHERE at < ${Date.now() - oneDay}; COMMIT`)
  })
}

/** An existing sandbox needs no right to create tables. */
async function isPrepared(database: Database, { sandbox }: Tables): Promise<boolean> {
  try {
    return (await database.query(sql`SELECT 1 FROM ${sandbox}`)).length > 0
  } catch (error) {
    if (error instanceof Refused && isMissing(error)) return false
    throw error
  }
}

/** A table or a schema. */
const isMissing = ({ code }: Refused) => code === '42P01' || code === '3F000'

/** Processes that start at once may create the same table, which PostgreSQL refuses in one of several ways. */
async function createFirstTable(database: Database, tables: Tables): Promise<void> {
  for (let tries = 20; ; tries--) {
    try {
      await database.query(firstTable(tables))
      return
    } catch (error) {
      if (!(error instanceof Refused) || tries === 0) throw error
      if (error.code === '3F000')
        await database.query(sql`CREATE SCHEMA IF NOT EXISTS ${tables.schema}`).catch(ifRefused)
      else if (!isConflict(error) && !['23505', '42P07', 'XX000'].includes(error.code)) throw error
      await setTimeout(Math.random() * 50)
    }
  }
}

function ifRefused(error: unknown): void {
  if (!(error instanceof Refused) || !['23505', '42P06', 'XX000'].includes(error.code)) throw error
}
