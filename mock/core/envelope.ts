import type { ByChoice } from '../../spec/assumptions.ts'
import type { Chosen } from '../../spec/choices.ts'
import type { Operation } from '../../spec/operations.ts'

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
export function envelopeOf(chosen: Chosen, newMeta?: () => object): Envelope {
  const stated = statedEnvelope[chosen.statedEnvelope.choice]
  const meta = metaInEnvelope[chosen.metaInEnvelope.choice]
  return (reply, operation) => stated(reply, operation, reply.data === undefined ? undefined : (newMeta?.() ?? meta))
}

const statedEnvelope: ByChoice<'statedEnvelope', Wrap> = {
  none: ({ message, data, pagination }, _, meta) => ({ success: true, message, data, pagination, meta }),
  some: ({ message, data, pagination }, { effect }, meta) =>
    effect === 'read' ? { data, pagination, meta } : { success: true, message, data, pagination, meta },
}

const metaInEnvelope: ByChoice<'metaInEnvelope', object | undefined> = { omitted: undefined, present: {} }
