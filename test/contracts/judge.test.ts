import { describe, expect, it } from 'vitest'
import { judge } from '../../contracts/judge/judge.ts'
import { BrokenPromise, Inconclusive, Skipped } from '../../contracts/judge/outcome.ts'
import { promise } from '../../spec/promises.ts'
import { serverThatSays } from '../client/harness.ts'
import { watchedClientFor } from './harness.ts'

const firm = promise('contact.createAnswers201')
const usual = promise('contact.createdAtStays')

/** The outcome of a check that does this, on a server that breaks another promise in each answer. */
async function outcomeOf(
  check: (count: () => void) => unknown,
  requirement: typeof firm | typeof usual = firm,
  ask = false,
) {
  const { client, log } = watchedClientFor(await serverThatSays(500, { success: false, message: 'Oops' }))
  const { result, error } = await judge(requirement, { client, log }, async (count) => {
    if (ask) await client.call('createContact', { body: {} })
    await check(count)
  })
  return { ...result, error: error?.message }
}

const fail = (error: unknown) => () => {
  throw error
}

describe('A check', () => {
  it.each([
    ['counts an assertion', (count: () => void) => void count()],
    ['uses expect', () => void expect(1).toBe(1)],
  ])('that %s and passes keeps its promise', async (_, check) => {
    expect(await outcomeOf(check)).toMatchObject({ outcome: 'kept', error: undefined })
  })

  it('that asserts nothing fails', async () => {
    const { outcome, reason } = await outcomeOf(() => undefined)
    expect([outcome, reason]).toEqual(['failed', 'the check asserts nothing'])
  })

  it.each([
    ['a promise that is firm', firm, 'broken'],
    ['a promise that is only usual', usual, 'warned'],
  ] as const)('that finds otherwise of %s ends as such', async (_, requirement, outcome) => {
    const result = await outcomeOf(fail(new BrokenPromise('201', 'createContact answering 200')), requirement)
    expect(result).toMatchObject({ outcome, finding: { expected: '201', actual: 'createContact answering 200' } })
    expect(result.error === undefined).toBe(outcome === 'warned')
  })

  it('reports the expected and the actual value of expect', async () => {
    const { finding } = await outcomeOf(() => {
      expect({ a: 1, b: 'x' }).toEqual({ a: 2, b: expect.any(String) as string })
    })
    expect(finding).toMatchObject({ actual: '{"a":1,"b":"x"}', promise: firm.id })
    expect(finding?.expected).toContain('"a":2')
  })

  it.each([
    [new Skipped('no key'), 'skipped', 'no key'],
    [new Inconclusive('left open'), 'inconclusive', 'left open'],
  ])('can end otherwise: %s', async (error, outcome, reason) => {
    expect(await outcomeOf(fail(error))).toMatchObject({ outcome, reason, error: undefined })
  })

  it('with a bug says nothing about the server', async () => {
    const { outcome, reason } = await outcomeOf(fail(new TypeError('x is undefined')))
    expect(outcome).toBe('failed')
    expect(reason).toContain('TypeError: x is undefined')
  })

  it('that fails because an answer broke another promise is inconclusive', async () => {
    const result = await outcomeOf(fail(new TypeError('x is undefined')), firm, true)
    expect(result).toMatchObject({ outcome: 'inconclusive', faults: [{ promise: 'error.serverErrorText' }] })
    expect(result.reason).toContain('see error.serverErrorText')
  })

  it('of a promise about every answer fails with any of them', async () => {
    const result = await outcomeOf(
      () => {
        expect(1).toBe(1)
      },
      promise('error.serverErrorText') as unknown as typeof firm,
      true,
    )
    expect(result).toMatchObject({ outcome: 'broken', finding: { operation: 'createContact', actual: '"Oops"' } })
    expect(result.finding?.curl).toMatch(/^curl -sS -X POST 'http:\/\/127/)
  })
})
