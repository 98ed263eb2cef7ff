import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { once as cached } from '../../../lib/async.ts'
import { postAs, startSandbox } from '../../for-one-test.ts'
import { longestWait } from '../../longest-wait.ts'
import { inTier } from '../../tier.ts'
import { callerOf, twoTeams } from '../helpers.ts'
import { contact, newSchema } from './helpers.ts'
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

const list = { query: { page: 1, limit: 10, types: ['sms'], statuses: ['approved'] } }
const engine = { name: 'Engine', unitPrice: 1 }

async function openAt(port: number, schema: string, options = '') {
  const store = `postgres://crm@127.0.0.1:${port}/postgres?schema=${schema}${options}`
  const lines: string[] = []
  const log = { level: 'error', write: (line: string) => lines.push(line) } as const
  const sandbox = await startSandbox({ world: twoTeams, store, log })
  return { sandbox, call: callerOf(sandbox), lines, ready: () => statusAndMessage(sandbox.fetch('/_sandbox/ready')) }
}

async function statusAndMessage(answered: Promise<Response>) {
  const response = await answered
  return [response.status, ((await response.json()) as { readonly message: string }).message]
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
      const database = await postgres()
      const { port = database.port } = by === 'PgBouncer' ? await PgBouncer.start(database.port) : {}
      const schema = newSchema()
      const servers = await Promise.all([1, 2].map(() => openAt(port, schema, '&connections=4')))
      const calls = servers.map(({ call }) => call)
      const other = new pg.Client({ connectionString: database.url, application_name: 'other' })
      await other.connect()
      onTestFinished(() => other.end())
      const counted = `SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND application_name <> 'other'`
      await other.query(`BEGIN; LOCK TABLE "${schema}".records`)
      const seen: number[] = []
      let refused = 0
      for (let round = 0; round < inTier({ test: 30, nightly: 120 }); round++) {
        for (const call of calls)
          for (const asked of [
            call('createProduct', { body: engine }),
            call('listTemplates', list),
            call('listTemplates', list),
          ])
            void asked.then(({ status }) => (refused += status === 500 ? 1 : 0))
        await setTimeout(400)
        seen.push(Number((await database.rows(counted))[0]?.count))
      }
      // In place of a connection that a client has given up, PgBouncer opens another at once; PostgreSQL ends the one within a second.
      const lasting = seen.map((_, at) => Math.min(...seen.slice(at, at + 4)))
      if (port === database.port) expect(Math.max(...seen)).toBeLessThanOrEqual(8)
      else expect(Math.max(...lasting.slice(0, -3))).toBeLessThanOrEqual(4)
      expect(refused).toBeGreaterThan(10)
      expect(await servers[0]?.ready()).toEqual([503, 'The database does not answer'])
      await other.query('COMMIT')
      await expect.poll(async () => (await calls[0]?.('createProduct', { body: engine }))?.status).toBe(201)
    },
  )
})

describe.skipIf(!isInstalled)('a server', () => {
  it('serves no more once a newer one has changed the tables, and says so', async () => {
    const [database, schema] = [await postgres(), newSchema()]
    const { sandbox, call, lines, ready } = await openAt(database.port, schema)
    expect((await call('createProduct', { body: engine })).status).toBe(201)
    await database.run(`UPDATE "${schema}".sandbox SET tables_version = 2, tables_oldest = 2`)
    const message = expect.stringContaining('A newer crm-sandbox has changed the tables') as string
    for (const asked of [call('createProduct', { body: engine }), call('listTemplates', list)])
      expect(await asked).toMatchObject({ status: 503, body: { success: false, message } })
    expect(await ready()).toEqual([503, message])
    expect(await statusAndMessage(sandbox.fetch('/_sandbox/health'))).toEqual([503, message])
    const [row] = await database.rows(
      `SELECT count(*) FROM "${schema}".records WHERE team = 'acme' AND kind = 'products'`,
    )
    expect(row).toEqual({ count: '1' })
    await expect.poll(() => lines.join('')).toMatch(/"error","time":"[^"]*","error":"Error: A newer crm-sandbox has/)
  })

  it('is not ready while all its work in the database fails, and says how much did', async () => {
    const [database, schema] = [await postgres(), newSchema()]
    const { sandbox, call, ready } = await openAt(database.port, schema)
    const ofHealth = () => statusAndMessage(sandbox.fetch('/_sandbox/health'))
    await database.run(`ALTER TABLE "${schema}".records ADD CONSTRAINT none CHECK (false) NOT VALID`)
    for (let at = 0; at < 3; at++) expect((await call('createProduct', { body: engine })).status).toBe(500)
    expect(await ready()).toEqual([503, 'All that the sandbox asked of its database lately has failed'])
    expect(await ofHealth()).toEqual([
      200,
      'The sandbox is up, but its database failed 3 of 3 reads and changes in the last 30 seconds',
    ])
    expect(await sandbox.metrics()).toMatch(/crm_sandbox_ready 0[^]*crm_sandbox_store_failures_ratio 1\n/)
    await database.run(`ALTER TABLE "${schema}".records DROP CONSTRAINT none`)
    expect((await call('createProduct', { body: engine })).status).toBe(201)
    expect((await ready())[0]).toBe(200)
    expect(await sandbox.health()).toMatchObject({ database: { succeeded: 1, failed: 3 } })
    expect(await sandbox.metrics()).toMatch(/crm_sandbox_ready 1[^]*crm_sandbox_store_failures_ratio 0.75\n/)
  })
})

describe.skipIf(!isInstalled)('resets of many large teams at once', () => {
  it('all succeed, and a small team notices nothing', { timeout: 5 * longestWait }, async () => {
    const { sandbox, call, ready } = await openAt((await postgres()).port, newSchema(), '&connections=2')
    const size = inTier({ test: 8_000, nightly: 22_000 })
    const contacts = Array.from({ length: size }, (_, at) => contact(`${at}`, { ...mailOf(at), teamId: 'large' }))
    const from = {
      teams: [{ _id: 'large', name: 'Large', apiKeys: [], providers: twoTeams.teams[0]?.providers, contacts }],
    }
    const ids: string[] = []
    for (let team = 0; team < 12; team++) ids.push((await sandbox.teams.create({ from })).teamId)
    let areReset = false as boolean
    const seen: unknown[] = []
    const small = async () => {
      while (!areReset) {
        seen.push((await call('createProduct', { body: engine })).status, (await call('listTemplates', list)).status)
        seen.push((await ready())[0])
      }
    }
    const resets = Promise.all(ids.map((id) => sandbox.teams.reset(id))).finally(() => (areReset = true))
    await Promise.all([resets, small()])
    expect(seen.length).toBeGreaterThan(10)
    expect(new Set(seen)).toEqual(new Set([201, 200]))
  })
})

it.skipIf(!isInstalled)('takes memory for records before it keeps them, and gives it back', async () => {
  const { url } = await postgres()
  const sandbox = await startSandbox({ store: `${url}?schema=${newSchema()}`, memory: 32 })
  const conversationId = '66f0a1b2c3d4e5f601235001'
  const message = { channel: 'chat', conversationId, content: 'x'.repeat(95_000) }
  for (let sent = 0; sent < 70; sent++)
    expect((await sandbox.fetch('/api/messages/sendLiveMessage', postAs('demo-key', message))).status).toBe(200)
  const read = async (path: string) => {
    const response = await sandbox.fetch(path, { headers: { 'x-api-key': 'demo-key' } })
    await response.text()
    return response.status
  }
  for (const [refusal, path] of [
    [500, `/api/messages/${conversationId}?page=1&limit=1000`],
    [429, '/_sandbox/outbox'],
    [429, `/_sandbox/teams/demo/inbox/${conversationId}?limit=1000`],
    [429, '/_sandbox/teams/demo/inbox'],
    [429, '/_sandbox/teams/demo/messages?limit=1000'],
    [429, '/_sandbox/teams/demo/messages?limit=1000&sort=-createdAt'],
    [429, '/_sandbox/world'],
    [429, '/_sandbox/changes'],
  ] as const) {
    const statuses = await Promise.all(Array.from({ length: 12 }, () => read(path)))
    expect(statuses, path).toContain(refusal)
    expect(await read(path), path).toBe(200)
    expect(await sandbox.metrics(), path).toMatch(/budget_used_bytes\{use="answers"\} 0$/m)
  }
})
