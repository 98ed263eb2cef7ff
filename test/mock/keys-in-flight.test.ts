import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { type Call, openSandbox, twoTeams } from './harness.ts'
import { company, create, engine, keyed, namesIn, twice } from './keyed.ts'

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
