import type { AnyReply } from '../../mock/core/envelope.ts'
import type { Asked, Given } from '../../mock/core/operation.ts'
import { refuse } from './wrong-refusals.ts'
import type { Reply } from '../../mock/core/replies.ts'
import { operations } from '../../mock/operations/index.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { BodyOf, OperationId } from '../../spec/types.ts'
import { type Break, replaceIn } from './broken-places.ts'

type Run<Id extends OperationId> = (given: Given<Id>) => Promise<Reply<Id> & AnyReply>
type BrokenRun<Id extends OperationId> = (given: Given<Id>) => Promise<AnyReply>

/** Replaces an operation. What it prepares before its turn stays as it is. */
export function changeOperation<Id extends OperationId>(id: Id, broken: (original: Run<Id>) => BrokenRun<Id>): Break {
  const change = broken as unknown as (original: AnyRun) => AnyRun
  return replaceIn(anyOperations, id, (original) =>
    'prepare' in original
      ? { prepare: async (asked, assumed) => change(await original.prepare(asked, assumed)) }
      : change(original),
  )
}

type AnyRun = (given: Given) => Promise<AnyReply>
interface AnyPrepared {
  prepare(asked: Asked, assumed: Assumed): Promise<AnyRun>
}

const anyOperations = operations as unknown as Readonly<Record<OperationId, AnyRun | AnyPrepared>>

/** The operation does its work and replies something else. */
export function changeReply<Id extends OperationId>(
  id: Id,
  change: (reply: Reply<Id> & AnyReply, given: Given<Id>) => AnyReply | Promise<AnyReply>,
): Break {
  return changeOperation(id, (original) => async (given) => change(await original(given), given))
}

export const changeStatus = (id: OperationId, status: number): Break =>
  changeReply(id, (reply: AnyReply) => ({ ...reply, status }))

/** The operation works with another body than the one that was checked. */
export function changeBody<Id extends OperationId>(
  id: Id,
  change: (body: BodyOf<Id>, given: Given<Id>) => BodyOf<Id> | Promise<BodyOf<Id>>,
): Break {
  return changeOperation(
    id,
    (original) => async (given) => original({ ...given, body: await change(given.body, given) }),
  )
}

/** The operation refuses requests that it should accept. */
export function refuseWhen<Id extends OperationId>(
  id: Id,
  isRefused: (body: BodyOf<Id>, given: Given<Id>) => boolean | undefined | Promise<boolean | undefined>,
): Break {
  return changeOperation(id, (original) => async (given) => {
    if (await isRefused(given.body, given)) refuse('this request is not taken')
    return original(given)
  })
}

/** The operation does something else first. */
export function doBefore<Id extends OperationId>(id: Id, work: (given: Given<Id>) => Promise<unknown>): Break {
  return changeOperation(id, (original) => async (given) => {
    await work(given)
    return original(given)
  })
}
