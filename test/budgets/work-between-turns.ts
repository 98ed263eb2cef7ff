import { type Profiler, Session } from 'node:inspector'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'

const session = new Session()
session.connect()
session.post('Profiler.enable')
startCount() // branches are counted in code that is compiled from now on, so a test imports this file first

/**
 * The most function calls and branches between two turns of the event loop while this work is done: so long others must
 * wait. V8 counts them, and not the code that pauses. Functions in C++, such as JSON.parse, do not count.
 */
export async function mostBetweenTurns(work: () => Promise<unknown>): Promise<number> {
  // Optimized code does not count its calls, and what V8 optimizes differs from run to run.
  setFlagsFromString('--no-opt')
  startCount()
  takeCount()
  const progress = { isDone: false }
  const done = work().finally(() => {
    progress.isDone = true
  })
  let most = takeCount()
  while (!progress.isDone) {
    await setImmediate()
    most = Math.max(most, takeCount())
  }
  setFlagsFromString('--opt')
  await done
  return most
}

/** Also removes optimized code. */
function startCount(): void {
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

/** The calls and branches since the last count. */
function takeCount(): number {
  let count = 0
  // The callback is called at once.
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    for (const { url, functions } of result) if (!url.startsWith('node:')) count += countIn(functions)
  })
  return count
}

function countIn(functions: readonly Profiler.FunctionCoverage[]): number {
  let count = 0
  for (const { ranges } of functions) for (const range of ranges) count += range.count
  return count
}
