import { describe, expect, it } from 'vitest'
import { examples, furnished, withBody } from './asks.ts'
import { openSandbox } from './harness.ts'
import { company, create, engine, handClock, keyed, namesIn, noPrice, oneDay, seenOf } from './keyed.ts'

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
