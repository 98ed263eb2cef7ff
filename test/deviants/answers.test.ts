import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StartedTarget } from '../../contracts/index.ts'
import type { Outcome } from '../../contracts/judge/outcome.ts'
import { isChosen } from '../../contracts/selection.ts'
import { type Incoming, send, type Send } from '../../client/transport.ts'
import { startOwnTarget } from '../../own-target.ts'
import { operations } from '../../spec/operations.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Change, changesOf } from './changes-of-answers.ts'
import { operationAsked } from './operation-asked.ts'
import { Shares } from './shares.ts'
import { brokenIn, checked, resultsOf } from './suite.ts'

// A server that does everything right but for one thing in the answers of one operation. Somebody who looks at that
// operation has to see it.

let own: StartedTarget
const samples = new Map<OperationId, Incoming[]>()
const shares = new Shares('answers')

/** A server that is right never fails, so that nobody sees how it would say so. */
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
  shares.tell()
  await own.stop()
})

describe('What an answer lacks or has too much', () => {
  it.each(Object.values(operations).map(({ id }) => id))('is noticed of %s', async (operation) => {
    const changes = changesOf(operation, samples.get(operation) ?? [])
    const survivors: string[] = []
    for (const change of changes) if (!(await isNoticed(operation, change))) survivors.push(change.name)
    shares.add(operation, changes.length, survivors)
    expect(changes.length).toBeGreaterThan(30)
    expect(survivors.length / changes.length).toBeLessThanOrEqual(0.02)
  })
})

/** By a check that names a promise about this operation. */
async function isNoticed(operation: OperationId, { apply }: Change): Promise<boolean> {
  const changed: Send = async (request, timeout) => {
    const answer = await send(request, timeout)
    return operationAsked(request) === operation ? (apply(answer) ?? answer) : answer
  }
  const concerned = (id: PromiseId) => isChosen(promise(id), { only: [], operations: [operation] })
  for await (const result of resultsOf(checked.filter(concerned), own, changed)) {
    if (brokenIn(result).some(concerned)) return true
  }
  return false
}
