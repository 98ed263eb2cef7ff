import { defineConfig } from 'vitest/config'
import { inTier, seed, tier } from './test/tier.ts'

// The workers take their samples by the same seed.
process.env.CRM_SANDBOX_TEST_SEED = String(seed)
if (tier !== 'test') console.log(`Tier ${tier}; CRM_SANDBOX_TEST_SEED=${seed} repeats its samples.`)

/** They need minutes, or gigabytes, and have no smaller size. */
const large = ['test/long/large-*', 'test/long/folding*', 'test/long/jest*']
const slow = ['test/long/**', 'test/deviants/**', 'test/generators/**']

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules', 'dist', 'examples/**', ...inTier({ test: slow, ci: large, nightly: [] })],
    testTimeout: inTier({ test: 60_000, ci: 5 * 60_000, nightly: 15 * 60_000 }),
    maxConcurrency: 2,
    // One worker fewer than there are cores would leave half of a small machine idle.
    maxWorkers: '100%',
  },
})
