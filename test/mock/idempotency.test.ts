import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { examples, furnished, withBody } from './requests.ts'
import { inTier, sampleOf } from '../tier.ts'
import { openSandbox, twoTeams, type CallOptions, type Call } from './helpers.ts'
import { newFolder } from '../for-one-test.ts'
import { create, engine, handClock, keyed, namesIn, company, noPrice, oneDay, seenOf, twice } from './keyed-requests.ts'
import type { WrittenChoices } from '../../spec/choices.ts'

it.each([
  ['refused', '', [400, 400]],
  ['refused', 'x'.repeat(256), [400, 400]],
  ['ignored', 'x'.repeat(256), [201, 201]],
  ['accepted', '', [201, 201]],
  ['accepted', 'x'.repeat(10_000), [201, 201]],
] as const)('unusableKey=%s: a key of this length is answered', async (unusableKey, key, statuses) => {
  const { sandbox, call } = await openSandbox({ assume: { unusableKey } })
  const answers = [await create(call, engine, key), await create(call, engine, key)]
  expect(answers.map(({ status }) => status)).toEqual(statuses)
  expect(answers[0]?.assumed).toContain('unusableKey')
  const made = unusableKey === 'refused' ? 0 : unusableKey === 'ignored' || key === '' ? 2 : 1
  expect((await sandbox.world()).teams[0]?.products ?? []).toHaveLength(made)
})

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
  it.each(sampleOf(withBody, inTier({ test: 3, ci: withBody.length })))(
    'get one answer from %s, and have one effect',
    async (id) => {
      const options = { world: furnished, seed: 1, clock: handClock() }
      const ask = { ...examples[id], headers: { 'idempotency-key': 'once' } }
      const alone = await openSandbox(options)
      const expected = await alone.call(id, ask)
      const { sandbox, call } = await openSandbox({ ...options, store: newStore(kind) })
      const answers = await Promise.all(Array.from({ length: 64 }, () => call(id, ask)))
      for (const { status, body } of answers)
        expect({ status, body }).toEqual({ status: expected.status, body: expected.body })
      // A bulk send is delivered a little later.
      await expect.poll(() => sandbox.world()).toEqual(await alone.sandbox.world())
    },
  )
})

describe('a kept answer', () => {
  it('survives a restart', async () => {
    const store = newStore('file')
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

  it('is dropped when the team has stored more than 12 MiB, the oldest first, and its key counts as new', async () => {
    const { sandbox, call } = await openSandbox()
    const big = (at: number) =>
      create(call, { ...engine, sku: `sku ${at}`, description: 'x'.repeat(900_000) }, `big ${at}`)
    const first = await big(0)
    for (let at = 1; at < 20; at++) expect((await big(at)).status).toBe(201)
    const { answers = [] } = (await sandbox.world()).teams[0] ?? {}
    expect(answers.length).toBeGreaterThan(10)
    expect(answers.length).toBeLessThan(14)
    expect((await big(19)).assumed).toContain('repeatedKey')
    const again = await big(0)
    expect(again.assumed).not.toContain('repeatedKey')
    expect(again.body.data._id).not.toBe(first.body.data._id)
  })

  it('is dropped when all teams have stored more than 32 MiB, the oldest of the team with the most first', async () => {
    const names = ['first', 'second', 'third', 'small']
    const world = { teams: names.map((name) => ({ _id: name, name, apiKeys: [`${name}-key`] })) }
    const { sandbox, call } = await openSandbox({ world })
    const store = (key: string, at: number, text = 'x'.repeat(900_000)) =>
      create(call, { ...engine, sku: `sku ${at}`, description: text }, `key ${at}`, { key })
    await store('small-key', 0, '')
    for (const name of names.slice(0, 3)) for (let at = 0; at < 13; at++) await store(`${name}-key`, at)
    const [first = 0, ...others] = (await sandbox.world()).teams.map(({ answers = [] }) => answers.length)
    expect(first).toBeLessThan(9)
    expect(others).toEqual([13, 13, 1])
    expect((await store('small-key', 0, '')).assumed).toContain('repeatedKey')
    expect((await store('third-key', 12)).assumed).toContain('repeatedKey')
  })

  it('is dropped when there are more than ten thousand, the oldest first', async () => {
    const { sandbox, call } = await openSandbox({ world: worldWithAnswers(9_990), clock: handClock() })
    const known = (at: number) => create(call, engine, `key ${at}`)
    expect((await known(0)).assumed).toContain('repeatedKeyOtherBody')
    for (let at = 0; at < 10; at++)
      expect((await create(call, { ...engine, name: 'One more' }, `more ${at}`)).status).toBe(201)
    expect((await sandbox.world()).teams[0]?.answers?.length).toBeLessThan(10_000)
    expect(await known(0)).toMatchObject({ status: 201, assumed: ['recordTimes'] })
    expect((await known(9_989)).assumed).toContain('repeatedKeyOtherBody')
    expect((await create(call, { ...engine, name: 'One more' }, 'more 0')).assumed).toContain('repeatedKey')
  })
})

describe('a request is recognised', () => {
  const known = async (first: CallOptions, second: CallOptions, id: OperationId = 'createProduct') => {
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
})

it('names only the assumptions of the key in the refusal of a key that another request used', async () => {
  const { call } = await openSandbox()
  const unlisted = { ...engine, unlisted: 1 }
  expect((await call('createProduct', { body: unlisted })).assumed).toEqual(['unlistedFields', 'recordTimes'])
  await create(call)
  expect((await create(call, unlisted)).assumed).toEqual(['repeatedKeyOtherBody', 'badRequestMessage'])
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

/** A ten thousandth of 12 MiB. */
const countedBytes = 1_259

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
    bytes: countedBytes,
    bytesUpTo: (at + 1) * countedBytes,
  }))
  return { teams: [{ ...acme, answers } as World['teams'][number], ...others] }
}

const newStore = (kind: 'memory' | 'file') => (kind === 'memory' ? 'memory' : `file:${join(newFolder(), 'world.json')}`)

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
    const response = await create(call)
    expect([seenOf(first, stillKnown), seenOf(first, response)]).toEqual(['the first', seen])
    expect([stillKnown.assumed, response.assumed].map((names) => names.includes('keyRetention'))).toEqual([false, true])
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
  it.each(withBody)('=yes: %s repeats its refusal', async (id) => {
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

  it('=no: a refusal never replaces a kept success', async () => {
    const { sandbox, call } = await openSandbox({ assume: { repeatedKeyOtherBody: 'execute' } })
    await create(call)
    expect((await create(call, noPrice)).status).toBe(400)
    const third = await create(call)
    expect(third.assumed).toContain('repeatedKey')
    expect(namesIn(await sandbox.world())).toHaveLength(1)
  })
})

describe('keyScope', () => {
  it('=team refuses a key that another operation used last, although this operation used it longer ago', async () => {
    const clock = handClock()
    const { call } = await openSandbox({ clock })
    await create(call)
    clock.pass(oneDay + 1)
    expect((await call('createCompany', keyed(company))).status).toBe(201)
    expect((await create(call)).status).toBe(400)
  })

  it('=team with repeatedKeyOtherBody=execute prefers the answer of the same operation', async () => {
    const { call } = await openSandbox({ assume: { repeatedKeyOtherBody: 'execute' } })
    const firsts = [await create(call), await call('createCompany', keyed(company))]
    const seconds = [await call('createCompany', keyed(company)), await create(call)]
    expect(seconds.map(({ body }) => body)).toEqual(firsts.map(({ body }) => body).toReversed())
  })
})

const withOddTeams: World = {
  teams: [
    ...twoTeams.teams,
    ...['a', 'a b'].map((name) => ({ _id: name, name, apiKeys: [`key-of-${name[2] ?? 'a'}`] })),
  ],
}

/** Sends a second request while a gate holds the first one. */
async function during(assume: WrittenChoices, second: (call: Call) => ReturnType<Call>, begin = create) {
  const { sandbox, call } = await openSandbox({ assume, world: withOddTeams })
  const { id } = await sandbox.gates.add({ operation: 'createProduct' })
  const first = begin(call)
  await sandbox.gates.wait(id)
  let isAnswered = false as boolean
  const asked = second(call).finally(() => (isAnswered = true))
  // A request that does not wait is answered before twenty others in a row.
  for (let others = 0; others < 20; others++) await call('createCompany', { body: company })
  const isAnsweredFirst = isAnswered
  await sandbox.gates.release(id)
  return { sandbox, call, first: await first, second: await asked, isAnsweredFirst }
}

describe('a repeated key is refused', () => {
  it.each([
    ['refuse', 400],
    ['conflict', 409],
    ['unprocessable', 422],
  ] as const)('with %s by the status %i, and nothing is changed', async (choice, status) => {
    const { sandbox, call } = await openSandbox({ assume: { repeatedKey: choice, repeatedKeyOtherBody: choice } })
    await create(call)
    const world = await sandbox.world()
    const [same, other] = [await create(call), await create(call, { ...engine, name: 'Another' })]
    expect([same.status, other.status]).toEqual([status, status])
    expect([same.assumed, other.assumed].map((names) => names[0])).toEqual(['repeatedKey', 'repeatedKeyOtherBody'])
    expect(same.body).toEqual({ success: false, message: expect.stringMatching(/^Idempotency-Key was used/) as string })
    expect(await sandbox.world()).toEqual(world)
    const { second } = await during({ repeatedKeyInFlight: choice }, create)
    expect(second.status).toBe(status)
  })
})

describe('repeatedKeyInFlight', () => {
  it('=wait: a request during the first one gets the first answer', async () => {
    const { sandbox, first, second, isAnsweredFirst } = await during({ repeatedKeyInFlight: 'wait' }, create)
    expect([isAnsweredFirst, second.status, second.body]).toEqual([false, first.status, first.body])
    expect(second.assumed).toEqual(expect.arrayContaining(['repeatedKeyInFlight', 'repeatedKey']))
    expect(namesIn(await sandbox.world())).toHaveLength(1)
  })

  it('=refuse: a request during the first one is refused at once, and can be repeated later', async () => {
    const { call, first, second, isAnsweredFirst } = await during({ repeatedKeyInFlight: 'refuse' }, create)
    expect([isAnsweredFirst, first.status, second.status]).toEqual([true, 201, 400])
    expect(second.assumed).toContain('repeatedKeyInFlight')
    expect((await create(call)).body).toEqual(first.body)
  })

  it.each([
    ['team', 400],
    ['teamAndOperation', 201],
  ] as const)('=refuse with keyScope=%s: another operation with the key is answered %i', async (keyScope, status) => {
    const assume = { repeatedKeyInFlight: 'refuse', keyScope } as const
    const { second } = await during(assume, (call) => call('createCompany', keyed(company)))
    expect(second.status).toBe(status)
    expect(second.assumed).toContain('keyScope')
    expect(second.assumed.includes('repeatedKeyInFlight')).toBe(keyScope === 'team')
  })

  const withKey = (idempotencyKey: string, key: string) => (call: Call) => create(call, engine, idempotencyKey, { key })

  it.each([
    ['another team', withKey('once', 'acme-key'), withKey('once', 'globex-key')],
    ['a team of a similar name', withKey('c', 'key-of-b'), withKey('b c', 'key-of-a')],
    ['another key', withKey('once', 'acme-key'), withKey('another', 'acme-key')],
  ])('=refuse does not affect %s', async (_, begin, other) => {
    const { second } = await during({ repeatedKeyInFlight: 'refuse' }, other, begin)
    expect(second).toMatchObject({ status: 201, assumed: ['recordTimes'] })
  })

  it('is not relied on after the first answer', async () => {
    const { call } = await openSandbox({ assume: { repeatedKeyInFlight: 'refuse' } })
    expect((await twice(call)).response.assumed).not.toContain('repeatedKeyInFlight')
  })
})
