import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { operations as mocked } from '../../mock/operations/index.ts'
import type { Operation, Operations } from '../../mock/core/operation.ts'
import { refuse } from '../../mock/core/refusals.ts'
import { MemoryStore } from '../../mock/store/memory/memory-store.ts'
import type { Store } from '../../mock/store/port.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { openSandbox } from './harness.ts'
import { company, namesIn, twice } from './keyed.ts'
import { type Asking, createProduct, gate, gatedStore, performOn, standingIn, withOddTeams } from './performing.ts'

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
  /** A `createProduct` whose preparation ends with `finish`, after this many refusals. */
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
    const transaction: Store['transaction'] = async (teamId, work) => {
      const result = await store.transaction(teamId, work)
      await wait(10)
      return result
    }
    const { createProduct: slow, finish } = slowly({ refusals: 1 })
    finish()
    const perform = performOn(standingIn(store, { transaction }), {}, { createProduct: slow })
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
