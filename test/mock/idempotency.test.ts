import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { examples, furnished, withBody } from './asks.ts'
import { inTier, sampleOf } from '../tier.ts'
import { type Ask, type Call, openSandbox, twoTeams } from './harness.ts'
import { newFolder } from '../for-one-test.ts'
import { create, engine, handClock, keyed, namesIn } from './keyed.ts'

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
  expect((await call('createProduct', { body: unlisted })).assumed).toEqual(['unlistedFields'])
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

const newStore = (kind: 'memory' | 'file') => (kind === 'memory' ? 'memory' : `file:${join(newFolder(), 'world.json')}`)
