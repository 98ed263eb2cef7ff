import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { once as cached } from '../../lib/async.ts'
import { createSandbox } from '../../mock/create-sandbox.ts'
import { openStore } from '../../mock/store/open-store.ts'
import { serve } from '../cli/command.ts'
import { twoTeams } from '../mock/helpers.ts'
import { chances, inTier } from '../tier.ts'
import { emptyTeams, newSchema, openedAt } from '../mock/store/helpers.ts'
import { Load } from '../mock/store/load.ts'
import { PgBouncer, PostgresServer } from '../mock/store/postgres.ts'
import { TcpProxy } from '../mock/store/tcp-proxy.ts'
import { startSandbox } from '../for-one-test.ts'

/** A server that only these tests stop and start. */
const server = cached(async () => {
  const created = await PostgresServer.create()
  await created?.start()
  return created
})

const isInstalled = (await server()) !== undefined
if (!isInstalled) console.log('PostgreSQL is not installed, so its trials are skipped; apt-get install postgresql')

const postgres = async () => {
  const started = await server()
  if (!started) throw new Error('PostgreSQL is not installed')
  return started
}

const storeAt = (port: number, ...options: readonly string[]) =>
  `postgres://crm@127.0.0.1:${port}/postgres?${[`schema=${newSchema()}`, ...options].join('&')}`

async function open(store: string): Promise<string> {
  const sandbox = await startSandbox({ port: 0, world: twoTeams, store })
  return sandbox.url
}

const twoReplicas = async (store: string) => [await open(store), await open(store)]

/** The status of a read. */
async function read(url: string): Promise<number> {
  const response = await fetch(`${url}/api/templates?page=1&limit=10&types=sms&statuses=approved`, {
    headers: { 'x-api-key': 'acme-key' },
  })
  await response.arrayBuffer()
  return response.status
}

const statusesOf = (urls: readonly string[]) => Promise.all(urls.map(read))

/** Resolves once the servers answer again. */
const waitForService = (urls: readonly string[]) => expect.poll(() => statusesOf(urls)).toEqual(urls.map(() => 200))

/** Without the proxy that its replicas may use. */
async function worldIn(store: string) {
  const { port } = await postgres()
  return (await openedAt(store.replace(/:\d+\//, `:${port}/`))).world()
}

async function expectNothingWrong(load: Load, store: string): Promise<void> {
  expect(load.wrongIn(await worldIn(store))).toEqual([])
}

/** So many requests succeed at least before a trial begins. */
const few = 50

describe.skipIf(!isInstalled)('two replicas on one PostgreSQL', () => {
  const timeout = inTier({ test: 5, nightly: 30 }) * 60_000
  it('lose nothing and repeat nothing when either is killed at any moment', { timeout }, async () => {
    const store = storeAt((await postgres()).port)
    const start = () => serve(['--world', 'two-teams', '--store', store])
    const replicas = [await start(), await start()]
    const urls = replicas.map(({ url }) => url)
    const load = new Load(urls)
    await load.during(async () => {
      for (let kills = inTier({ test: 6, nightly: 200 }); kills > 0; kills--) {
        await load.successes(Math.random() * few)
        const killed = replicas[kills % 2]
        killed?.child.kill('SIGKILL')
        await killed?.over
        const started = (replicas[kills % 2] = await start())
        urls[kills % 2] = started.url
      }
    })
    expect(load.statuses[500]).toBeUndefined()
    await expectNothingWrong(load, store)
  })

  it.each(['fast', 'crash', 'backend'] as const)(
    'answer 500 while PostgreSQL is stopped (%s), and work again after its start',
    async (how) => {
      const database = await postgres()
      const store = storeAt(database.port)
      const urls = await twoReplicas(store)
      const load = new Load(urls)
      await load.during(async () => {
        for (let rounds = inTier({ test: 1, nightly: 20 }); rounds > 0; rounds--) {
          await load.successes(few + Math.random() * few)
          if (how === 'backend') await killBackend(database)
          else {
            await database.stop(how)
            expect(await statusesOf(urls)).toEqual([500, 500])
            await setTimeout(Math.random() * 500)
            await database.start()
          }
          await waitForService(urls)
        }
      })
      await expectNothingWrong(load, store)
    },
  )

  it('lose nothing and repeat nothing when connections are cut before commits and after them', async () => {
    const proxy = await TcpProxy.to((await postgres()).port)
    const store = storeAt(proxy.port)
    const urls = await twoReplicas(store)
    const chance = chances(1)
    const cuts = { cut: 0, loseAnswer: 0 }
    proxy.fateOf = (request) => {
      if (!/WITH changed AS|FOR UPDATE/.test(request) || chance() > 0.1) return 'pass'
      const fate = chance() < 0.5 ? 'cut' : 'loseAnswer'
      cuts[fate]++
      return fate
    }
    const load = new Load(urls)
    await load.during(async () => {
      for (let rounds = inTier({ test: 14, nightly: 300 }); rounds > 0; rounds--) {
        await load.successes(Math.random() * few)
        proxy.cutAll()
      }
    })
    expect(Math.min(cuts.cut, cuts.loseAnswer)).toBeGreaterThan(2)
    await expectNothingWrong(load, store)
  })

  it('answer 500 while the pool is exhausted, and work again', async () => {
    const { url, port } = await postgres()
    const store = storeAt(port, 'connections=2')
    const urls = await twoReplicas(store)
    const load = new Load(urls, 32)
    await load.during(async () => {
      await load.successes(few)
      const other = new pg.Client(url)
      await other.connect()
      await other.query(`BEGIN; SELECT 1 FROM "${schemaOf(store)}".teams FOR UPDATE`)
      while ((await waitingForLocks()) < 4) await setTimeout(10) // both connections of each replica
      const reads = await Promise.all(
        [...urls, ...urls].map(async (url, at) => {
          await setTimeout(at * 200)
          return read(url)
        }),
      )
      await other.end()
      // A read that gets a connection in between is answered, since it waits for no lock.
      expect(reads).toContain(500)
      expect(reads.filter((status) => ![200, 500].includes(status))).toEqual([])
      await waitForService(urls)
    })
    await expectNothingWrong(load, store)
  })

  it('answer 500 while PostgreSQL has no connection left, and work again', async () => {
    const database = await postgres()
    await database.run('CREATE ROLE guest LOGIN', 'GRANT CREATE ON DATABASE postgres TO guest')
    const store = storeAt(database.port).replace('crm', 'guest')
    const urls = await twoReplicas(store)
    const load = new Load(urls)
    await load.during(async () => {
      await load.successes(few)
      await database.run('ALTER ROLE guest CONNECTION LIMIT 0', endConnectionsOf('guest'))
      expect(await statusesOf(urls)).toEqual([500, 500])
      await setTimeout(200)
      await database.run('ALTER ROLE guest CONNECTION LIMIT -1')
      await waitForService(urls)
    })
    await expectNothingWrong(load, store)
  })

  it('answer 500 when the database takes two seconds, with a bounded queue and flat memory', async () => {
    const proxy = await TcpProxy.to((await postgres()).port)
    const store = storeAt(proxy.port)
    // Without a limit, the garbage collector leaves up to 150 MB of garbage.
    const options = { NODE_OPTIONS: '--max-old-space-size=100' }
    const { url, child } = await serve(['--world', 'two-teams', '--store', store], options)
    const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
    const ask = () => read(url).catch(() => 0)
    await Promise.all(Array.from({ length: 1_000 }, ask))
    const before = memory()
    proxy.delay = 2_000
    const asked: ReturnType<typeof ask>[] = []
    for (let seconds = inTier({ test: 3, nightly: 60 }); seconds > 0; seconds--) {
      asked.push(...Array.from({ length: 400 }, ask))
      await setTimeout(1_000)
      expect(memory() - before).toBeLessThan(60)
    }
    const answers = await Promise.all(asked)
    expect([...new Set(answers)].filter((status) => status !== 200)).toEqual([500])
    expect(memory() - before).toBeLessThan(60)
    proxy.delay = 0
    await waitForService([url])
  })

  it('lose nothing and repeat nothing when a standby behind the same address becomes the primary', async () => {
    for (let rounds = inTier({ test: 1, nightly: 5 }); rounds > 0; rounds--) await failOver()
  })

  it('start at once on a database without tables', async () => {
    const { port } = await postgres()
    for (let rounds = inTier({ test: 5, nightly: 50 }); rounds > 0; rounds--) {
      const store = storeAt(port)
      const started = await Promise.all([1, 2, 3, 4].map(() => createSandbox({ world: twoTeams, store })))
      await Promise.all(started.map((sandbox) => sandbox.close()))
    }
  })
})

async function waitingForLocks(): Promise<number> {
  const query = `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
  return Number((await (await postgres()).rows(query))[0]?.count)
}

if (isInstalled && !PgBouncer.isInstalled)
  console.log('PgBouncer is not installed, so its trial is skipped; apt-get install pgbouncer')

describe.skipIf(!isInstalled || !PgBouncer.isInstalled)('two replicas behind PgBouncer in transaction mode', () => {
  it('lose nothing and repeat nothing, also when it is restarted', async () => {
    const { port } = await postgres()
    const pooled = await PgBouncer.start(port)
    const store = storeAt(pooled.port)
    const urls = await twoReplicas(store)
    const load = new Load(urls, 16)
    await load.during(async () => {
      await load.successes(10 * few)
      await pooled.restart()
      await waitForService(urls)
      await load.successes(few)
    })
    await expectNothingWrong(load, store)
  })
})

const schemaOf = (store: string) => new URL(store).searchParams.get('schema') ?? ''

const endConnectionsOf = (role: string) =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`

/** PostgreSQL then ends all others too, and recovers. */
async function killBackend(database: PostgresServer): Promise<void> {
  const [row] = await database.rows(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'crm-sandbox' ORDER BY random() LIMIT 1`,
  )
  process.kill(Number(row?.pid), 'SIGKILL')
}

async function failOver(): Promise<void> {
  const primary = await PostgresServer.create()
  if (!primary) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => primary.stop('crash'))
  await primary.start()
  const standby = await primary.standby()
  onTestFinished(() => standby.stop('crash'))
  await standby.start()
  // A commit is answered only when the standby has it.
  await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()')
  const proxy = await TcpProxy.to(primary.port)
  const store = storeAt(proxy.port)
  const urls = await twoReplicas(store)
  const load = new Load(urls)
  await load.during(async () => {
    await load.successes(few)
    await primary.stop('crash')
    proxy.target = standby.port
    // Reads that wait for a lost connection of the primary fail once.
    await waitForService(urls)
    await setTimeout(300)
    await standby.run('SELECT pg_promote()')
    await waitForService(urls)
    await load.successes(few)
  })
  const restored = await openStore(store.replace(`:${proxy.port}`, `:${standby.port}`), emptyTeams)
  expect(load.wrongIn(await restored.world())).toEqual([])
  await restored.close()
}
