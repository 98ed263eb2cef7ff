import { expect, it } from 'vitest'
import { judgeOtherServer } from '../other-server/accusations.ts'
import { promises, type PromiseId } from '../../../spec/promises.ts'
import { allDeviants, deviants } from './all.ts'
import type { Deviant } from './deviant.ts'
import { inTier, sampleOf } from '../../tier.ts'
import { brokenIn } from './suite.ts'

it('each promise has a deviant', () =>
  expect(Object.keys(deviants).toSorted()).toEqual(promises.map(({ id }) => id).toSorted()))

it.each(allDeviants)('the suite finds %s broken, deviant %i', async (promise, _, deviant) => {
  expect(await promisesFoundBroken([promise], deviant)).toContain(promise)
})

/** Their checks look too early at each kind of list, and so teach the run how long lists lag. */
const teachers: readonly PromiseId[] = [
  'template.listHoldsWhatWasCreated',
  'message.historyHoldsEverySend',
  'conversation.listHoldsTheConversation',
]

/** An early look at an empty list satisfies some of their checks. */
const unseen: readonly PromiseId[] = [
  'envelope.retriesAreSafe',
  'message.emailKeepsItsSubject',
  'message.historyLimitHolds',
]
const seen = allDeviants.filter(([promise]) => !unseen.includes(promise))

it.each(sampleOf(seen, inTier({ test: 10, nightly: seen.length })))(
  'the suite finds %s broken while lists lag, deviant %i',
  async (promise, _, deviant) => {
    expect(await promisesFoundBroken([...teachers, promise], deviant, 300)).toContain(promise)
  },
)

it('the suite finds no broken promise on the same server without a deviation', async () => {
  expect(await promisesFoundBroken(undefined, {})).toEqual([])
})

/** The promises that these checks find broken, by default all checks. */
async function promisesFoundBroken(
  ids: readonly PromiseId[] | undefined,
  deviant: Deviant,
  lag = 0,
): Promise<PromiseId[]> {
  const { results } = await judgeOtherServer(
    { repeatedKey: 'replayed', bulkAfter: 0, lag, lagOf: 'lists' },
    {},
    { ...deviant, ...(ids ? { ids } : {}) },
  )
  return results.flatMap(brokenIn)
}
