import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { once as cached } from '../../../lib/async.ts'
import { startSandbox } from '../../for-one-test.ts'
import { longestWait } from '../../longest-wait.ts'
import { inTier } from '../../tier.ts'
import { callerOf, twoTeams } from '../helpers.ts'
import { newSchema } from './helpers.ts'
import { PgBouncer, PostgresServer } from './postgres.ts'

/** A server that only these tests use. */
const server = cached(async () => {
  const created = await PostgresServer.create()
  await created?.start('logging_collector=on', 'log_directory=.', 'log_filename=test.log')
  return created
})
const isInstalled = (await server()) !== undefined

const postgres = async () => {
  const started = await server()
  if (!started) throw new Error('PostgreSQL is not installed')
  return started
}

const engine = { name: 'Engine', unitPrice: 1 }

async function openAt(port: number, schema: string, options = '') {
  const store = `postgres://crm@127.0.0.1:${port}/postgres?schema=${schema}${options}`
  const sandbox = await startSandbox({ world: twoTeams, store })
  return { sandbox, call: callerOf(sandbox) }
}

const mailOf = (at: number) => ({ firstName: 'Ada', lastName: 'Lovelace', email: `ada.${at}@example.com` })

describe.skipIf(!isInstalled)('the log of the database', () => {
  it('has no error of a first start, of changes that conflict, or of a team that is there already', async () => {
    const database = await postgres()
    const schema = newSchema()
    const both = await Promise.all([openAt(database.port, schema), openAt(database.port, schema)])
    const creates = async () => {
      const answers = Array.from({ length: 20 }, (_, at) =>
        both.map(({ call }, of) => call('createContact', { body: mailOf(2 * at + of) })),
      )
      for (const { status } of await Promise.all(answers.flat())) expect(status).toBe(201)
      return both[0].sandbox.metrics()
    }
    await expect.poll(creates, { timeout: longestWait }).toMatch(/store_conflicts_total [1-9]/)
    const added = await Promise.allSettled(both.map(({ sandbox }) => sandbox.teams.create({ apiKey: 'initech-key' })))
    expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [row] = await database.rows(`SELECT pg_read_file('test.log') AS log`)
    expect(row?.log).toContain('LOG: ')
    expect(row?.log).not.toMatch(/ERROR: |Lovelace/)
  })
})

describe.skipIf(!isInstalled)('what clients have given up', () => {
  it.each(['PostgreSQL', ...(PgBouncer.isInstalled ? ['PgBouncer'] : [])])(
    'leaves no statement in the database, which has never more than the pools together: by %s',
    { timeout: 4 * longestWait },
    async (by) => {
      const { url, port, rows } = await postgres().then((one) => ({
        url: one.url,
        port: one.port,
        rows: one.rows.bind(one),
      }))
      const pooled = by === 'PgBouncer' ? await PgBouncer.start(port) : undefined
      const schema = newSchema()
      const servers = [1, 2].map(() => openAt(pooled?.port ?? port, schema, '&connections=4'))
      const calls = (await Promise.all(servers)).map(({ call }) => call)
      const backends = async () => {
        const counted = `SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND pid <> `
        return Number((await rows(`${counted}${locker}`))[0]?.count)
      }
      const other = new pg.Client(url)
      await other.connect()
      onTestFinished(() => other.end())
      const locker = Number((await other.query<{ id: number }>('SELECT pg_backend_pid() AS id')).rows[0]?.id)
      await other.query(`BEGIN; LOCK TABLE "${schema}".records`)
      const seen: number[] = []
      let refused = 0
      for (let round = 0; round < inTier({ test: 30, nightly: 120 }); round++) {
        for (const call of [...calls, ...calls])
          void call('createProduct', { body: engine }).then(({ status }) => (refused += status === 500 ? 1 : 0))
        await setTimeout(400)
        seen.push(await backends())
      }
      expect(Math.max(...seen)).toBeLessThanOrEqual(pooled ? 4 : 8)
      expect(refused).toBeGreaterThan(10)
      await other.query('COMMIT')
      await expect.poll(async () => (await calls[0]?.('createProduct', { body: engine }))?.status).toBe(201)
    },
  )
})
