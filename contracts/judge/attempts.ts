import type { Answer } from '../../client/answer.ts'
import { NotAllowed, StepFailed } from '../../client/errors.ts'

export type Attempt = () => Promise<Answer>

/** Whether this request was refused, and one of the others succeeds. */
export async function isOnly({ status }: Answer, others: readonly Attempt[]): Promise<boolean> {
  if (!isRefusal(status)) return false
  for (const attempt of others) if ((await attempt()).succeeded) return true
  return false
}

export async function isEachRefused(attempts: readonly Attempt[]): Promise<boolean> {
  for (const attempt of attempts) if (!isRefusal((await attempt()).status)) return false
  return true
}

export const isRefusal = (status: number) => status >= 400 && status < 500

/** For an attempt that the operator does not allow, or that another step keeps from being made. */
export function cannotTell(error: unknown): boolean {
  if (error instanceof NotAllowed || error instanceof StepFailed) return false
  throw error
}
