import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { longestWait } from './test/longest-wait.ts'
import { inTier, sampleOf, seed, tier } from './test/tier.ts'

// The workers take their samples by the same seed.
process.env.CRM_SANDBOX_TEST_SEED = String(seed)
if (tier !== 'test') console.log(`Tier ${tier}; CRM_SANDBOX_TEST_SEED=${seed} repeats its samples.`)

const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'))
const named = (word) =>
  files.filter((file) => file.includes(`.${word}.`)).map((file) => `test/${file.replaceAll('\\', '/')}`)
const rotating = named('rotating')
const today = sampleOf(rotating, Math.ceil(rotating.length / 4))

const elsewhere = process.platform === 'win32' ? named('posix') : []
if (elsewhere.length > 0) console.log(`These tests need a POSIX system and are skipped: ${elsewhere.join(', ')}`)

const exclude = [
  ...elsewhere,
  ...inTier({
    test: [...named('ci'), ...rotating, ...named('nightly')],
    ci: [...rotating.filter((file) => !today.includes(file)), ...named('nightly')],
    nightly: [],
  }),
]

const isolated = named('isolated')
const testTimeout = inTier({ test: 5, nightly: 15 }) * longestWait

export default defineConfig({
  test: {
    // A wait that fails names its event before its test reaches its own limit.
    testTimeout,
    hookTimeout: testTimeout,
    expect: { poll: { timeout: longestWait } },
    maxConcurrency: 2,
    // Tests wait for processes and timers, so one worker for each core would leave cores idle.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { extends: true, test: { name: 'isolated', include: isolated, exclude } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...isolated],
          isolate: false,
          setupFiles: 'test/shared-clock.ts',
        },
      },
    ],
  },
})
