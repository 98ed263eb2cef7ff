import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import type { StartTarget } from '../../contracts/verify.ts'
import { promises, type PromiseId } from '../../spec/promises.ts'
import { type Break, brokenCopy } from './broken-copy.ts'
import { brokenRules } from './broken-rules.ts'
import { Shares } from './shares.ts'
import { brokenIn, resultsOf, send } from './suite.ts'

// A mock in which one rule is broken. Whoever is told which promise does not hold knows where to look.

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

it.each(rows)('%s is seen to be broken', async (promise, broken) => {
  using copy = brokenCopy(broken)
  const { startOwnTarget } = (await import(pathToFileURL(copy.module).href)) as { startOwnTarget: StartTarget }
  const own = await startOwnTarget()
  try {
    const seen: PromiseId[] = []
    for await (const result of resultsOf([promise], own, send)) seen.push(...brokenIn(result))
    tried++
    if (!seen.includes(promise)) survivors.push(promise)
    expect(seen).toContain(promise)
  } finally {
    await own.stop()
  }
})
