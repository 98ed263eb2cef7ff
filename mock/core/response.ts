import type { Assumed } from '../../spec/assumed.ts'
import { BadRequest, type Because, type Refusal } from './refusals.ts'
import type { LongText } from './long-json.ts'
import type { Changed } from './team.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Chosen } from '../../spec/choices.ts'
import type { Operation } from '../../spec/operations.ts'

/** An answer as it goes over the wire, and as a repeated Idempotency-Key gets it again. */
export interface ServiceResponse<Body = string> {
  readonly status: number
  readonly body: Body
  /** The guesses that it relied on. */
  readonly assumed: readonly string[]
  /** The choices that it relied on and that were learned from a server, if there are any. */
  readonly learned?: readonly string[] | undefined
  /** The records that the request changed. */
  readonly changed?: readonly Changed[]
  /** Why the request is refused. */
  readonly because?: Because
}

/** An answer that may be a list of any length, which no key gets again. */
export type StreamableResponse = ServiceResponse<string | LongText>

/** The assumptions that a response relied on. */
export function marksOf(assumed: Assumed): Pick<ServiceResponse, 'assumed' | 'learned'> {
  const learned = assumed.learned()
  return learned.length === 0 ? { assumed: assumed.relied() } : { assumed: assumed.relied(), learned }
}

/** promise error.successIsFalse, error.messageIsText: the error envelope, and nothing else in it. */
export function answerTo(refusal: Refusal, assumed: Assumed): ServiceResponse {
  const message =
    refusal instanceof BadRequest ? badRequestMessage[assumed.badRequestMessage](refusal.message) : refusal.message
  const { status, because } = refusal
  return { ...failure(status, message, assumed), because }
}

/** The answer to an error that is the server's own fault: the text is the service's, and never a stack. */
export function answerToFault(assumed: Assumed): ServiceResponse {
  return failure(500, 'Internal server error', assumed)
}

function failure(status: number, message: string, assumed: Assumed): ServiceResponse {
  return { status, body: JSON.stringify({ success: false, message }), ...marksOf(assumed) }
}

const badRequestMessage: ByChoice<'badRequestMessage', (sentence: string) => string> = {
  namesTheField: (sentence) => sentence,
  general: () => 'The request is not valid',
}

/** The headers that name the assumptions of a response: guessed ones, and ones learned from a server. */
export const markNames = { assumed: 'x-sandbox-assumed', learned: 'x-sandbox-learned' } as const

export function markHeaders({
  assumed,
  learned,
}: Pick<ServiceResponse, 'assumed' | 'learned'>): Record<string, string> {
  const guesses = assumed.length > 0 ? { [markNames.assumed]: assumed.join(', ') } : {}
  return learned === undefined ? guesses : { ...guesses, [markNames.learned]: learned.join(', ') }
}

/** The reply of any operation. */
export interface AnyReply {
  readonly status: number
  readonly message: string
  readonly data?: unknown
  readonly pagination?: unknown
}

export type Envelope = (reply: AnyReply, operation: Operation) => object

type Wrap = (reply: AnyReply, operation: Operation, meta: object | undefined) => object

/**
 * promise envelope.successIsTrue, envelope.messageIsText: a success has `success: true`, a message and its data.
 * The open questions of the envelope concern every success, so they are chosen once and not marked on each answer.
 */
export function envelopeOf(chosen: Chosen): Envelope {
  const stated = statedEnvelope[chosen.statedEnvelope.choice]
  const meta = metaInEnvelope[chosen.metaInEnvelope.choice]
  return (reply, operation) => stated(reply, operation, reply.data === undefined ? undefined : meta)
}

const statedEnvelope: ByChoice<'statedEnvelope', Wrap> = {
  none: ({ message, data, pagination }, _, meta) => ({ success: true, message, data, pagination, meta }),
  some: ({ message, data, pagination }, { effect }, meta) =>
    effect === 'read' ? { data, pagination, meta } : { success: true, message, data, pagination, meta },
}

const metaInEnvelope: ByChoice<'metaInEnvelope', object | undefined> = { omitted: undefined, present: {} }
