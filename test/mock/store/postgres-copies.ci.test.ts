import { describe, expect, it, onTestFinished } from 'vitest'
import { type Connection, type Database, PostgresDatabase } from '../../../mock/store/postgres/database.ts'
import { PostgresStore } from '../../../mock/store/postgres/postgres-store.ts'
import { tablesIn } from '../../../mock/store/postgres/schema.ts'
import { sql } from '../../../mock/store/postgres/sql.ts'
import { PostgresSnapshots } from '../../../mock/store/postgres/worlds.ts'
import { longestWait } from '../../longest-wait.ts'
import { contact, emptyTeams, insert, namedStores, newSchema, openedAt } from './helpers.ts'
import { postgresUrl } from './postgres.ts'

const postgres = namedStores.filter(({ store }) => store === 'PostgreSQL')

async function openDatabase() {
  const schema = newSchema()
  const database = await PostgresDatabase.connect({ connectionString: await postgresUrl(), max: 4 })
  onTestFinished(() => database.close())
  return { schema, database, other: await PostgresStore.open(database, schema, emptyTeams) }
}

describe.each(postgres)('a $store database that does not answer', () => {
  it('no longer holds statements once they are abandoned, and takes no more', { timeout: longestWait }, async () => {
    const database = await PostgresDatabase.connect({ connectionString: await postgresUrl() })
    const forever = sql`SELECT pg_sleep(100000)`
    const failed = [
      database.query(forever),
      database.transaction((connection) => connection.query(forever), { isLong: true }),
    ].map((work) => expect(work).rejects.toThrow('does not answer'))
    await expect.poll(() => database.work()).toMatchObject({ openConnections: 2, roundTrips: 6 })
    database.abandon()
    await Promise.all(failed)
    await expect(database.query(sql`SELECT 1`)).rejects.toThrow('is closed')
    await database.close()
  })
})

/** A database that calls `after` when a statement of a transaction has been executed. */
function followed(database: Database, after: (text: string) => Promise<void>): Database {
  const around = (connection: Connection): Connection => ({
    async query(...statements) {
      const rows = await connection.query(...statements)
      await after(statements.map(({ text }) => text).join(';\n'))
      return rows
    },
  })
  return {
    query: (...statements) => database.query(...statements),
    holding: (hold) => database.holding(hold),
    transaction: (use, options) => database.transaction((connection) => use(around(connection)), options),
    work: () => database.work(),
    abandon: () => undefined,
    close: async () => undefined,
  }
}

describe.each(postgres)('while one process copies records on a $store store', () => {
  const team = { _id: 'initech', name: 'initech', apiKeys: ['new-key'], contacts: [contact('ada')] }
  const world = { teams: [{ ...team, _id: 'acme', apiKeys: ['acme-key'] }] }
  const acme = { _id: 'acme', name: 'acme', apiKeys: [] }
  const [records, wholeWorld, parts] = [
    /INSERT INTO \S+\.records/,
    /INSERT INTO \S+\.records/,
    /DELETE FROM \S+\.parts/,
  ]

  it.each<[what: string, part: RegExp, work: (store: PostgresStore) => Promise<void>]>([
    ['a new team', records, (store) => store.addTeam(team)],
    ['a reset of a team', records, (store) => store.restoreTeam('acme', { ...team, ...acme })],
    ['the removal of a team', parts, (store) => store.removeTeam('acme')],
    ['a whole world', wholeWorld, (store) => store.replaceAll(world)],
    ['a snapshot', parts, (store) => store.snapshots.put('one', { world, isWhole: true })],
  ])('for %s, another changes settings and records, and adds a team', async (_, part, work) => {
    const { schema, database, other } = await openDatabase()
    let changes = 0
    const slow = await PostgresStore.open(
      followed(database, async (text) => {
        if (!part.test(text) || changes++ > 0) return
        for (const teamId of [undefined, 'globex']) await other.shared.change(teamId, () => ({ changed: true }))
        await other.addTeam({ _id: 'hooli', name: 'hooli', apiKeys: ['hooli-key'] })
        for (const teamId of ['acme', 'globex']) await insert(other, contact('grace'), teamId)
      }),
      schema,
      emptyTeams,
    )
    await work(slow)
    expect(changes).toBeGreaterThan(0)
    // A whole world replaces the records at its end.
    expect(await slow.teamOfKey('hooli-key')).toBe(part === wholeWorld ? undefined : 'hooli')
  })

  it('for a snapshot, another removes it as a whole afterwards', async () => {
    const { schema, database, other } = await openDatabase()
    const snapshot = { world, isWhole: true }
    await other.snapshots.put('one', snapshot)
    let removed: Promise<void> | undefined
    const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE ${`%${schema}%`}`
    const slow = new PostgresSnapshots(
      followed(database, async (text) => {
        if (removed || !text.includes('INSERT INTO')) return
        removed = other.snapshots.remove('one')
        await expect.poll(() => database.query(waiting)).not.toEqual([])
      }),
      tablesIn(schema),
    )
    await slow.put('one', snapshot)
    await removed
    expect(await database.query(sql`SELECT part FROM ${tablesIn(schema).parts} WHERE name = 'one'`)).toEqual([])
  })

  it.each(['id', 'key'])('of a new team, another takes its %s, and all of the copy is undone', async (taken) => {
    const at = `${await postgresUrl()}?schema=${newSchema()}`
    const [one, other] = [await openedAt(at), await openedAt(at)]
    const others = { ...team, contacts: [], ...(taken === 'id' ? { apiKeys: ['other-key'] } : { _id: 'hooli' }) }
    const added = await Promise.allSettled([one.addTeam(team), other.addTeam(others)])
    expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await one.teams()).toHaveLength(3)
    const [, , last] = (await one.world()).teams
    expect(last?.contacts ?? []).toHaveLength(added[0].status === 'fulfilled' ? 1 : 0)
  })
})
