import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StartedTarget } from '../../contracts/index.ts'
import type { Outcome } from '../../contracts/judge/outcome.ts'
import { isSelected } from '../../contracts/selection.ts'
import type { Incoming, Send } from '../../client/transport.ts'
import { startOwnTarget } from '../../own-target.ts'
import { operations } from '../../spec/operations.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { inTier, sampleOf } from '../tier.ts'
import { type Change, changesOf } from './changes-of-answers.ts'
import { operationAsked } from './operation-asked.ts'
import { brokenIn, checked, resultsOf, send } from './suite.ts'

// A server that does everything right except for one thing in the answers of one operation. A check about that
// operation has to notice.

let own: StartedTarget
const ids = Object.values(operations).map(({ id }) => id)
const samples = new Map<OperationId, Incoming[]>()

/** A correct server never fails, so the text of a failure is never seen. */
const usual: Readonly<Partial<Record<PromiseId, Outcome>>> = { 'error.serverErrorText': 'inconclusive' }

beforeAll(async () => {
  own = await startOwnTarget()
  const sampled: Send = async (request, timeout) => {
    const answer = await send(request, timeout)
    const operation = operationAsked(request)
    if (operation) samples.set(operation, [...(samples.get(operation) ?? []), answer])
    return answer
  }
  for await (const { promise, outcome, reason } of resultsOf(checked, own, sampled))
    expect({ promise, outcome, reason }).toMatchObject({ outcome: usual[promise] ?? 'kept' })
}, 60_000)

afterAll(async () => {
  await own.stop()
})

describe('Every change of an answer', () => {
  it.each(sampleOf(ids, inTier({ test: 2, ci: 3, nightly: ids.length })))('of %s is noticed', async (operation) => {
    const changes = changesOf(operation, samples.get(operation) ?? [])
    const survivors: string[] = []
    for (const change of changes) if (!(await isNoticed(operation, change))) survivors.push(change.name)
    if (survivors.length > 0) console.log(`${operation}: not noticed of ${changes.length}:`, survivors)
    expect(changes.length).toBeGreaterThan(30)
    expect(survivors.length / changes.length).toBeLessThanOrEqual(0.02)
  })
})

/** Whether a check reports a broken promise about this operation. */
async function isNoticed(operation: OperationId, { apply }: Change): Promise<boolean> {
  const changed: Send = async (request, timeout) => {
    const answer = await send(request, timeout)
    return operationAsked(request) === operation ? (apply(answer) ?? answer) : answer
  }
  const concerned = (id: PromiseId) => isSelected(promise(id), { only: [], operations: [operation] })
  for await (const result of resultsOf(checked.filter(concerned), own, changed)) {
    if (brokenIn(result).some(concerned)) return true
  }
  return false
}
