import { afterAll, expect, it } from 'vitest'
import { startOwnTarget } from '../../own-target.ts'
import { promises, type PromiseId } from '../../spec/promises.ts'
import type { Break } from './broken-places.ts'
import { brokenRules } from './broken-rules.ts'
import { Shares } from './shares.ts'
import { brokenIn, checked, resultsOf, send } from './suite.ts'

// Each test starts a mock in which one rule is broken. The check of the promise has to notice.

const rows = Object.entries(brokenRules) as [PromiseId, Break][]
const survivors: string[] = []
let tried = 0

afterAll(() => {
  const shares = new Shares('rules')
  shares.add('broken rules of the mock', tried, survivors)
  shares.tell()
})

it('there is one for each promise', () => {
  expect(Object.keys(brokenRules).toSorted()).toEqual(promises.map(({ id }) => id).toSorted())
})

it.each(rows)('%s is seen to be broken', async (promise, breakRule) => {
  const mend = breakRule()
  try {
    const seen = await promisesSeenBroken([promise])
    tried++
    if (!seen.includes(promise)) survivors.push(promise)
    expect(seen).toContain(promise)
  } finally {
    mend()
  }
})

it('nothing is seen to be broken once every rule is mended', async () => {
  expect(await promisesSeenBroken(checked)).toEqual([])
})

/** The promises that these checks find broken in a mock started now. */
async function promisesSeenBroken(ids: readonly PromiseId[]): Promise<PromiseId[]> {
  const own = await startOwnTarget()
  try {
    const seen: PromiseId[] = []
    for await (const result of resultsOf(ids, own, send)) seen.push(...brokenIn(result))
    return seen
  } finally {
    await own.stop()
  }
}
