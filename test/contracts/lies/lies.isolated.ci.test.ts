import { expect, it } from 'vitest'
import { situations } from '../../../contracts/situations/situations.ts'
import { report } from '../../budgets/budget.ts'
import { inTier, sampleOf } from '../../tier.ts'
import { type Lie, lies, nameOf, reasonOfNone, telling, watching } from './lies.ts'
import { tell } from './stories.ts'

it('the laws notice lies that break a promise, in the stories that meet them', { timeout: 600_000 }, async () => {
  const stories = situations(7)
  const met = new Map<Lie, Set<number>>()
  let at = 0
  const addMet = (lie: Lie) => met.set(lie, (met.get(lie) ?? new Set()).add(at))
  for await (const broken of tell(stories, watching(lies(), addMet))) {
    expect(broken).toEqual([])
    at++
  }
  const breaking = [...met.keys()].filter((lie) => reasonOfNone(lie) === undefined)
  const survivors: string[] = []
  let noticed = 0
  for (const lie of sampleOf(breaking, inTier({ test: 0, ci: 1000, nightly: breaking.length }))) {
    let told = 0
    let isNoticed = false
    const liar = telling(lie, () => told++)
    const own = [...(met.get(lie) ?? [])].flatMap((index) => stories[index] ?? [])
    for await (const broken of tell(own, liar)) {
      isNoticed = broken.length > 0
      if (isNoticed) break
    }
    if (isNoticed) noticed++
    else if (told > 0) survivors.push(nameOf(lie))
  }
  const share = Math.floor((100 * noticed) / (noticed + survivors.length))
  console.log(`Lies: ${met.size} of several thousand are met, ${met.size - breaking.length} of them break no promise.`)
  console.log(`Of ${noticed + survivors.length} that were told, these were not noticed:\n${survivors.join('\n')}`)
  report('of 100 generated lies that break a promise, noticed', share, 97)
  expect(share).toBeGreaterThanOrEqual(97)
})
