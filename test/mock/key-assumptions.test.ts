import { describe, expect, it } from 'vitest'
import { examples, furnished, withBody } from './asks.ts'
import { openSandbox, twoTeams, type Call } from './harness.ts'
import { company, create, engine, handClock, keyed, namesIn, noPrice, oneDay, seenOf, twice } from './keyed.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../../fixtures/world.ts'
import type { WrittenChoices } from '../../spec/choices.ts'

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
  const asked = second(call)
  const isAnsweredFirst = await Promise.race([asked.then(() => true), sleep(50).then(() => false)])
  await sandbox.gates.release(id)
  return { sandbox, call, first: await first, second: await asked, isAnsweredFirst }
}

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
    expect(second).toMatchObject({ status: 201, assumed: [] })
  })

  it('is not relied on after the first answer', async () => {
    const { call } = await openSandbox({ assume: { repeatedKeyInFlight: 'refuse' } })
    expect((await twice(call)).told.assumed).not.toContain('repeatedKeyInFlight')
  })
})
