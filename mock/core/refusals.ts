import type { AssumptionName } from '../../spec/assumptions.ts'
import type { Complaint } from '../../spec/operations.ts'
import { promiseOfFault } from '../../spec/promise-of-a-fault.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'

/** Thrown to refuse a request; whatever its transaction has changed is undone. */
export abstract class Refusal extends Error {
  abstract readonly status: 400 | 401 | 404 | 409 | 422 | 429 | 500 | 503
  readonly because: Because

  constructor(sentence: string, because: Because) {
    super(sentence)
    this.because = because
  }
}

/** A field is missing or invalid. The message names it and says what to do. */
export class BadRequest extends Refusal {
  readonly status = 400
}

/** A choice refuses a repeated key with a status that is not documented. */
export class KeyRefused extends Refusal {
  readonly status: 409 | 422
  constructor(status: 409 | 422, sentence: string, because: Because) {
    super(sentence, because)
    this.status = status
  }
}

/** The credential is missing or invalid. The text is the service's. */
export class Unauthorized extends Refusal {
  readonly status = 401
  constructor(because: Because) {
    super('Unauthorized', because)
  }
}

/** This team has no such record, whether or not another team has it. */
export class NotFound extends Refusal {
  readonly status = 404
  constructor(because: Because) {
    super('Resource not found', because)
  }
}

/** The service is assumed to fail. */
export class AssumedError extends Refusal {
  readonly status = 500
  constructor(because: Because) {
    super('Internal server error', because)
  }
}

export function refuse(sentence: string, because: Because): never {
  throw new BadRequest(sentence, because)
}

/** Why a request is refused: what decided it, and the field that it is about. */
export type Because = Decider & {
  readonly field?: string | undefined
}

/** For what the check against the document has found. */
export function becauseOf(complaint: Complaint, id: OperationId, body?: unknown): Because {
  const { field } = complaint
  const broken = promiseOfFault(id, complaint, body)
  const isType = complaint.kind === 'type'
  const { assumption = isType && !broken ? 'wrongType' : undefined } = broken ? promise(broken) : {}
  // A number for a text is of another type, whatever text was expected.
  if (assumption) return { assumption: isType ? 'wrongType' : assumption, field }
  return broken ? { promise: broken, field } : { document: id, field }
}

type Decider =
  /** A sentence of the specification. */
  | { readonly promise: PromiseId }
  /** An entry of the register, where the specification says nothing. */
  | { readonly assumption: AssumptionName }
  /** The fields that the specification lists for an operation, with their types and values. */
  | { readonly document: OperationId }
  /** A limit of the sandbox itself. */
  | { readonly limit: Limit }

/** The field of a refusal that is about the id in the path, whatever the operation calls it. */
export const idInPath = 'id'

type Limit = keyof typeof limits

export const limits = {
  wellFormed: 'A request must be well-formed HTTP, and arrive whole and in time.',
  host: 'A request must name this sandbox as its Host, so that no web page can reach it under a name of its own.',
  json: 'A body must be JSON that can be parsed, with at most 32 levels, 10,000 fields and 50,000 values, and no key that reaches into prototypes.',
  contentType: 'A body must be of a type that the operation takes, which is JSON or a form, and not compressed.',
  form: 'A form must be whole, with few fields and one file of at most 16 MiB.',
  volume: 'One request must not make the sandbox keep more text than fits into its memory.',
  strict:
    'A strict sandbox takes only the fields and parameters that an operation has; the real service may ignore others.',
  controlPlane: 'The control plane takes what its own document lists.',
} as const satisfies Readonly<Record<string, string>>
