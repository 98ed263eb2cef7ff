import { NotAllowed, StepFailed } from '../client/errors.ts'
import { CannotTell } from './probe.ts'

/** Whether an error is the reason why something cannot be told, and no fault of ours. */
export const isReason = (error: unknown): error is Error =>
  error instanceof CannotTell || error instanceof StepFailed || error instanceof NotAllowed

/**
 * Goes the first way that is open on this server. What one operation, record or channel does not show, another may: the
 * usual way comes first, and the reasons of all are told when none is open.
 */
export async function tryEach<Result>(...ways: readonly (() => Promise<Result>)[]): Promise<Result> {
  const reasons = new Set<string>()
  for (const way of ways) {
    try {
      return await way()
    } catch (error) {
      if (!isReason(error)) throw error
      reasons.add(error.message)
    }
  }
  throw new CannotTell([...reasons].join('; and '))
}
