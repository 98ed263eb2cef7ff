import { expect, it } from 'vitest'
import { allDeviants } from '../deviants/all.ts'
import type { Deviant } from '../deviants/deviant.ts'
import { judgeOtherServer } from '../other-server/accusations.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import { newObserver, observed } from './helpers.ts'

// Each deviant answers the requests of its check through an observer. About half of the deviants refuse requests that are
// fine, or show what they do wrong in a later exchange only.

it('sees at least 190 of the deviants, and nothing of the same server without a deviation', async () => {
  expect(await findingsOf({})).toEqual([])
  const seen: string[] = []
  for (const [promise, number, deviant] of allDeviants)
    if ((await findingsOf(deviant, [promise])).length > 0) seen.push(`${promise} ${number}`)
  expect(seen.length).toBeGreaterThanOrEqual(190)
})

async function findingsOf({ change = (send) => send, deviation }: Deviant, ids?: readonly PromiseId[]) {
  const observer = newObserver()
  const watch = observed(observer)
  await judgeOtherServer(
    { repeatedKey: 'replayed', bulkAfter: 0 },
    {},
    { deviation, change: (send) => watch(change(send)), ...(ids && { ids }) },
  )
  return observer.observations.toJson().findings
}
