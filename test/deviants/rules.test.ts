import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { send } from '../../contracts/transport.ts'
import type { StartTarget } from '../../contracts/verify.ts'
import { brokenCopy } from './broken-copy.ts'
import { brokenRules } from './broken-rules.ts'
import { Shares } from './shares.ts'
import { brokenIn, resultsOf } from './suite.ts'

// A mock in which one rule is broken. Whoever is told which promise does not hold knows where to look.

const shares = new Shares('rules')
const survivors: string[] = []

afterAll(() => {
  shares.add('broken rules of the mock', brokenRules.length, survivors)
  shares.tell()
})

it.each(brokenRules)('$promise is seen to be broken by $file: $instead', async ({ promise, ...broken }) => {
  using copy = brokenCopy([broken])
  const { startOwnTarget } = (await import(pathToFileURL(copy.module).href)) as { startOwnTarget: StartTarget }
  const own = await startOwnTarget()
  try {
    for await (const result of resultsOf([promise], own, send)) {
      if (!brokenIn(result).includes(promise)) survivors.push(`${promise}: ${broken.file}: ${broken.instead}`)
      expect(brokenIn(result)).toContain(promise)
    }
  } finally {
    await own.stop()
  }
})
