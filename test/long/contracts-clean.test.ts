import { describe, expect, it } from 'vitest'
import { generateWorld } from '../../fixtures/generate/generate-world.ts'
import { verified } from '../contracts/command.ts'
import { inTier, seed } from '../tier.ts'
import { namedStores } from '../store/harness.ts'

// A check must pass every time, in any order.

const runs = Array.from({ length: inTier({ test: 1, nightly: 20 }) }, (_, index) => (seed % 1000) + index)

describe.each(namedStores)('A sandbox on the $store store', ({ place }) => {
  it.each(runs)('keeps every promise, in the order of seed %i', async (seed) => {
    const { code, stdout } = await verified({ store: await place(), seed }, '--seed', String(seed))
    expect(stdout).toContain('Verdict: conformant.')
    expect(code).toBe(0)
  })
})

it.each(runs.slice(0, inTier({ test: 1, nightly: 3 })))(
  'a sandbox with 10,000 contacts keeps every promise, in the order of seed %i',
  async (seed) => {
    const worlds = await Promise.all(['acme', 'globex'].map((team) => generateWorld({ seed, team, contacts: 5000 })))
    const teams = worlds.flatMap((world) => world.teams)
    const { code, stdout } = await verified({ world: { teams } }, '--seed', String(seed))
    expect(stdout).toContain('Verdict: conformant.')
    expect(code).toBe(0)
  },
)
