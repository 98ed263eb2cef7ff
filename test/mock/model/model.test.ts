import { expect, it } from 'vitest'
import { startSandboxOn } from '../../../cli/own-target.ts'
import { operations } from '../../../spec/operations.ts'
import { compareDeviant } from '../../contracts/compare/helpers.ts'
import { inTier, seed } from '../../tier.ts'
import { namedStores } from '../store/helpers.ts'

/** A whole round of stories, some of them, or many rounds. The other stores are slower, and have more tests. */
const steps = (store: string) =>
  inTier(store === 'memory' ? { test: 2_500, nightly: 25_000 } : { test: 250, ci: 1_000, nightly: 10_000 })

it.each(namedStores)(
  'answers like a server written from the specification alone, on the $store store',
  async ({ store, place }) => {
    const startSandbox = startSandboxOn(await place())
    const { differences, successes } = await compareDeviant({}, { seed, steps: steps(store), startSandbox })
    expect(differences, `seed ${seed}`).toEqual([])
    if (store === 'memory') expect([...successes.keys()].sort()).toEqual(Object.keys(operations).sort())
  },
)
