import type { Answer } from '../../client/answer.ts'
import type { Tools } from '../../client/tools.ts'
import type { OperationId } from '../../spec/types.ts'

/** What each operation answered to earlier checks of a run, for promises about any answer: to ask again shows no more. */
interface EarlierAnswers {
  readonly successes: Map<OperationId, Answer>
  readonly refusals: Answer[]
}

const answersTo = new WeakMap<Tools['call'], EarlierAnswers>()

/** Those to the same caller. */
export function earlierAnswers({ call }: Pick<Tools, 'call'>): EarlierAnswers {
  const known = answersTo.get(call) ?? { successes: new Map<OperationId, Answer>(), refusals: [] }
  answersTo.set(call, known)
  return known
}

/** Whether there are such answers, and each passes. Where one fails, only a new request shows what was sent for it. */
export function pass(answers: readonly (Answer | undefined)[], look: (answer: Answer) => void): boolean {
  try {
    for (const answer of answers) {
      if (!answer) return false
      look(answer)
    }
    return answers.length > 0
  } catch {
    return false
  }
}
