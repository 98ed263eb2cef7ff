import type { OperationId } from '../../../spec/types.ts'
import type { StepInput } from '../walk.ts'
import type { Walker } from '../walker.ts'

/** How a walk asks an operation so that it succeeds. */
export interface Move {
  /** How often, compared with the others. */
  readonly weight: number
  /** `undefined` when there is nothing yet to ask about. */
  readonly input: (walker: Walker) => StepInput | undefined
  /** What the walk knows once the step with this number has succeeded. */
  readonly after?: (walker: Walker, n: number, input: StepInput) => void
  /** How long its effect may take. */
  readonly pause?: (walker: Walker, input: StepInput) => number
}

export type Moves = Readonly<Partial<Record<OperationId, Move>>>

export const path = (parameter: string, id: string) => ({ path: { [parameter]: id } })

export const from = (n: number, where: string) => `«from ${n} ${where}»`
