import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Chosen } from '../../spec/choices.ts'
import type { Operation as Described } from '../../spec/operations.ts'
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf, SuccessOf } from '../../spec/types.ts'
import type { LongText } from './long-json.ts'
import { BadRequest, type Because, type Refusal } from './refusals.ts'
import type { Changed } from './team.ts'
import type { Transaction } from './transaction.ts'

/** A request that has been checked against the document. */
export interface ParsedRequest<Id extends OperationId = OperationId> {
  readonly path: PathOf<Id>
  readonly query: QueryOf<Id>
  readonly body: BodyOf<Id>
  /** The file that came with a form. */
  readonly media: Media | undefined
}

/** The parameters of an operation, destructured by name. */
export interface Context<Id extends OperationId = OperationId> extends ParsedRequest<Id> {
  readonly tx: Transaction
}

export type Operation<Id extends OperationId> = (context: Context<Id>) => Promise<Reply<Id>>

/** One entry for each operation of the document. A missing one does not compile. */
export type Operations = OperationsOf<OperationId>

/** The operations of one file, each with the type that it really has. */
export type OperationsOf<Id extends OperationId> = { readonly [One in Id]: Operation<One> }

/**
 * The success of an operation: a message, and the fields that the document lists for it. The status is the first one in the
 * document, unless the reply has another.
 */
export type Reply<Id extends OperationId> = {
  [Status in SuccessOf<Id>]: { readonly status?: Status; readonly message: string } & Omit<
    AnswerOf<Id, Status>,
    'success' | 'message' | 'meta'
  >
}[SuccessOf<Id>]

export const ok = <Data>(message: string, data: Data) => ({ message, data })
export const done = (message: string) => ({ message })
export const page = <Data, Pagination>(message: string, data: Data, pagination: Pagination) => ({
  message,
  data,
  pagination,
})

/** An uploaded file, of which only size and digest are kept. */
export interface Media {
  readonly bytes: number
  readonly digest: string
}

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
  /** A hint for the developer, since the messages of the service say little. */
  readonly hint?: string | undefined
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
  const message = messageOf(refusal, assumed)
  const { status, because } = refusal
  return { ...failure(status, message, assumed), because }
}

function messageOf(refusal: Refusal, assumed: Assumed): string {
  return refusal instanceof BadRequest ? badRequestMessage[assumed.badRequestMessage](refusal.message) : refusal.message
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

/** The header with the hint. */
export const hintHeader = 'x-sandbox-hint'

export function markHeaders({
  assumed,
  learned,
  hint,
}: Pick<ServiceResponse, 'assumed' | 'learned' | 'hint'>): Record<string, string> {
  const headers: Record<string, string> = {}
  if (assumed.length > 0) headers[markNames.assumed] = assumed.join(', ')
  if (learned) headers[markNames.learned] = learned.join(', ')
  if (hint !== undefined) headers[hintHeader] = hint
  return headers
}

/** The reply of any operation. */
export interface AnyReply {
  readonly status?: number
  readonly message: string
  readonly data?: unknown
  readonly pagination?: unknown
}

export type Envelope = (reply: AnyReply, operation: Described) => object

type Wrap = (reply: AnyReply, operation: Described, meta: object | undefined) => object

/**
 * promise envelope.successIsTrue, envelope.messageIsText: a success has `success: true`, a message and its data.
 * The open questions of the envelope are chosen once, and no answer is marked with them.
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
