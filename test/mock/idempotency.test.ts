import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { envelopeOf } from '../../mock/core/envelope.ts'
import { keyedBy } from '../../mock/core/idempotency.ts'
import { ids } from '../../mock/core/ids.ts'
import { operations as mocked } from '../../mock/operations/index.ts'
import type { Operation, Operations } from '../../mock/core/operation.ts'
import { performer, type Request } from '../../mock/core/perform.ts'
import { refuse } from '../../mock/core/refusals.ts'
import { Teams } from '../../mock/core/teams.ts'
import { MemoryStore } from '../../mock/store/memory/memory-store.ts'
import type { Store } from '../../mock/store/port.ts'
import { assumedBy } from '../../spec/assumed.ts'
import { chooseAll, type WrittenChoices } from '../../spec/choices.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { examples, furnished, operationIds, withBody } from './asks.ts'
import { seeEachChoice } from './each-choice.ts'
import { type Ask, type Call, openSandbox, type Told, twoTeams } from './harness.ts'

const engine = { name: 'Difference engine', unitPrice: 1200 }
const noPrice = { name: 'Difference engine' }
const company = { name: 'Analytical Engines' }
const oneDay = 24 * 60 * 60 * 1000

const keyed = (body: unknown, key = 'once', more: Ask = {}): Ask => ({
  ...more,
  body,
  headers: { ...more.headers, 'idempotency-key': key },
})

const create = (call: Call, body: unknown = engine, key?: string, more?: Ask) =>
  call('createProduct', keyed(body, key, more))

/** The names of the products of the team, in the order of creation. */
const namesIn = (world: World, team = 0) => world.teams[team]?.products?.map(({ name }) => name) ?? []

/** A clock that the test moves. */
function handClock(now = Date.parse('2026-03-01T09:30:00Z')) {
  return {
    now: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

describe.each(withBody)('a key on %s', (id) => {
  const again = (call: Call) => call(id, { ...examples[id], headers: { 'idempotency-key': 'once' } })

  it('that is repeated gets the first answer, and changes nothing', async () => {
    const clock = handClock()
    const { sandbox, call } = await openSandbox({ world: furnished, clock })
    const first = await again(call)
    const world = await sandbox.world()
    clock.pass(1_000)
    const second = await again(call)
    expect(operations[id].successStatuses).toContain(first.status)
    expect({ ...second, assumed: [] }).toEqual({ ...first, assumed: [] })
    expect(second.assumed).toEqual(expect.arrayContaining([...first.assumed, 'repeatedKey']))
    expect(first.assumed).not.toContain('repeatedKey')
    expect(await sandbox.world()).toEqual(world)
  })

  it('is free for another team', async () => {
    const { sandbox, call } = await openSandbox({ world: furnished })
    const ofGlobex = { ...examples[id], key: 'globex-key', headers: { 'idempotency-key': 'once' } }
    const alone = await (await openSandbox({ world: furnished })).call(id, { ...ofGlobex, headers: {} })
    await again(call)
    const { status, assumed } = await call(id, ofGlobex)
    expect({ status, assumed }).toEqual({ status: alone.status, assumed: alone.assumed })
    expect((await sandbox.world()).teams[0]?.answers).toHaveLength(1)
  })

  it('can be used again after a refusal', async () => {
    const { call } = await openSandbox({ world: furnished })
    const bad = await call(id, keyed([], 'once', examples[id]))
    const good = await again(call)
    expect([bad.status, operations[id].successStatuses.includes(good.status)]).toEqual([400, true])
    expect(bad.assumed).not.toContain('failuresKept')
    expect(good.assumed).toContain('failuresKept')
  })
})

describe.each(['memory', 'file'] as const)('64 simultaneous requests with one key, with the %s store,', (kind) => {
  it.each(withBody)('get one answer from %s, and have one effect', async (id) => {
    const options = { world: furnished, seed: 1, clock: handClock() }
    const ask = { ...examples[id], headers: { 'idempotency-key': 'once' } }
    const alone = await openSandbox(options)
    const expected = await alone.call(id, ask)
    const { sandbox, call } = await openSandbox({ ...options, store: await newStore(kind) })
    const answers = await Promise.all(Array.from({ length: 64 }, () => call(id, ask)))
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: expected.status, body: expected.body })
    // A bulk send is delivered a little later.
    await expect.poll(() => sandbox.world()).toEqual(await alone.sandbox.world())
  })

  it('are all refused with the same message, and change nothing', async () => {
    const { sandbox, call } = await openSandbox({ store: await newStore(kind) })
    const answers = await Promise.all(Array.from({ length: 64 }, () => create(call, noPrice)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.message}`))).toEqual(
      new Set(['400 unitPrice is required']),
    )
    expect(namesIn(await sandbox.world())).toEqual([])
  })

  it('have one effect for each key when there are several', async () => {
    const { sandbox, call } = await openSandbox({ store: await newStore(kind) })
    const keys = Array.from({ length: 64 }, (_, at) => `key ${at % 8}`)
    const answers = await Promise.all(keys.map((key) => create(call, { ...engine, name: key }, key)))
    expect(answers.map(({ body }) => body.data.name)).toEqual(keys)
    expect(namesIn(await sandbox.world()).sort()).toEqual([...new Set(keys)].sort())
  })
})

describe('a kept answer', () => {
  it('survives a restart', async () => {
    const store = await newStore('file')
    const before = await openSandbox({ store })
    const first = await create(before.call)
    await before.sandbox.close()
    const after = await openSandbox({ store })
    const second = await create(after.call)
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(namesIn(await after.sandbox.world())).toEqual([engine.name])
  })

  it('is dropped by a reset', async () => {
    const { sandbox, call } = await openSandbox()
    const first = await create(call)
    await sandbox.reset()
    const second = await create(call)
    expect(second.status).toBe(201)
    expect(second.body.data._id).not.toBe(first.body.data._id)
    expect(second.assumed).not.toContain('repeatedKey')
  })

  it('is stored together with the effect, or neither is', async () => {
    const store = new MemoryStore(twoTeams)
    const before = await store.world()
    const perform = performOn(brokenStore(store))
    await expect(perform(createProduct())).rejects.toThrow('no room for an answer')
    expect(await store.world()).toEqual(before)
  })

  it('is dropped when there are more than ten thousand, the oldest first', async () => {
    const { sandbox, call } = await openSandbox({ world: worldWithAnswers(10_000), clock: handClock() })
    const known = () => create(call, engine, 'key 0')
    expect((await known()).assumed).toContain('repeatedKeyOtherBody')
    expect((await create(call, { ...engine, name: 'One more' }, 'one more')).status).toBe(201)
    expect((await sandbox.world()).teams[0]?.answers).toHaveLength(10_000)
    expect(await known()).toMatchObject({ status: 201, assumed: [] })
    expect((await create(call, { ...engine, name: 'One more' }, 'one more')).assumed).toContain('repeatedKey')
    expect((await sandbox.world()).teams[0]?.answers).toHaveLength(10_000)
  })
})

describe('a key with unusual characters', () => {
  const keys = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    '0',
    '-1',
    ' ',
    'a b',
    'a, b',
    '"quoted"',
    "'; drop table answers; --",
    '../../etc/passwd',
    '{"a":1}',
    'createProduct once',
    'createCompany once',
    'acme once',
    '%00',
    '%0d%0aSet-Cookie: a=b',
    '\u00e9\u00ff',
    '<script>',
    '${7*7}',
    'once\tonce',
    'x'.repeat(255),
    'X'.repeat(255),
  ].filter((key) => key.trim() !== '')

  it('is accepted, and recognised when it is repeated', async () => {
    const { sandbox, call } = await openSandbox()
    const named = keys.map((key, at) => ({ key, body: { ...engine, name: `engine ${at}` } }))
    for (const { key, body } of named) expect((await create(call, body, key)).status).toBe(201)
    for (const { key, body } of named) expect((await create(call, body, key)).body.data.name).toBe(body.name)
    expect(namesIn(await sandbox.world())).toHaveLength(keys.length)
  })
})

const twice = async (call: Call, second: unknown = engine): Promise<{ first: Told; told: Told; seen: unknown }> => {
  const first = await create(call)
  const told = await create(call, second)
  return { first, told, seen: seenOf(first, told) }
}

const seenOf = (first: Told, second: Told) =>
  second.status >= 400 ? second.status : second.body.data._id === first.body.data._id ? 'the first' : 'another'

seeEachChoice({
  repeatedKey: {
    story: (call) => twice(call),
    shows: { replay: 'the first', reexecute: 'another', refuse: 400 },
    otherwise: (call) => create(call),
  },
  repeatedKeyOtherBody: {
    story: (call) => twice(call, { ...engine, name: 'Another' }),
    shows: { refuse: 400, replay: 'the first', execute: 'another' },
    otherwise: async (call) => (await twice(call)).told,
  },
  failuresKept: {
    story: async (call) => {
      await create(call, noPrice)
      const told = await create(call)
      return { told, seen: told.status }
    },
    shows: { no: 201, yes: 400 },
    otherwise: async (call) => (await twice(call)).told,
  },
  keyScope: {
    story: async (call) => {
      await create(call)
      const told = await call('createCompany', keyed(company))
      return { told, seen: told.status }
    },
    shows: { team: 400, teamAndOperation: 201 },
    otherwise: async (call) => (await twice(call)).told,
  },
  keyOnDelete: {
    world: furnished,
    story: async (call) => {
      const ask = keyed(undefined, 'once', examples.deleteProduct)
      await call('deleteProduct', ask)
      const told = await call('deleteProduct', ask)
      return { told, seen: told.status }
    },
    shows: { ignored: 404, honoured: 200 },
    otherwise: (call) => call('deleteProduct', examples.deleteProduct),
  },
  unusableKey: {
    story: async (call) => {
      const told = await create(call, engine, 'x'.repeat(256))
      return { told, seen: told.status }
    },
    shows: { refused: 400, ignored: 201 },
    otherwise: (call) => create(call, engine, 'x'.repeat(255)),
  },
})

describe('keyRetention', () => {
  it.each([
    ['oneDay', 'another'],
    ['untilReset', 'the first'],
  ] as const)('=%s: after a day the answer is %s', async (keyRetention, seen) => {
    const clock = handClock()
    const { call } = await openSandbox({ assume: { keyRetention }, clock })
    const first = await create(call)
    clock.pass(oneDay)
    const stillKnown = await create(call)
    clock.pass(1)
    const told = await create(call)
    expect([seenOf(first, stillKnown), seenOf(first, told)]).toEqual(['the first', seen])
    expect([stillKnown.assumed, told.assumed].map((names) => names.includes('keyRetention'))).toEqual([false, true])
  })

  it('=oneDay keeps the second answer when a key is used again after a day', async () => {
    const clock = handClock()
    const { call } = await openSandbox({ clock })
    await create(call)
    clock.pass(oneDay + 1)
    const second = await create(call, { ...engine, name: 'Later' })
    clock.pass(oneDay)
    expect(seenOf(second, await create(call, { ...engine, name: 'Later' }))).toBe('the first')
  })
})

describe('failuresKept', () => {
  it.each(operationIds.filter((id) => withBody.includes(id)))('=yes: %s repeats its refusal', async (id) => {
    const { sandbox, call } = await openSandbox({ world: furnished, assume: { failuresKept: 'yes' } })
    const first = await call(id, keyed({ nonsense: [] }, 'once', { ...examples[id], path: { ...examples[id].path } }))
    const second = await call(id, keyed({ nonsense: [] }, 'once', examples[id]))
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect((await sandbox.world()).teams[0]?.answers).toHaveLength(1)
  })

  it('=yes keeps the first refusal when a different request uses the key in between', async () => {
    const { call } = await openSandbox({ assume: { failuresKept: 'yes' } })
    const first = await create(call, noPrice)
    expect((await create(call)).body.message).toMatch(/for another request/)
    const third = await create(call, noPrice)
    expect(third.body).toEqual(first.body)
  })

  it('=yes keeps the first refusal for requests that were sent before it was answered', async () => {
    const store = new MemoryStore(twoTeams)
    const { gated, open } = gatedStore(store)
    const perform = performOn(gated, { failuresKept: 'yes' })
    const asked = [
      createProduct({ assume: { failuresKept: 'yes' }, refused: true }),
      createProduct({ assume: { failuresKept: 'yes' }, body: { ...engine, name: 'Corrected' } }),
    ].map((request) => perform(request))
    open()
    const told = await Promise.allSettled(asked)
    expect(told).toMatchObject([
      { status: 'rejected', reason: { message: 'not like this' } },
      { status: 'rejected', reason: { message: /for another request/ } },
    ])
    expect(namesIn(await store.world())).toEqual([])
  })

  it('=no: a refusal never replaces a kept success', async () => {
    const { sandbox, call } = await openSandbox({ assume: { repeatedKeyOtherBody: 'execute' } })
    await create(call)
    expect((await create(call, noPrice)).status).toBe(400)
    const third = await create(call)
    expect(third.assumed).toContain('repeatedKey')
    expect(namesIn(await sandbox.world())).toHaveLength(1)
  })

  it('=no: a key can be used again after a 404', async () => {
    const { call } = await openSandbox({ world: furnished })
    const gone = { path: { productId: '66f0a1b2c3d4e5f601239999' } }
    expect((await call('updateProduct', keyed(engine, 'once', gone))).status).toBe(404)
    expect((await call('updateProduct', keyed(engine, 'once', examples.updateProduct))).status).toBe(200)
  })
})

describe('keyScope', () => {
  it('=team refuses a used key on another operation each time', async () => {
    const { sandbox, call } = await openSandbox()
    await create(call)
    const tries = [1, 2, 3].map(() => call('createCompany', keyed(company)))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect([...statuses, (await call('createCompany', keyed(company))).status]).toEqual([400, 400, 400, 400])
    expect((await sandbox.world()).teams[0]?.companies).toBeUndefined()
  })

  it('=team leaves a key free for another operation after a refusal', async () => {
    const { call } = await openSandbox()
    await create(call, noPrice)
    expect((await call('createCompany', keyed(company))).status).toBe(201)
  })

  it('=team refuses a key that another operation used last, although this operation used it longer ago', async () => {
    const clock = handClock()
    const { call } = await openSandbox({ clock })
    await create(call)
    clock.pass(oneDay + 1)
    expect((await call('createCompany', keyed(company))).status).toBe(201)
    expect((await create(call)).status).toBe(400)
  })

  it('=team with repeatedKeyOtherBody=replay repeats the answer of the other operation', async () => {
    const { call } = await openSandbox({ assume: { repeatedKeyOtherBody: 'replay' } })
    const first = await create(call)
    expect((await call('createCompany', keyed(company))).body).toEqual(first.body)
  })

  it('=team with repeatedKeyOtherBody=execute prefers the answer of the same operation', async () => {
    const { call } = await openSandbox({ assume: { repeatedKeyOtherBody: 'execute' } })
    const firsts = [await create(call), await call('createCompany', keyed(company))]
    const seconds = [await call('createCompany', keyed(company)), await create(call)]
    expect(seconds.map(({ body }) => body)).toEqual(firsts.map(({ body }) => body).toReversed())
  })

  it('=teamAndOperation keeps one answer for each operation', async () => {
    const { call } = await openSandbox({ assume: { keyScope: 'teamAndOperation' } })
    const firsts = [await create(call), await call('createCompany', keyed(company))]
    const seconds = [await create(call), await call('createCompany', keyed(company))]
    expect(seconds.map(({ body }) => body)).toEqual(firsts.map(({ body }) => body))
  })
})

describe('repeatedKeyInFlight', () => {
  const both = async (assume: WrittenChoices, second: Partial<Asking> = {}, begin: Partial<Asking> = {}) => {
    const store = new MemoryStore(withOddTeams)
    const { gated, open } = gatedStore(store)
    const perform = performOn(gated, assume)
    const first = perform(createProduct({ assume, ...begin }))
    const asking = createProduct({ assume, ...second })
    const told = perform(asking).then(
      ({ status, body }) => ({ status, body }),
      (error: unknown) => ({ status: (error as { status: number }).status, body: '' }),
    )
    open()
    const { status, body } = await first
    return { first: { status, body }, second: await told, relied: asking.assumed.relied(), store }
  }

  it('=wait: a request during the first one gets the first answer', async () => {
    const { first, second, relied, store } = await both({ repeatedKeyInFlight: 'wait' })
    expect(second).toEqual(first)
    expect(relied).toEqual(expect.arrayContaining(['repeatedKeyInFlight', 'repeatedKey']))
    expect(namesIn(await store.world())).toHaveLength(1)
  })

  it('=refuse: a request during the first one is refused at once, and can be repeated later', async () => {
    const { first, second, relied, store } = await both({ repeatedKeyInFlight: 'refuse' })
    expect([first.status, second.status]).toEqual([201, 400])
    expect(relied).toContain('repeatedKeyInFlight')
    const later = await performOn(store)(createProduct({ assume: {} }))
    expect([later.status, later.body]).toEqual([201, first.body])
  })

  it.each([
    ['team', 400],
    ['teamAndOperation', 201],
  ] as const)(
    '=refuse with keyScope=%s: another operation with the key during the first request is answered %i',
    async (keyScope, status) => {
      const assume = { repeatedKeyInFlight: 'refuse', keyScope } as const
      const { second, relied } = await both(assume, { id: 'createCompany', body: company })
      expect(second.status).toBe(status)
      expect(relied).toContain('keyScope')
      expect(relied.includes('repeatedKeyInFlight')).toBe(keyScope === 'team')
    },
  )

  it.each([
    ['another team', { teamId: 'globex' }, {}],
    ['a team of a similar name', { teamId: 'a', key: 'b c' }, { teamId: 'a b', key: 'c' }],
    ['a team of a similar name, the other way round', { teamId: 'a b', key: 'c' }, { teamId: 'a', key: 'b c' }],
  ])('=refuse does not affect %s', async (_what, second, begin) => {
    const { second: told, relied } = await both({ repeatedKeyInFlight: 'refuse' }, second, begin)
    expect({ status: told.status, relied }).toEqual({ status: 201, relied: [] })
  })

  it('is not relied on with another key, nor after the first answer', async () => {
    const { relied } = await both({ repeatedKeyInFlight: 'refuse' }, { key: 'another' })
    expect(relied).not.toContain('repeatedKeyInFlight')
    const { call } = await openSandbox({ assume: { repeatedKeyInFlight: 'refuse' } })
    expect((await twice(call)).told.assumed).not.toContain('repeatedKeyInFlight')
  })
})

describe('a key on an operation with a long preparation', () => {
  /** A `createProduct` whose preparation ends when the test says so, and which is refused this often. */
  const slowly = ({ refusals = 0 } = {}) => {
    const { opened, open } = gate()
    let tries = 0
    const createProduct: Operations['createProduct'] = {
      prepare: async () => {
        await opened
        if (++tries <= refusals) refuse('not like this', { limit: 'wellFormed' })
        return mocked.createProduct as Operation<'createProduct'>
      },
    }
    return { createProduct, finish: open }
  }

  it('does not block other requests of the team', async () => {
    const store = new MemoryStore(withOddTeams)
    const { createProduct: slow, finish } = slowly()
    const perform = performOn(store, {}, { createProduct: slow })
    const first = perform(createProduct())
    expect((await perform(createProduct({ id: 'createCompany', key: 'another' }))).status).toBe(201)
    expect(namesIn(await store.world())).toHaveLength(0)
    finish()
    expect((await first).status).toBe(201)
    expect(namesIn(await store.world())).toHaveLength(1)
  })

  it('has one effect when the key is repeated during the preparation', async () => {
    const store = new MemoryStore(withOddTeams)
    const { createProduct: slow, finish } = slowly()
    const perform = performOn(store, {}, { createProduct: slow })
    const answers = [perform(createProduct()), perform(createProduct()), perform(createProduct())]
    finish()
    const bodies = (await Promise.all(answers)).map(({ body }) => body)
    expect(new Set(bodies).size).toBe(1)
    expect(namesIn(await store.world())).toHaveLength(1)
  })

  it('is refused when the preparation fails while the store is slow', async () => {
    const store = new MemoryStore(withOddTeams)
    const turn: Store['turn'] = async (teamId, work) => {
      const result = await store.turn(teamId, work)
      await wait(10)
      return result
    }
    const { createProduct: slow, finish } = slowly({ refusals: 1 })
    finish()
    const perform = performOn(standingIn(store, { turn }), {}, { createProduct: slow })
    await expect(perform(createProduct())).rejects.toMatchObject({ status: 400 })
  })

  it('can be used again after a refusal', async () => {
    const store = new MemoryStore(withOddTeams)
    const { createProduct: slow, finish } = slowly({ refusals: 1 })
    const perform = performOn(store, {}, { createProduct: slow })
    const refused = perform(createProduct())
    finish()
    await expect(refused).rejects.toMatchObject({ status: 400 })
    expect((await perform(createProduct())).status).toBe(201)
  })
})

it('answers 500 to one request when its kept answer cannot be sent, and not to the others', async () => {
  const { sandbox, call } = await openSandbox()
  await create(call)
  const [acme, globex] = (await sandbox.world()).teams
  const answers = acme?.answers?.map((answer) => ({ ...answer, status: 99 })) ?? []
  const world = { teams: [{ ...acme, answers }, globex] } as World
  const { call: again } = await openSandbox({ world, port: 0 })
  const told = await Promise.all([create(again), again('createProduct', { body: engine }), create(again)])
  expect(told.map(({ status }) => status)).toEqual([500, 201, 500])
})

describe('a request is recognised', () => {
  const known = async (first: Ask, second: Ask, id: OperationId = 'createProduct') => {
    const { call } = await openSandbox({ world: furnished })
    await call(id, first)
    return (await call(id, second)).assumed.includes('repeatedKey')
  }

  it.each([
    ['short', ''],
    ['long', 'long '.repeat(1_000)],
  ])('with its fields in any order, nested ones too, when it is %s', async (_length, text) => {
    const one = `{"name":"a${text}","unitPrice":1,"x":{"a":1,"b":[{"c":1,"d":2}]}}`
    const other = `{ "x": {"b":[{"d":2,"c":1}], "a":1.0}, "unitPrice":1e0, "name":"\\u0061${text}" }`
    expect(await known(keyed(one), keyed(other))).toBe(true)
  })

  it.each([
    ['another value', '{"name":"b","unitPrice":1}'],
    ['another order in a list', '{"name":"a","unitPrice":1,"x":[2,1]}'],
    ['a field more', '{"name":"a","unitPrice":1,"y":null}'],
    ['text for a number', '{"name":"a","unitPrice":"1"}'],
  ])('but not with %s', async (_what, other) => {
    expect(await known(keyed('{"name":"a","unitPrice":1,"x":[1,2]}'), keyed(other))).toBe(false)
  })

  it('but not by the end of a long text', async () => {
    const named = (end: string) => keyed(`{"name":"${'long '.repeat(1_000)}${end}","unitPrice":1}`)
    expect(await known(named('a'), named('b'))).toBe(false)
  })

  it('but not on another path', async () => {
    const { call } = await openSandbox({ world: furnished })
    const made = await call('createProduct', { body: engine })
    await call('updateProduct', keyed({ unitPrice: 2 }, 'once', examples.updateProduct))
    const other = await call(
      'updateProduct',
      keyed({ unitPrice: 2 }, 'once', { path: { productId: made.body.data._id } }),
    )
    expect(other).toMatchObject({ status: 400, assumed: expect.arrayContaining(['repeatedKeyOtherBody']) })
  })

  it('by a key, in any case of the header name', async () => {
    const { sandbox, call } = await openSandbox()
    await create(call, engine, 'Once')
    await create(call, engine, 'once')
    expect(namesIn(await sandbox.world())).toHaveLength(2)
  })
})

it('relies on no assumption about keys when none is sent', async () => {
  const { sandbox, call } = await openSandbox()
  await call('createProduct', { body: engine })
  const { assumed } = await call('createProduct', { body: engine })
  expect(assumed).toEqual([])
  expect((await sandbox.world()).teams[0]?.answers).toBeUndefined()
})

it('ignores a key on a read', async () => {
  const { sandbox, call } = await openSandbox({ world: furnished })
  for (const id of ['getTemplate', 'listTemplates', 'getConversation'] as const) {
    for (const key of ['once', '', 'x'.repeat(256)]) {
      const { status, assumed } = await call(id, keyed(undefined, key, examples[id]))
      expect(status).toBe(200)
      expect(assumed.filter((name) => /[kK]ey/.test(name) && name !== 'roleOfKey')).toEqual([])
    }
  }
  expect(await sandbox.world()).toEqual(furnished)
})

const withOddTeams: World = {
  teams: [...twoTeams.teams, ...['a', 'a b'].map((name) => ({ _id: name, name, apiKeys: [] }))],
}

interface Asking {
  readonly id: OperationId
  readonly teamId: string
  readonly refused: boolean
  readonly body: Record<string, unknown>
  readonly key: string
  readonly assume: WrittenChoices
}

function createProduct(asking: Partial<Asking> = {}): Request {
  const { id = 'createProduct', teamId = 'acme', body = engine, key = 'once', assume = {}, refused = false } = asking
  return {
    operation: operations[id],
    caller: { teamId },
    assumed: assumedBy(chooseAll(assume))(),
    keyed: keyedBy(key, id, JSON.stringify([id, body])),
    read: () => {
      if (refused) refuse('not like this', { limit: 'wellFormed' })
      return { path: {}, query: {}, body, media: undefined } as unknown as ReturnType<Request['read']>
    },
  }
}

function performOn(store: Store, assume: WrittenChoices = {}, others: Partial<Operations> = {}) {
  const chosen = chooseAll(assume)
  const assumed = assumedBy(chosen)
  const newAssumed = () => assumed()
  const teams = new Teams({ store, clock: handClock(), ids: ids(1), newAssumed, onDue: () => undefined })
  return performer({ operations: { ...mocked, ...others }, teams, envelopeFor: () => envelopeOf(chosen) })
}

/** A gate that stays closed until the test opens it. */
function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

function gatedStore(store: Store) {
  const { opened, open } = gate()
  const turn: Store['turn'] = async (teamId, work) => {
    await opened
    return store.turn(teamId, work)
  }
  return { gated: standingIn(store, { turn }), open }
}

/** A store that fails to insert answers. */
function brokenStore(store: Store): Store {
  const noRoom = () => Promise.reject(new Error('no room for an answer'))
  const turn: Store['turn'] = (teamId, work) =>
    store.turn(teamId, (team) => {
      const { records } = team
      const answers = standingIn(records.answers, { insert: noRoom })
      return work(standingIn(team, { records: { ...records, answers } }))
    })
  return standingIn(store, { turn })
}

function standingIn<Thing extends object>(thing: Thing, other: Partial<Thing>): Thing {
  return new Proxy(thing, {
    get(_, name) {
      const source = Object.hasOwn(other, name) ? other : thing
      const value: unknown = Reflect.get(source, name)
      return typeof value === 'function' ? (value.bind(source) as unknown) : value
    },
  })
}

function worldWithAnswers(count: number): World {
  const [acme, ...others] = twoTeams.teams
  const answers = Array.from({ length: count }, (_, at) => ({
    _id: `createProduct key ${at}`,
    key: `key ${at}`,
    fingerprint: 'of another request',
    at: handClock().now(),
    status: 201,
    body: '{}',
    assumed: [],
  }))
  return { teams: [{ ...acme, answers } as World['teams'][number], ...others] }
}

async function newStore(kind: 'memory' | 'file'): Promise<string> {
  if (kind === 'memory') return 'memory'
  const folder = await mkdtemp(join(tmpdir(), 'crm-sandbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return `file:${join(folder, 'world.json')}`
}
