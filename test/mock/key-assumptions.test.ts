import { describe, expect, it } from 'vitest'
import { examples, furnished, withBody } from './asks.ts'
import { seeEachChoice } from './each-choice.ts'
import { openSandbox } from './harness.ts'
import { company, create, engine, handClock, keyed, namesIn, noPrice, oneDay, seenOf, twice } from './keyed.ts'

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
      return told
    },
    shows: { no: 201, yes: 400 },
    otherwise: async (call) => (await twice(call)).told,
  },
  keyScope: {
    story: async (call) => {
      await create(call)
      const told = await call('createCompany', keyed(company))
      return told
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
      return told
    },
    shows: { ignored: 404, honoured: 200 },
    otherwise: (call) => call('deleteProduct', examples.deleteProduct),
  },
  unusableKey: {
    story: (call) => create(call, engine, 'x'.repeat(256)),
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
  it('=team refuses a used key on another operation each time', async () => {
    const { sandbox, call } = await openSandbox()
    await create(call)
    const tries = [1, 2, 3].map(() => call('createCompany', keyed(company)))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect([...statuses, (await call('createCompany', keyed(company))).status]).toEqual([400, 400, 400, 400])
    expect((await sandbox.world()).teams[0]?.companies).toBeUndefined()
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
