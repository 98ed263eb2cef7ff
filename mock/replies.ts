import type { AnswerOf, OperationId, SuccessOf } from '../spec/types.ts'

/** What an operation answers with when it succeeds: a status, a sentence, and what the document names for it. */
export type Reply<Id extends OperationId> = {
  [Status in SuccessOf<Id>]: { readonly status: Status; readonly message: string } & Omit<
    AnswerOf<Id, Status>,
    'success' | 'message' | 'meta'
  >
}[SuccessOf<Id>]

export const ok = <Data>(message: string, data: Data) => ({ status: 200, message, data }) as const
export const created = <Data>(message: string, data: Data) => ({ status: 201, message, data }) as const
export const done = (message: string) => ({ status: 200, message }) as const
export const page = <Data, Pagination>(message: string, data: Data, pagination: Pagination) =>
  ({ status: 200, message, data, pagination }) as const

/** A refusal leaves no trace: whatever the turn changed is undone. */
export abstract class Refusal extends Error {
  abstract readonly status: 400 | 401 | 404 | 429
}

/** A field is missing or invalid. The sentence names it and says what to do. */
export class BadRequest extends Refusal {
  readonly status = 400
}

/** The credential names no team. The words are the service's. */
export class Unauthorized extends Refusal {
  readonly status = 401
  constructor() {
    super('Unauthorized')
  }
}

/** There is no such thing in this team, whether or not another team has it. The words are the service's. */
export class NotFound extends Refusal {
  readonly status = 404
  constructor() {
    super('Resource not found')
  }
}

export function refuse(sentence: string): never {
  throw new BadRequest(sentence)
}
