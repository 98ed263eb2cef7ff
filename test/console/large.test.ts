import { expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { twoTeams } from '../mock/harness.ts'
import { openConsole } from './browser.ts'
import { paths } from './browser.ts'

const count = 100_000

const crowded: World = {
  teams: [
    {
      ...twoTeams.teams[0],
      contacts: Array.from({ length: count }, (_, at) => ({
        _id: (at + 1).toString(16).padStart(24, '0'),
        firstName: `Ada ${at}`,
        lastName: 'Lovelace',
        email: `ada.${at}@example.com`,
        createdAt: '2026-03-01T09:00:00.000Z',
        updatedAt: '2026-03-01T09:00:00.000Z',
        teamId: 'acme',
      })),
    } as World['teams'][number],
  ],
}

/** The other tests share the cores, so that the best of these tries counts. */
const tries = 3

it.runIf(paths.includes('contacts'))(
  'shows a page of 100,000 contacts within 300 ms of its data, and is never held for 50 ms by typing',
  async () => {
    const { page, base } = await openConsole({ world: crowded, path: null })
    await page.addInitScript(observe)
    const shown: number[] = []
    const held: number[] = []
    for (let trial = 0; trial < tries; trial++) {
      await page.goto(`${base}/console/acme/contacts`)
      await page.getByText('of 100,000').waitFor()
      shown.push(await page.evaluate(() => globalThis.observed.firstRowAfter()))
      await page.evaluate(() => (globalThis.observed.longest = 0))
      await page.getByRole('searchbox').pressSequentially('ada 99999', { delay: 60 })
      await page.getByText('1 to 1 of 1').waitFor()
      await page.getByRole('link', { name: 'Ada 99999' }).waitFor()
      held.push(await page.evaluate(() => globalThis.observed.longest))
    }
    expect(Math.min(...shown), `of ${shown.join()} ms`).toBeLessThan(300)
    // Only tasks of 50 ms and more are reported.
    expect(Math.min(...held), `of ${held.join()} ms`).toBe(0)
  },
)

declare global {
  var observed: { longest: number; firstRowAfter(): number }
}

/** In the page: when the first row appeared, and the longest task. */
function observe(): void {
  let firstRow = 0
  globalThis.observed = {
    longest: 0,
    firstRowAfter() {
      const reads = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const records = reads.filter(({ name }) => new URL(name).pathname.endsWith('/contacts'))
      const [first] = records
      if (!first || firstRow === 0) throw new Error('The page has read no contacts, or shown none')
      return firstRow - first.responseEnd
    },
  }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      globalThis.observed.longest = Math.max(globalThis.observed.longest, duration)
  }).observe({ type: 'longtask' })
  new MutationObserver(() => {
    if (firstRow === 0 && document.querySelector('tbody tr')) firstRow = performance.now()
  }).observe(document, { childList: true, subtree: true })
}
