import { type Profiler, Session } from 'node:inspector'
import { setImmediate } from 'node:timers/promises'

// V8 counts the rounds of loops only in functions that it compiles after this, so a test imports this file first.
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/**
 * The most function calls and rounds of loops between two turns of the event loop while this work is done: so long others
 * must wait. Counted by V8, and not by the code that pauses. What V8 itself does, such as to parse JSON, does not count.
 */
export async function mostBetweenTurns(work: () => Promise<unknown>): Promise<number> {
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
  await done
  return most
}

/** What ran since the last count. */
function takeCount(): number {
  let count = 0
  // In the process itself, the callback is called at once.
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
