import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SandboxOptions, Sandbox } from '../../../mock/create-sandbox.ts'
import { bearerOf, twoTeams, callerOf, type Call } from '../helpers.ts'
import { create, engine, keyed } from '../keyed-requests.ts'
import { contact, isDatabase, openedAt, stores, namedStores, type Place } from './helpers.ts'
import type { World } from '../../../fixtures/world.ts'
import { MemoryStore } from '../../../mock/store/memory/memory-store.ts'
import { OwnTallies } from '../../../mock/http/faults/rules.ts'
import {
  NoSuchTeam,
  SettingsChanged,
  type SharedState,
  type Store,
  StoreUnreachable,
} from '../../../mock/store/port.ts'
import { postAs, startSandbox } from '../../for-one-test.ts'
import { longestWait } from '../../longest-wait.ts'
import { once } from 'node:events'
import { control } from '../../../mock/testing/control-client.ts'
import { serve } from '../../cli/command.ts'
import { inTier } from '../../tier.ts'

const sms = { channel: 'sms', providerId: 'sms-provider', to: '+14155550123', content: 'Hello' }
const bulk = { channel: 'sms', providerId: 'sms-provider', content: 'News' }
const soon = { wait: `${longestWait}ms` }
const phones = (count: number) => Array.from({ length: count }, (_, at) => `+1415555${String(at).padStart(4, '0')}`)

const list = { query: { page: 1, limit: 10, types: ['sms'], statuses: ['approved'] } }
const productsOf = async ({ sandbox }: Replica) => (await sandbox.records('acme', 'products')).records

/** Sends requests at once, to one replica after the other. */
const inTurn = <Result>(replicas: readonly Replica[], requests: number, ask: (replica: Replica) => Promise<Result>) =>
  Promise.all(Array.from({ length: Math.ceil(requests / replicas.length) }, () => replicas.map(ask)).flat())

describe.each(stores.filter(isDatabase))('two sandboxes on one $store store', ({ place }) => {
  const open = async (options?: Partial<SandboxOptions>) => openReplicas(await place(), options)
  const statuses = async (replicas: readonly Replica[], requests: number) => {
    const answers = await inTurn(replicas, requests, ({ call }) => call('listTemplates', list))
    return answers.map(({ status }) => status)
  }

  it('have the same records', async () => {
    const [one, other] = await open()
    const { body } = await one.call('createProduct', { body: engine })
    expect(
      await other.call('updateProduct', { path: { productId: body.data._id }, body: { unitPrice: 2 } }),
    ).toMatchObject({ status: 200 })
  })

  it('forget the keys of a world that the other server has replaced', async () => {
    const [one, other] = await open()
    for (const round of [1, 2]) {
      const keysOf = (team: number) => Array.from({ length: 100 }, (_, at) => `key-${round}-${team}-${at}`)
      const teams = Array.from({ length: 101 }, (_, at) => ({ _id: `team-${at}`, name: 'A', apiKeys: keysOf(at) }))
      await one.sandbox.loadWorld({ version: 1, teams } as World)
      await other.sandbox.teams.list()
    }
    await other.sandbox.fetch('/api/?was=key-1-0-0&is=key-2-0-0')
    expect(await other.sandbox.requests.find()).toMatchObject([{ url: '/api/?was=key-1-0-0&is=[redacted]' }])
  })

  it('follow one clock', async () => {
    const [one, other] = await open()
    await one.sandbox.clock.freeze('2030-01-31T09:00:00Z')
    expect(await other.sandbox.clock.read()).toEqual({ now: '2030-01-31T09:00:00.000Z', frozen: true })
    await other.sandbox.clock.advance('1h')
    expect((await one.call('createContact', { body: { firstName: 'Ada', lastName: 'L' } })).body.data.createdAt).toBe(
      '2030-01-31T10:00:00.000Z',
    )
    await other.sandbox.clock.restart()
    expect((await one.sandbox.clock.read()).frozen).toBe(false)
  })

  it.each([{ frozen: true }, { frozen: false }])(
    'lose no advance of it, when both advance it at once: %j',
    async ({ frozen }) => {
      const [one, other] = await open({ assume: { bulkDelivery: 'afterDelay:5400000' } })
      await one.sandbox.clock.set({ now: '2030-01-31T09:00:00Z', frozen })
      for (const to of phones(3)) await one.call('sendBulkMessages', { body: { ...bulk, to } }) // due on the way
      await inTurn([one, other], 10, ({ sandbox }) => sandbox.clock.advance('1h'))
      const { now, frozen: stands } = await other.sandbox.clock.read()
      expect([now.slice(0, 13), stands]).toEqual(['2030-01-31T19', frozen])
      expect(await one.sandbox.outbox.list({ team: 'acme', state: 'sent' })).toHaveLength(3)
    },
  )

  it('announce the changes of records and settings of each other', async () => {
    const [one, other] = await open()
    const followed = other.sandbox.events.follow({ team: 'acme' })
    const next = () => followed.next().then(({ value }) => value)
    expect([await next(), await next()]).toEqual(['records', 'settings'])
    await one.call('createProduct', { body: engine })
    expect(await next()).toBe('records')
    await one.sandbox.clock.freeze()
    expect(await next()).toBe('settings')
  })

  it('switch assumptions together, for all teams and for one', async () => {
    const [one, other] = await open()
    await one.sandbox.assumptions.set({ rateLimit: 'perMinute:3' })
    await one.sandbox.assumptions.set({ rateLimit: 'none' }, { teamId: 'globex' })
    const [mine, theirs] = [
      await statuses([one, other], 4),
      (await other.call('listTemplates', { ...list, key: 'globex-key' })).status,
    ]
    expect([mine.toSorted(), theirs]).toEqual([[200, 200, 200, 429], 200])
    expect(await other.sandbox.assumptions.get('rateLimit', { teamId: 'globex' })).toMatchObject({ from: 'team' })
    await other.sandbox.assumptions.reset()
    expect(await one.sandbox.assumptions.get('rateLimit')).toMatchObject({ choice: 'none', from: 'default' })
  })

  it('both answer the requests of teams that either has created', async () => {
    const [one, other] = await open()
    const { teamId, apiKey } = await one.sandbox.teams.create({ name: 'Initech' })
    expect((await other.call('listTemplates', { ...list, key: apiKey })).status).toBe(200)
    await other.sandbox.teams.delete(teamId)
    expect((await one.call('listTemplates', { ...list, key: apiKey })).status).toBe(401)
  })

  it('refuse by the change that the other has answered, and nothing by what it was before', async () => {
    const [one, other] = await open()
    const body = { firstName: 'Ada', lastName: 'Lovelace', email: 'no address' }
    const create = async () => (await other.call('createContact', { body })).status
    await one.sandbox.assumptions.set({ contactEmailForm: 'anyString' })
    expect(await create()).toBe(201)
    await one.sandbox.assumptions.set({ contactEmailForm: 'checked' })
    expect(await create()).toBe(400)
    const { teamId, apiKey } = await one.sandbox.teams.create()
    const malformed = async () => (await other.sandbox.fetch('/api/contacts', postAs(apiKey, '{'))).status
    expect(await malformed()).toBe(400)
    await one.sandbox.teams.delete(teamId)
    expect(await malformed()).toBe(401)
  })

  it('give different ids to their teams with the same seed', async () => {
    const [one, other] = await open({ seed: 1 })
    const [first, second] = [await one.sandbox.teams.create(), await other.sandbox.teams.create()]
    expect((await one.sandbox.teams.list()).slice(2)).toMatchObject([
      { teamId: first.teamId },
      { teamId: second.teamId },
    ])
  })

  it('give different ids to teams that both create at once with the same seed', async () => {
    const [one, other] = await open({ seed: 1 })
    const created = await inTurn([one, other], 8, ({ sandbox }) => sandbox.teams.create())
    expect(new Set(created.flatMap(({ teamId, apiKey }) => [teamId, apiKey])).size).toBe(16)
    expect(await one.sandbox.teams.list()).toHaveLength(10)
  })

  it('give a key to one team when both create one with it', async () => {
    const [one, other] = await open()
    const create = ({ sandbox }: Replica) => sandbox.teams.create({ apiKey: 'initech-key' })
    const results = await Promise.allSettled([create(one), create(other)])
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([
      { reason: { status: 400, message: expect.stringContaining('choose another') as string } },
    ])
    expect(await one.sandbox.teams.list()).toHaveLength(3)
  })

  it('accept the tokens of each other, until a reset by either', async () => {
    const [one, other] = await open()
    const headers = await bearerOf(one.sandbox)
    const ask = ({ call }: Replica) => call('listTemplates', { ...list, key: null, headers })
    expect([(await ask(one)).status, (await ask(other)).status]).toEqual([200, 200])
    await other.sandbox.reset()
    expect([(await ask(one)).status, (await ask(other)).status]).toEqual([401, 401])
  })

  it('return to the start together', async () => {
    const [one, other] = await open()
    await create(one.call)
    await one.sandbox.clock.freeze()
    await one.sandbox.faults.add({ status: 503 })
    await one.sandbox.gates.add({ operation: 'createProduct' })
    await one.sandbox.assumptions.set({ rateLimit: 'perMinute:1' })
    await other.sandbox.reset()
    expect((await create(one.call)).status).toBe(201)
    expect(await one.sandbox.world()).toMatchObject({ teams: [{ products: [engine] }, {}] })
    expect([await one.sandbox.faults.list(), await one.sandbox.gates.list()]).toEqual([[], []])
    expect((await one.sandbox.clock.read()).frozen).toBe(false)
    expect((await one.sandbox.requests.find()).map(({ operation }) => operation)).toEqual(['createProduct'])
  })

  it('restore a snapshot of everything, with what a reset of each team then brings back', async () => {
    const [one, other] = await open()
    const contacts = Array.from({ length: 250 }, (_, at) => contact(`c-${at}`, { teamId: 'any' }))
    const { providers } = twoTeams.teams[0] ?? {}
    const from = { teams: [{ _id: 'any', name: 'Any', apiKeys: [], providers, contacts }] }
    const add = (key: string) => one.call('createContact', { key, body: { firstName: 'Ada', lastName: 'L' } })
    const [kept, gone] = [await one.sandbox.teams.create({ from }), await one.sandbox.teams.create({ from })]
    for (const key of [kept.apiKey, gone.apiKey, 'globex-key']) await add(key)
    await one.sandbox.snapshots.save('seeded')
    const before = await one.sandbox.world()
    for (const teamId of [gone.teamId, 'globex']) await other.sandbox.teams.delete(teamId)
    await one.sandbox.teams.create({ from })
    await add(kept.apiKey)
    await other.sandbox.snapshots.restore('seeded')
    expect(await one.sandbox.world()).toEqual(before)
    const found = [kept.teamId, gone.teamId, 'globex'].map(async (teamId) => {
      await one.sandbox.teams.reset(teamId)
      return (await other.sandbox.records(teamId, 'contacts')).total
    })
    expect(await Promise.all(found)).toEqual([250, 251, 0])
  })

  it('answer requests in flight during a reset, or say that the server failed, and never that the key is wrong', async () => {
    const [one, other] = await open()
    const seen: number[] = []
    for (let round = 0; round < 5; round++) {
      const writes = inTurn([one, other], 40, ({ call }) => call('createProduct', { body: engine }))
      await one.sandbox.reset()
      seen.push(...(await writes).map(({ status }) => status))
    }
    expect(new Set([...seen, 201, 500])).toEqual(new Set([201, 500]))
    expect(seen).toContain(201)
    expect((await one.call('createProduct', { body: engine })).status).toBe(201)
  })

  describe('a fault', () => {
    it.each([
      [{ times: 5 }, 5],
      [{ nth: 3, times: 2 }, 2],
      [{}, 30],
    ])('%j applies to as many requests of both as it says', async (times, failed) => {
      const [one, other] = await open()
      const { id } = await one.sandbox.faults.add({ status: 503, operation: 'listTemplates', ...times })
      const seen = await statuses([one, other], 30)
      expect(seen.filter((status) => status === 503)).toHaveLength(failed)
      expect(await other.sandbox.faults.get(id)).toMatchObject({ fired: failed })
      await other.sandbox.faults.delete(id)
      expect(await statuses([one, other], 2)).toEqual([200, 200])
    })

    it('is counted without a change of the settings', async () => {
      const store = await sharedMemoryStore()
      const [one, other] = await openReplicas(async () => store)
      for (const team of ['acme', 'globex']) await one.sandbox.faults.add({ status: 503, team, nth: 20 })
      const version = (await store.shared.observe(undefined))?.version
      const seen = await statuses([one, other], 24)
      expect(seen.filter((status) => status === 503)).toHaveLength(1)
      expect(await store.shared.observe(version)).toBeUndefined()
      expect(await other.sandbox.faults.list()).toMatchObject([
        { id: 'fault-1', team: 'acme', fired: 1, usedUp: true },
        { id: 'fault-2', team: 'globex', matched: 0, fired: 0, usedUp: false },
      ])
    })

    it('has another number and place than those that the other adds at once, for any team', async () => {
      const [one, other] = await open()
      const teams = [undefined, 'acme', 'globex']
      await inTurn([one, other], 6, async ({ sandbox }) => {
        for (const team of teams) await sandbox.faults.add({ status: 503, ...(team === undefined ? {} : { team }) })
      })
      const ids = Array.from({ length: 18 }, (_, at) => `fault-${at + 1}`)
      expect((await one.sandbox.faults.list()).map(({ id }) => id)).toEqual(ids)
      await other.sandbox.faults.clear()
      expect(await one.sandbox.faults.list()).toEqual([])
      expect(await statuses([one, other], 2)).toEqual([200, 200])
    })

    it('that is cleared by one ends the connections that it delays in the other', async () => {
      const [one, other] = await open()
      await one.sandbox.faults.add({ delay: '30s' })
      const lost = expect(one.call('listTemplates', list)).rejects.toThrow('fetch failed')
      await expect.poll(() => other.sandbox.faults.list()).toMatchObject([{ fired: 1 }])
      await other.sandbox.faults.clear()
      await lost
    })

    it('still delays a request of another team after the reset of a team', async () => {
      const [one, other] = await open()
      await one.sandbox.faults.add({ delay: '400ms' })
      const answered = one.call('listTemplates', { ...list, key: 'globex-key' })
      await expect.poll(() => other.sandbox.faults.list()).toMatchObject([{ fired: 1 }])
      await other.sandbox.teams.reset('acme')
      expect((await answered).status).toBe(200)
    })
  })

  describe('a gate', () => {
    const held = async (options?: Partial<SandboxOptions>) => {
      const [one, other] = await open(options)
      const { id } = await one.sandbox.gates.add({ operation: 'createProduct', timeout: longestWait })
      const asked = other.call('createProduct', { body: engine })
      const passed = asked.then(({ status }) => Promise.reject(new Error(`The gate let it pass, with ${status}`)))
      passed.catch(() => undefined)
      const gate = await Promise.race([one.sandbox.gates.wait(id, soon), passed])
      expect(gate).toMatchObject({ id, state: 'held', matched: 1 })
      return { one, other, id, asked }
    }

    // The test ends before the gate lets the request go by itself.
    it('of one holds a request of the other, until it is released', { timeout: longestWait }, async () => {
      const { one, other, id, asked } = await held()
      expect(await statuses([one, other], 2)).toEqual([200, 200])
      expect(await one.sandbox.gates.release(id)).toMatchObject({ state: 'released' })
      expect((await asked).status).toBe(201)
    })

    it('of one lets a request of the other fail', async () => {
      const { one, other, id, asked } = await held()
      await one.sandbox.gates.fail(id, { status: 503 })
      expect((await asked).status).toBe(503)
      expect(await productsOf(other)).toEqual([])
      expect(await other.sandbox.gates.get(id)).toMatchObject({ state: 'failed' })
    })

    it('lets the request go on when it is deleted', async () => {
      const { one, id, asked } = await held()
      await one.sandbox.gates.delete(id)
      expect((await asked).status).toBe(201)
    })

    it.each(['clear', 'reset'] as const)('ends the connection of the request at a %s', async (end) => {
      const { one, asked } = await held()
      const lost = expect(asked).rejects.toThrow('fetch failed')
      await (end === 'clear' ? one.sandbox.gates.clear() : one.sandbox.reset())
      await lost
    })

    it('is dropped when the sandbox with the request is closed, and stays in the other', async () => {
      const { one, other, id, asked } = await held()
      const lost = expect(asked).rejects.toThrow('fetch failed')
      await other.sandbox.close()
      await lost
      expect(await one.sandbox.gates.get(id)).toMatchObject({ state: 'dropped' })
    })
  })

  describe('a repeated Idempotency-Key', () => {
    it('is refused for another request, and keeps its answer', async () => {
      const [one, other] = await open()
      const first = await create(one.call)
      expect((await create(other.call, { name: 'Other', unitPrice: 1 })).status).toBe(400)
      expect((await create(other.call)).body).toEqual(first.body)
    })

    it('is answered without a check of the request', async () => {
      const [one, other] = await open({ assume: { repeatedKeyOtherBody: 'replay' } })
      const first = await create(one.call)
      expect((await create(other.call, { unitPrice: 'no number' })).body).toEqual(first.body)
    })

    it('stores no refusal of the key itself', async () => {
      const [one, other] = await open({ assume: { keyScope: 'team', failuresKept: 'yes' } })
      await create(one.call)
      expect((await other.call('createCompany', keyed({ name: 'Analytical Engines' }))).status).toBe(400)
      expect((await one.sandbox.world()).teams[0]?.answers).toHaveLength(1)
    })
  })

  describe('due work', () => {
    const sent = async ({ sandbox }: Replica, atLeast: number) =>
      (
        await sandbox.outbox.list({
          team: 'acme',
          state: 'sent',
          limit: 1000,
          ...(atLeast > 0 && { atLeast, ...soon }),
        })
      ).flatMap(({ to }) => to)

    it('is done once', async () => {
      const [one, other] = await open()
      const to = phones(150)
      await Promise.all([
        one.call('sendBulkMessages', { body: { ...bulk, to: to.slice(0, 100).join() } }),
        other.call('sendBulkMessages', { body: { ...bulk, to: to.slice(100).join() } }),
      ])
      expect((await sent(one, to.length)).toSorted()).toEqual(to)
    })

    it('that one has scheduled is done by the other', async () => {
      const [one, other] = await open({ assume: { bulkDelivery: 'afterDelay:400' } })
      await one.call('sendBulkMessages', { body: { ...bulk, to: phones(3).join() } })
      await one.sandbox.close()
      expect(await sent(other, 3)).toEqual(phones(3))
    })

    it('of a dead process is done before the answer to a change of the clock', async () => {
      const at = await place()
      const [one, other] = await openReplicas(at, { assume: { bulkDelivery: 'afterDelay:60000' } })
      await one.sandbox.clock.freeze()
      await one.call('sendBulkMessages', { body: { ...bulk, to: phones(3).join() } })
      await one.sandbox.close()
      const store = await openedAt(at, twoTeams)
      const due = Number(await store.nextDue())
      expect(await store.claimDue(due, Date.now(), Date.now() + 500)).toBe('acme')
      await other.sandbox.clock.set(due)
      expect(await sent(other, 0)).toEqual(phones(3))
    })

    it('is done by either before the answer to an advance of the clock', async () => {
      const [one, other] = await open({ assume: { bulkDelivery: 'afterDelay:60000' } })
      for (let round = 1; round <= 5; round++) {
        await one.call('sendBulkMessages', { body: { ...bulk, to: phones(20).join() } })
        await other.sandbox.clock.advance('1m')
        expect((await one.sandbox.outbox.list({ team: 'acme', state: 'sent', limit: 1000 })).length).toBe(20 * round)
      }
    })
  })

  // The test ends before the wait.
  it('see in a wait for the outbox what the other sends', { timeout: longestWait }, async () => {
    const [one, other] = await open()
    const waiting = one.sandbox.outbox.list({ team: 'acme', ...soon })
    expect(await other.sandbox.outbox.list()).toEqual([]) // the wait has begun
    await other.call('sendMessage', { body: sms })
    expect(await waiting).toHaveLength(1)
  })
})

describe('a sandbox on a store that others share', () => {
  it('answers 500 while the store cannot be reached, logs that once, and works again', async () => {
    const store = await sharedMemoryStore()
    const lines: string[] = []
    const [{ call, sandbox }, other] = await openReplicas(async () => store, {
      log: { level: 'error', write: (line) => lines.push(line) },
    })
    await Promise.all([sandbox.doDueWork(), other.sandbox.doDueWork()])
    store.fail(new Error('The database has gone'))
    expect((await sandbox.fetch('/api/templates', { headers: { 'x-api-key': 'acme-key' } })).status).toBe(500)
    await expect.poll(() => store.refused()).toBeGreaterThan(20) // by each of the two several times
    store.fail(undefined)
    expect((await call('listTemplates', list)).status).toBe(200)
    expect(lines.filter((line) => line.includes('The database has gone') && !line.includes('"url"'))).toHaveLength(2)
  })

  it('answers in the envelope also when the store is lost after a refusal', async () => {
    const store = await sharedMemoryStore()
    const [{ sandbox }] = await openReplicas(async () => store)
    const gone = () => Promise.reject(new Error('The database at 10.0.0.7 has gone'))
    const edit = async () => {
      const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }
      const response = await sandbox.fetch('/api/deals/edit/none', { method: 'PUT', headers, body: '{"name":"New"}' })
      return [response.status, await response.json()] as const
    }
    store.read = gone
    expect(await edit()).toEqual([404, { success: false, message: 'Resource not found' }])
    store.transaction = () => Promise.reject(new NoSuchTeam('acme'))
    store.team = gone
    expect(await edit()).toEqual([500, { success: false, message: expect.not.stringContaining('10.0.0.7') as string }])
  })

  it(
    'is up while the store cannot be reached, and not healthy for the operator',
    { timeout: longestWait },
    async () => {
      const store = await sharedMemoryStore()
      const [{ sandbox }] = await openReplicas(async () => store, { controlToken: 'a-control-token-of-ours' })
      onTestFinished(() => store.fail(undefined)) // before the sandboxes are closed, which would wait
      for (const failure of [new Error('The database has gone'), 'hangs'] as const) {
        store.fail(failure)
        expect((await sandbox.fetch('/_sandbox/health')).status).toBe(200)
        await expect(sandbox.health()).rejects.toMatchObject({ status: 500 })
        store.fail(undefined)
        await expect(sandbox.health()).resolves.toMatchObject({ store: 'memory' })
      }
    },
  )

  it('lives while the store cannot be reached, and is not ready', async () => {
    const store = await sharedMemoryStore()
    const [{ sandbox }] = await openReplicas(async () => store, { controlToken: 'a-control-token-of-ours' })
    onTestFinished(() => store.fail(undefined)) // before the sandboxes are closed, which would wait
    const ask = async () => {
      const answers = ['live', 'ready'].map((path) => sandbox.fetch(`/_sandbox/${path}`))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    for (const failure of [new Error('The database has gone'), 'hangs'] as const) {
      store.fail(failure)
      expect(await ask()).toEqual([200, 503])
      expect(await sandbox.metrics()).toContain('crm_sandbox_ready ')
      expect(await (await sandbox.fetch('/_sandbox/ready')).json()).toEqual({
        success: false,
        message: 'The database does not answer',
      })
      store.fail(undefined)
      expect(await ask()).toEqual([200, 200])
    }
  })

  it('asks the store for the changes of records only after a commit', async () => {
    const store = await sharedMemoryStore()
    const [{ sandbox }, other] = await openReplicas(async () => store)
    const followed = sandbox.events.follow()
    const next = () => followed.next().then(({ value }) => value)
    expect([await next(), await next()]).toEqual(['records', 'settings'])
    const polled = vi.spyOn(store.shared, 'poll')
    await expect.poll(() => polled.mock.calls.length).toBeGreaterThan(6)
    const asked = vi.spyOn(store.shared, 'revision')
    await expect.poll(() => polled.mock.calls.length).toBeGreaterThan(20)
    expect(asked).not.toHaveBeenCalled()
    await other.call('createProduct', { body: engine })
    expect(await next()).toBe('records')
    asked.mockRejectedValueOnce(new Error('The answer was lost'))
    await other.call('createProduct', { body: engine })
    expect(await next()).toBe('records')
  })

  it('answers 500, and not that a team exists, when the answer to its addition is lost', async () => {
    const store = await sharedMemoryStore()
    const [{ sandbox }] = await openReplicas(async () => store, { seed: 1 })
    const add = store.addTeam.bind(store)
    vi.spyOn(store, 'addTeam').mockImplementationOnce(async (team) => {
      await add(team)
      throw new StoreUnreachable('The answer was lost')
    })
    await expect(sandbox.teams.create()).rejects.toMatchObject({ status: 500 })
    expect(await sandbox.teams.list()).toHaveLength(3)
  })

  it('closes while the store hangs, with a request and a gate', { timeout: longestWait }, async () => {
    const store = await sharedMemoryStore()
    const [{ sandbox, call }] = await openReplicas(async () => store)
    await sandbox.gates.add({ operation: 'createProduct' })
    const held = call('createProduct', { body: engine }).catch(() => undefined)
    await expect.poll(() => sandbox.gates.list()).toMatchObject([{ state: 'held' }])
    store.fail('hangs')
    const asked = call('listTemplates', list).catch(() => undefined)
    await sandbox.close()
    await Promise.all([held, asked])
  })

  it('closes while the store hangs, even if work goes on that it has abandoned', { timeout: longestWait }, async () => {
    const store = await sharedMemoryStore()
    const [{ sandbox }] = await openReplicas(async () => store)
    onTestFinished(() => store.fail(undefined))
    vi.spyOn(store.shared, 'abandon').mockReturnValue() // as a connection that is being opened
    store.fail('hangs')
    await expect.poll(() => store.hanging()).toBeGreaterThan(0)
    await sandbox.close()
  })

  it('keeps settings of a later version that it does not know', async () => {
    const store = await sharedMemoryStore()
    const [{ call, sandbox }] = await openReplicas(async () => store)
    const later = { choices: { rateLimit: 'perMinute:1', unknown: 'choice', keyScope: 'new' }, later: true }
    await store.shared.change(undefined, () => later)
    await sandbox.clock.freeze()
    expect([(await call('listTemplates', list)).status, (await call('listTemplates', list)).status]).toEqual([200, 429])
    expect((await store.shared.observe(undefined))?.changed[0]?.settings).toMatchObject(later)
  })
})

interface Replica {
  readonly sandbox: Sandbox
  readonly call: Call
}

/** Two sandboxes on one store, which has a name or is opened by each. */
async function openReplicas(
  place: Place,
  { world = twoTeams, ...options }: Partial<SandboxOptions> = {},
): Promise<[Replica, Replica]> {
  const opened = async (): Promise<Replica> => {
    if (typeof place === 'string') return openReplica({ world, ...options, store: place })
    const spy = vi.spyOn(MemoryStore, 'open').mockImplementation(() => place(world) as never)
    return openReplica({ world, ...options }).finally(() => spy.mockRestore())
  }
  return [await opened(), await opened()]
}

async function openReplica(options: SandboxOptions): Promise<Replica> {
  const sandbox = await startSandbox(options)
  return { sandbox, call: callerOf(sandbox) }
}

/** A store in memory that several sandboxes share, and that can become unreachable. */
async function sharedMemoryStore(world: World = twoTeams) {
  const store = await MemoryStore.open(world)
  let version = 1
  const settings = new Map<string | undefined, { at: number; json: string }>([[undefined, { at: 1, json: '{}' }]])
  const tallies = new OwnTallies()
  let broken: Error | 'hangs' | undefined
  const hanging: (() => void)[] = []
  let isAbandoned = false
  let refused = 0
  const answer = async <Result>(read: () => Result | Promise<Result>): Promise<Result> => {
    await setTimeout(1)
    if (broken === 'hangs' && !isAbandoned) await new Promise<void>((resolve) => hanging.push(resolve))
    if (isAbandoned) throw new Error('abandoned')
    if (!broken || broken === 'hangs') return read()
    refused++
    throw broken
  }
  const shared: SharedState = {
    abandon: () => {
      isAbandoned = true
      for (const goOn of hanging.splice(0)) goOn()
    },
    observe: (known = 0) =>
      answer(() => {
        if (known === version) return undefined
        const changed = [...settings].filter(([, { at }]) => at > known)
        const parsed = (json: string) => JSON.parse(json) as object
        return {
          version,
          hasRemoteQueries: false,
          changed: changed.map(([teamId, { json }]) => ({ teamId, settings: parsed(json), apiKeys: [] })),
        }
      }),
    poll: () =>
      answer(async () => ({
        version,
        nextDue: await store.nextDue(),
        commits: JSON.stringify(await store.world()),
      })),
    change: (teamId, work) =>
      answer(() => {
        const before = JSON.parse(settings.get(teamId)?.json ?? '{}') as object
        settings.set(teamId, { at: ++version, json: JSON.stringify(work(before)) })
      }),
    tallies: {
      add: (names, most) => answer(() => tallies.add(names, most)),
      all: () => answer(() => tallies.all()),
      remove: (names) => answer(() => tallies.remove(names)),
    },
    remoteQueries: {
      announce: () => answer(() => undefined),
      leave: () => answer(() => undefined),
      ask: () => answer(() => ({ answers: [], unanswered: [] })),
      answer: () => answer(() => undefined),
    },
    revision: (teamId) =>
      answer(async () => JSON.stringify(teamId === undefined ? await store.world() : await store.teamInWorld(teamId))),
  }
  const ownTeamOfKey = store.teamOfKey.bind(store)
  const [read, transaction] = [store.read.bind(store), store.transaction.bind(store)]
  const compare = (known = version) =>
    answer(() => {
      if (known !== version) throw new SettingsChanged()
    })
  const comparing: Pick<Store, 'read' | 'transaction'> = {
    read: (teamId, work, reader) => compare(reader?.settings).then(() => read(teamId, work)),
    transaction: (teamId, work, reader) => compare(reader?.settings).then(() => transaction(teamId, work)),
  }
  Object.assign(store, comparing)
  return Object.assign(store, {
    shared,
    teamOfKey: (apiKey: string) => answer(() => ownTeamOfKey(apiKey)),
    fail: (failure: Error | 'hangs' | undefined) => {
      broken = failure
      for (const goOn of hanging.splice(0)) goOn()
    },
    refused: () => refused,
    hanging: () => hanging.length,
  })
}

const shared = namedStores.filter(({ store }) => store === 'PostgreSQL')

/** Two processes on one store. */
async function twoProcesses(store: string, ...options: readonly string[]) {
  const args = ['--world', 'two-teams', '--store', store, ...options]
  const [one, other] = [await serve(args), await serve(args)]
  return { one, other, urls: [one.url, other.url] as const }
}

const post = (url: string, path: string, body: object, headers: object = {}) =>
  fetch(url + path, postAs('acme-key', body, headers))

const outboxOf = async (url: string, atLeast: number) =>
  (await control({ url }).outbox.list({ team: 'acme', state: 'sent', limit: 1000, atLeast, ...soon })).flatMap(
    ({ to }) => to,
  )

describe.each(shared)('two processes on one $store store', ({ place }) => {
  it('apply a change by one to the next request of the other', async () => {
    const { urls } = await twoProcesses(await place())
    const [one, other] = [control({ url: urls[0] }), control({ url: urls[1] })]
    const create = (url: string) => post(url, '/api/products', { name: 'Cog', unitPrice: 3 })
    for (let round = 0; round < 10; round++) {
      await one.clock.freeze('2030-01-31T09:00:00Z')
      expect((await other.clock.read()).now).toBe('2030-01-31T09:00:00.000Z')
      await one.faults.add({ operation: 'createProduct', status: 503, times: 1 })
      expect([(await create(urls[1])).status, (await create(urls[0])).status]).toEqual([503, 201])
      await one.assumptions.set({ rateLimit: 'perMinute:1' })
      expect([(await create(urls[1])).status, (await create(urls[0])).status]).toEqual([201, 429])
      await other.reset()
      expect((await one.clock.read()).frozen).toBe(false)
      expect((await create(urls[0])).status).toBe(201)
    }
  })

  it('send a bulk message once to everybody, when one is killed on the way', async () => {
    for (let round = 0; round < inTier({ test: 1, nightly: 20 }); round++) {
      const { one, other, urls } = await twoProcesses(await place(), '--assume', 'bulkDelivery=afterDelay:1')
      const to = Array.from({ length: 1000 }, (_, at) => `+1415557${String(at).padStart(4, '0')}`)
      expect((await post(one.url, '/api/messages/sendBulkNewMessages', { ...sms, to: to.join() })).status).toBe(200)
      await outboxOf(urls[1], 1 + Math.floor(Math.random() * 300))
      one.child.kill('SIGKILL')
      await one.over
      expect((await outboxOf(other.url, to.length)).toSorted()).toEqual(to)
      other.child.kill('SIGTERM')
      await once(other.child, 'close')
    }
  })
})
