import type { OperationId } from '../../../spec/types.ts'
import type { StepInput } from '../walk.ts'
import type { Fields, Walker } from '../walker.ts'

/** How a walk asks an operation so that it succeeds. */
export interface Move {
  /** How often, compared with the others. */
  readonly weight: number
  /** `undefined` when there is nothing yet to ask about. */
  readonly input: (walker: Walker) => StepInput | undefined
  /** What the walk knows once the step with this number has succeeded. */
  readonly after?: (walker: Walker, n: number, input: StepInput) => void
  /** What an update may change. */
  readonly changes?: (walker: Walker) => Fields
  /** How long its effect may take. */
  readonly pause?: (walker: Walker, input: StepInput) => number
}

export type Moves = Readonly<Partial<Record<OperationId, Move>>>

/** Mostly a few fields, since what is sent beside a change may hide what it did; sometimes none. */
export function changesOf(walker: Walker, of: string, fields: Fields): object {
  const kind = walker.draw(100)
  if (kind < 12) return {}
  return kind < 50 ? walker.someOf(fields) : walker.fewOf(`changes of ${of}`, fields)
}

export const path = (parameter: string, id: string) => ({ path: { [parameter]: id } })

export const from = (n: number, where: string) => `«from ${n} ${where}»`
