import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { type Answered, marksOf } from './answered.ts'
import type { Because } from './because.ts'

/** Thrown to refuse a request; whatever its turn has changed is undone. */
export abstract class Refusal extends Error {
  abstract readonly status: 400 | 401 | 404 | 409 | 429
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

/** The credential is missing or invalid. The text is the service's. */
export class Unauthorized extends Refusal {
  readonly status = 401
  constructor(because: Because) {
    super('Unauthorized', because)
  }
}

/** This team has no such record, whether or not another team has it. The text is the service's. */
export class NotFound extends Refusal {
  readonly status = 404
  constructor(because: Because) {
    super('Resource not found', because)
  }
}

export function refuse(sentence: string, because: Because): never {
  throw new BadRequest(sentence, because)
}

/** promise error.successIsFalse, error.messageIsText: the error envelope, and nothing else in it. */
export function answerTo(refusal: Refusal, assumed: Assumed, say?: Say): Answered {
  const ours =
    refusal instanceof BadRequest ? badRequestMessage[assumed.badRequestMessage](refusal.message) : refusal.message
  const { status, because } = refusal
  const message = say?.({ status, because, isGeneral: ours !== refusal.message }) ?? ours
  return { ...failure(status, message, assumed), because }
}

/** Words a refusal as a server does; nothing where our own words stay. */
export type Say = (refused: {
  readonly status: number
  readonly because: Because
  /** The message must not name the field. */
  readonly isGeneral: boolean
}) => string | undefined

/** The answer to an error that is the server's own fault: the text is the service's, and never a stack. */
export function answerToFault(assumed: Assumed): Answered {
  return failure(500, 'Internal server error', assumed)
}

function failure(status: number, message: string, assumed: Assumed): Answered {
  return { status, body: JSON.stringify({ success: false, message }), ...marksOf(assumed) }
}

const badRequestMessage: ByChoice<'badRequestMessage', (sentence: string) => string> = {
  namesTheField: (sentence) => sentence,
  general: () => 'The request is not valid',
}
