import { expect, it } from 'vitest'
import { Counters } from '../../../mock/store/memory/counters.ts'

it('forgets counters whose time is over', () => {
  const counters = new Counters()
  for (let now = 0; now < 100_000; now++) counters.add(`counter ${now}`, now, now + 10)
  expect(counters.size).toBeLessThan(3_000)
})

it('forgets none whose time is not', () => {
  const counters = new Counters()
  for (let at = 0; at < 10_000; at++) counters.add(`counter ${at}`, 0, 10)
  for (let at = 0; at < 10_000; at++) expect(counters.add(`counter ${at}`, 9, 10).times).toBe(2)
})
