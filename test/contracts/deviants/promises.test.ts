import { expect, it } from 'vitest'
import { judgeOtherServer } from '../other-server/accusations.ts'
import { promises, type PromiseId } from '../../../spec/promises.ts'
import { allDeviants, deviants } from './all.ts'
import type { Deviant } from './deviant.ts'
import { brokenIn } from './suite.ts'

it('each promise has a deviant', () =>
  expect(Object.keys(deviants).toSorted()).toEqual(promises.map(({ id }) => id).toSorted()))

it.each(allDeviants)('the suite finds %s broken, deviant %i', async (promise, _, deviant) => {
  expect(await promisesFoundBroken([promise], deviant)).toContain(promise)
})

it('the suite finds no broken promise on the same server without a deviation', async () => {
  expect(await promisesFoundBroken(undefined, {})).toEqual([])
})

/** The promises that these checks find broken, by default all checks. */
async function promisesFoundBroken(ids: readonly PromiseId[] | undefined, deviant: Deviant): Promise<PromiseId[]> {
  const { results } = await judgeOtherServer(
    { repeatedKey: 'replayed', bulkAfter: 0 },
    {},
    { ...deviant, ...(ids ? { ids } : {}) },
  )
  return results.flatMap(brokenIn)
}
