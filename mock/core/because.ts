import type { AssumptionName } from '../../spec/assumptions.ts'
import type { Complaint } from '../../spec/operations.ts'
import { promiseOfFault } from '../../spec/promise-of-a-fault.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { FaultOfField } from '../../spec/voice/voice.ts'

/** Why a request is refused: what decided it, and the field that it is about. */
export type Because = Decider & {
  readonly field?: string | undefined
  /** What is wrong with the field, where that is known. */
  readonly fault?: FaultOfField | undefined
}

/** For what the check against the document has found. */
export function becauseOf(complaint: Complaint, id: OperationId, body?: unknown): Because {
  const { field } = complaint
  const fault = complaint.kind === 'value' ? 'wrong' : complaint.kind
  const promise = promiseOfFault(id, complaint, body)
  return promise ? { promise, field, fault } : { document: id, field, fault }
}

type Decider =
  /** A sentence of the specification. */
  | { readonly promise: PromiseId }
  /** An entry of the register: the specification says nothing, and this is what is assumed. */
  | { readonly assumption: AssumptionName }
  /** The fields that the specification lists for an operation, with their types and values. */
  | { readonly document: OperationId }
  /** What the sandbox itself does not take. */
  | { readonly limit: Limit }

/** The field of a refusal that is about the id in the path, whatever the operation calls it. */
export const idInPath = 'id'

type Limit = keyof typeof limits

export const limits = {
  wellFormed: 'A request must be well-formed HTTP, and arrive whole and in time.',
  host: 'A request must name this sandbox as its Host, so that no web page can reach it under a name of its own.',
  json: 'A body must be JSON that can be parsed.',
  contentType: 'A body must be of a type that the operation takes, which is JSON or a form.',
  form: 'A form must be whole, with few fields and one file of at most 16 MiB.',
  volume: 'One request must not make the sandbox keep more text than fits into its memory.',
  controlPlane: 'The control plane takes what its own document lists.',
} as const satisfies Readonly<Record<string, string>>
