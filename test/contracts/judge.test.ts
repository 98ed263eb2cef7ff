import { describe, expect, it } from 'vitest'
import { judge } from '../../contracts/judge/judge.ts'
import { BrokenPromise, Inconclusive, Skipped } from '../../contracts/judge/outcome.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import { serverThatSays } from '../client/harness.ts'
import { watchedClientFor } from './harness.ts'

const firm = 'contact.createAnswers201'

/** The result of a check that does this; each answer of its server breaks error.serverErrorText. */
async function resultOf(check: (count: () => void) => unknown, id: PromiseId = firm, asks = false) {
  const { client, log } = watchedClientFor(await serverThatSays(500, { success: false, message: 'Oops' }))
  const { result, error } = await judge(promise(id), { client, log }, async (count) => {
    if (asks) await client.call('createContact', { body: {} })
    await check(count)
  })
  return { ...result, error: error?.message }
}

const fail = (error: unknown) => () => {
  throw error
}
const pass = () => {
  expect(1).toBe(1)
}
const countOne = (count: () => void) => {
  count()
}
const bug = fail(new TypeError('x is undefined'))
const broken = fail(new BrokenPromise('201', 'createContact answering 200'))

describe('A check', () => {
  it.each<[string, (count: () => void) => unknown, object]>([
    ['counts an assertion is kept', countOne, { outcome: 'kept', error: undefined }],
    ['uses expect is kept', pass, { outcome: 'kept', error: undefined }],
    ['asserts nothing fails', () => undefined, { outcome: 'failed', reason: 'the check asserts nothing' }],
    ['skips is skipped', fail(new Skipped('no key')), { outcome: 'skipped', reason: 'no key', error: undefined }],
    ['cannot decide is inconclusive', fail(new Inconclusive('open')), { outcome: 'inconclusive', reason: 'open' }],
    ['has a bug fails', bug, { outcome: 'failed', reason: expect.stringContaining('TypeError: x is undefined') }],
  ])('that %s', async (_, check, result) => {
    expect(await resultOf(check)).toMatchObject(result)
  })

  it.each([
    [firm, 'broken'],
    ['contact.createdAtStays', 'warned'],
  ] as const)('that finds %s broken ends as %s', async (id, outcome) => {
    const result = await resultOf(broken, id)
    expect(result).toMatchObject({ outcome, finding: { expected: '201', actual: 'createContact answering 200' } })
    expect(result.error === undefined).toBe(outcome === 'warned')
  })

  it.each<[string, (is: typeof expect) => void, string, string]>([
    [
      'not.toContain',
      (is) => {
        is([404, 405]).not.toContain(404)
      },
      'none of 404, 405',
      '404',
    ],
    [
      'toContain',
      (is) => {
        is([400, 415]).toContain(200)
      },
      'one of 400, 415',
      '200',
    ],
    [
      'not.toBe',
      (is) => {
        is('draft').not.toBe('draft')
      },
      'not draft',
      'draft',
    ],
    [
      'not.toHaveProperty',
      (is) => {
        is({ a: 1 }).not.toHaveProperty('a')
      },
      'what the promise says',
      'expected { a: 1 } to not have property "a"',
    ],
  ])('reports in words what %s expects', async (_, check, expected, actual) => {
    const { finding } = await resultOf(() => {
      check(expect)
    })
    expect(finding).toMatchObject({ expected, actual })
  })

  it('reports the expected and the actual value of expect', async () => {
    const { finding } = await resultOf(() => {
      expect({ a: 1, b: 'x' }).toEqual({ a: 2, b: expect.any(String) as string })
    })
    expect(finding).toMatchObject({ actual: '{"a":1,"b":"x"}', promise: firm })
    expect(finding?.expected).toContain('"a":2')
  })

  it('that fails because an answer broke another promise is inconclusive', async () => {
    const result = await resultOf(bug, firm, true)
    expect(result).toMatchObject({ outcome: 'inconclusive', faults: [{ promise: 'error.serverErrorText' }] })
    expect(result.reason).toContain('see error.serverErrorText')
  })

  it('of a promise about every answer fails with any of them', async () => {
    const result = await resultOf(pass, 'error.serverErrorText', true)
    expect(result).toMatchObject({ outcome: 'broken', finding: { operation: 'createContact', actual: '"Oops"' } })
    expect(result.finding?.curl).toMatch(/^curl -sS -X POST 'http:\/\/127/)
  })
})
