import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { longestWait } from './test/longest-wait.ts'
import { inTier, sampleOf, seed, tier } from './test/tier.ts'

// The workers take their samples by the same seed.
process.env.CRM_SANDBOX_TEST_SEED = String(seed)
if (tier !== 'test') console.log(`Tier ${tier}; CRM_SANDBOX_TEST_SEED=${seed} repeats its samples.`)

/** They need minutes, or gigabytes, and have no smaller size. */
const large = ['test/long/large-*', 'test/long/jest*']
/** Each needs half a minute or more; CI runs a quarter of them each day. */
const long = [
  ...['long/contracts-killed', 'contracts/compare/compare', 'long/contracts-levels', 'mock/console/steer'],
  ...['long/postgres-trials', 'cli/compare', 'long/seed', 'docs/other-tools', 'long/contracts-open-questions'],
  ...['mock/console/teams-and-worlds', 'generators/clients', 'contracts/options', 'long/learn', 'cli/learn'],
  ...['long/compare', 'mock/console/live', 'long/freedoms', 'cli/sweep/sweep', 'long/sweep', 'examples/examples'],
  ...['long/contracts-clean', 'cli/seed'],
]
const another = long.filter((name) => !sampleOf(long, Math.ceil(long.length / 4)).includes(name))
const slow = [
  ...['test/long/**', 'test/contracts/deviants/**', 'test/generators/**', 'test/contracts/work-of-a-run*'],
  ...[
    'test/mock/console/!(served)*',
    'test/examples/**',
    'test/contracts/other-server/**',
    'test/contracts/options*',
    'test/contracts/observe/deviants*',
    'test/shipping/{action,release}*',
    'test/budgets/{holds,installation}*',
    'test/docs/{other-tools,site}*',
  ],
  ...['test/mock/store/postgres*', 'test/mock/store/replica*'],
  // Each test runs a whole command against several servers.
  ...[
    'test/contracts/compare/**',
    'test/cli/sweep/**',
    'test/contracts/learn/kept-profile*',
    'test/cli/{compare,learn,seed,rolling-update}*',
  ],
]

/** They replace modules, measure memory, or test which modules are loaded or run. The other files share the modules of a worker. */
const isolated = [
  ...[
    'house/contracts',
    'spec/operations',
    'contracts/learn/asynchronous-servers',
    'contracts/learn/other-server',
    'contracts/learn/probes',
    'contracts/learn/unusual-servers',
    'contracts/observe/choices',
    'mock/choices',
    'contracts/work-of-a-run',
    'contracts/earlier-answers',
    'budgets/allocation',
    'budgets/files',
    'budgets/holds*',
    'budgets/memory',
  ],
  ...[
    'mock/promises',
    'contracts/observe/{deviants,legitimate-servers}',
    'contracts/other-server/*',
    'contracts/deviants/*',
    'long/*',
    'generators/*',
  ],
].map((path) => `test/${path}.test.ts`)

/** They need a POSIX shell, signals, the modes of files, or paths with slashes. */
const posix = [
  ...[
    'test/{docs,house,shipping}/**',
    'test/{package,readme}*',
    'test/mock/store/kill*',
    'test/contracts/observe/command*',
  ],
  ...['test/cli/{cli,config,https,init,requests,serve,shutdown,world}*', 'test/contracts/verify*'],
  'test/contracts/client/{certificates,ledger,target}*',
]
const elsewhere = process.platform === 'win32' ? posix : []
if (elsewhere.length > 0) console.log(`These tests need a POSIX system and are skipped: ${elsewhere.join(', ')}`)

const exclude = [
  'node_modules',
  'dist',
  'examples/**',
  ...elsewhere,
  ...inTier({
    test: slow,
    ci: [...large, ...another.map((name) => `test/${name}.test.ts`)],
    nightly: [],
  }),
]

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
          include: ['**/*.test.ts'],
          exclude: [...exclude, ...isolated],
          isolate: false,
          setupFiles: 'test/shared-clock.ts',
        },
      },
    ],
  },
})
