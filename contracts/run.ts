import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'
import type { TestCase, TestModule } from 'vitest/node'
import { dataFile, isBuilt } from '../lib/data-file.ts'
import type { Verification } from './checks/keeps.ts'
import type { CheckResult, Exchanges } from './judge/outcome.ts'

export interface Run {
  readonly results: readonly CheckResult[]
  /** Of the stories that follow the checks. */
  readonly situations: readonly Exchanges[]
  /** Errors of the checks themselves. */
  readonly problems: readonly string[]
}

interface RunOptions {
  /** Called as each check ends. */
  readonly onResult: (result: CheckResult) => void
  /** Called with the requests of a check in a dry run. */
  readonly onRequests?: (result: CheckResult, requests: readonly string[]) => void
  /** The seed of a random order. */
  readonly seed?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Runs all checks, one after the other, in one worker. */
export async function runChecks(
  verification: Verification,
  { onResult, onRequests, seed, signal }: RunOptions,
): Promise<Run> {
  const { createVitest } = await import('vitest/node')
  // Vitest 4.1 does not abort the signals of concurrent tests. A client that has stopped ends all checks.
  const interruptions = new BroadcastChannel(randomUUID())
  const results: CheckResult[] = []
  const situations: Exchanges[] = []
  const problems: string[] = []
  const exitCode = process.exitCode
  const listeners = signals.map((name) => process.listeners(name))
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root: fileURLToPath(dataFile('contracts/checks')),
      include: ['all.{js,ts}'],
      exclude: [],
      watch: false,
      cache: false,
      pool: 'threads',
      isolate: false,
      // Compiled files need no transformation.
      experimental: { viteModuleRunner: !isBuilt, nodeLoader: !isBuilt },
      fileParallelism: false,
      maxWorkers: 1,
      testTimeout: 0, // each request has its own
      provide: { verification, interruptions: interruptions.name },
      // A session runs one check at a time, and others while it waits. Vitest shuffles no concurrent tests.
      sequence: seed === undefined ? { concurrent: true } : { shuffle: { files: false, tests: true }, seed },
      maxConcurrency: Infinity,
      reporters: [
        {
          onTestCaseResult: (test: TestCase) => {
            const { check, requests, situations: stories } = test.meta()
            if (stories) situations.push(...stories)
            if (check && requests) onRequests?.(check, requests)
            if (check) onResult(check)
            if (check) results.push(check)
            else if (test.result().state === 'failed') problems.push(`${test.name}: ${errorsOf(test)}`)
          },
          onTestRunEnd: (modules: readonly TestModule[], errors: readonly { message: string }[]) => {
            const broken = modules.flatMap((module) => [...module.errors()])
            problems.push(...[...broken, ...errors].map(({ message }) => message))
          },
        },
      ],
    },
    { envDir: false, logLevel: 'silent' },
  )
  removeListenersBeyond(listeners)
  const interrupt = () => interruptions.postMessage('interrupted')
  signal?.addEventListener('abort', interrupt)
  // The worker says that it listens.
  interruptions.onmessage = () => signal?.aborted && interrupt()
  try {
    await vitest.start()
  } finally {
    signal?.removeEventListener('abort', interrupt)
    interruptions.close()
    await vitest.close()
    process.exitCode = exitCode // vitest sets it
  }
  return { results, situations, problems }
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** On a signal the listeners of vitest would end the process before the run is cleaned up. */
function removeListenersBeyond(before: readonly (readonly NodeJS.SignalsListener[])[]): void {
  for (const [index, name] of signals.entries()) {
    const added = process.listeners(name).filter((listener) => !before[index]?.includes(listener))
    for (const listener of added) process.off(name, listener)
  }
}

function errorsOf(test: TestCase): string {
  const { errors = [] } = test.result()
  return errors.map(({ message }) => message).join('; ')
}
