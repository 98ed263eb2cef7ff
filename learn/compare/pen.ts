import { NotAllowed } from '../../client/errors.ts'
import type { SingleSend } from '../../client/operations/messages.ts'
import { sends } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import { moves } from './moves/index.ts'
import { messageBodies } from './moves/message-bodies.ts'
import type { StepInput } from './walk.ts'
import type { Walker } from './walker.ts'

/** How many messages a walk sends beyond this machine, where a run may send few. */
const mostSendsElsewhere = 4

/** Writes steps into a walk: those that the run may take. */
export class Pen {
  readonly walker: Walker
  readonly #possible: ReadonlySet<OperationId>
  #sent = 0

  constructor(walker: Walker, possible: readonly OperationId[]) {
    this.walker = walker
    this.#possible = new Set(possible)
  }

  /** Whether the run may take such a step now. */
  may(operation: OperationId): boolean {
    if (!this.#possible.has(operation)) return false
    return !isSend(operation) || this.walker.target.loopback || this.#sent < mostSendsElsewhere
  }

  /** An input with which the operation should succeed. */
  draft(operation: OperationId): StepInput | undefined {
    return this.#unless(operation, () => moves[operation].input(this.walker))
  }

  /** A message that needs a receiver. */
  message(operation: SingleSend): object | undefined {
    return this.#unless(operation, () => messageBodies[operation](this.walker))
  }

  /** Nothing when the run may not take such a step. */
  #unless<Input>(operation: OperationId, write: () => Input | undefined): Input | undefined {
    if (!this.may(operation)) return undefined
    try {
      return write()
    } catch (error) {
      if (error instanceof NotAllowed) return undefined
      throw error
    }
  }

  /** Adds a step that need not succeed, and returns its number. */
  add(operation: OperationId, input: StepInput | undefined): number | undefined {
    if (input === undefined || !this.may(operation)) return undefined
    if (isSend(operation)) this.#sent++
    return this.walker.add(operation, input, moves[operation].pause?.(this.walker, input))
  }

  /** Adds a step that should succeed; the walk knows from then on what it has done. */
  addGood(operation: OperationId, input: StepInput | undefined): number | undefined {
    const n = this.add(operation, input)
    if (n !== undefined && input !== undefined) moves[operation].after?.(this.walker, n, input)
    return n
  }
}

const isSend = (operation: OperationId) => sends.some((id) => id === operation)
