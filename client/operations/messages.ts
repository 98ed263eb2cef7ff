import type { sends, singleSends } from '../../spec/operation-groups.ts'
import type { BodyOf, Schemas } from '../../spec/types.ts'
import type { Target } from '../target/target.ts'
import type { Tools } from '../tools.ts'
import { anything, outcomeAlone, type Rows, type ShapePromises, time } from './row.ts'

export type SingleSend = (typeof singleSends)[number]

/** A channel for bulk sends, for which there is a provider if possible. */
export const bulkChannel = ({ providers }: Target) => (providers.email || !providers.sms ? 'email' : 'sms')

/** A valid message by each operation, with its receiver. */
export const completeMessage = {
  sendLiveMessage: ({ recipient, some }: Tools) => some.chat({ to: recipient.phone() }),
  sendEmailMessage: ({ recipient, some }: Tools) => some.email({ to: recipient.email() }),
  sendMessage: ({ recipient, some }: Tools) => some.text({ to: recipient.phone() }),
  sendBulkMessages: ({ some, target }: Tools) => some.bulk(bulkChannel(target)),
} satisfies Record<(typeof sends)[number], (tools: Tools) => object>

/** The fields that name the receiver of a message. */
export interface Receiver {
  readonly to?: string
  readonly contactId?: string
  readonly recipientIds?: string[]
  readonly conversationId?: string
}

interface Sending {
  readonly message: (tools: Tools, fields?: Receiver) => BodyOf<SingleSend>
  /** The kind of address that `to` takes. */
  readonly address: 'email' | 'phone'
  readonly toContact: (contact: Pick<Schemas['Contact'], '_id'>) => Receiver
  readonly into: (conversation: Schemas['Conversation']) => Receiver
}

const byPhone = {
  address: 'phone',
  toContact: ({ _id }) => ({ contactId: _id }),
  into: ({ _id }) => ({ conversationId: _id }),
} as const satisfies Partial<Sending>

/** How each operation addresses a message. */
export const sending: Readonly<Record<SingleSend, Sending>> = {
  sendLiveMessage: { message: ({ some }, fields) => some.chat(fields), ...byPhone },
  sendEmailMessage: {
    message: ({ some }, fields) => some.email(fields),
    address: 'email',
    toContact: ({ _id }) => ({ recipientIds: [_id] }),
    into: ({ _id, contactId }) => ({ conversationId: _id, recipientIds: [contactId._id] }),
  },
  sendMessage: { message: ({ some }, fields) => some.text(fields), ...byPhone },
}

const shape: ShapePromises = [
  [time, 'message.createdAtIsIso'],
  [/^data\.contactId must/, 'message.contactIsAnId'],
  [/^data\.subject\b/, 'message.onlyEmailHasASubject'],
  [anything, 'message.answersWithTheMessage'],
]

export const messages = {
  listMessages: {
    request: async ({ at }) => ({ ...(await at('conversation')), query: { page: 1, limit: 10 } }),
    shape: [
      [/^pagination is required/, 'envelope.paginationStandsBesideData'],
      [/^pagination/, 'message.historyHasPagination'],
      [time, 'message.createdAtIsIso'],
      [/^data\[\d+\]\.messages\[/, 'message.historyHoldsMessages'],
      [anything, 'message.historyIsGrouped'],
    ],
  },
  sendLiveMessage: {
    request: (_, tools) => ({ body: completeMessage.sendLiveMessage(tools) }),
    shape,
  },
  sendEmailMessage: {
    request: (_, tools) => ({ body: completeMessage.sendEmailMessage(tools) }),
    shape: [[/^data\.subject\b/, 'message.emailKeepsItsSubject'], ...shape],
  },
  sendMessage: {
    request: (_, tools) => ({ body: completeMessage.sendMessage(tools) }),
    shape,
  },
  sendBulkMessages: {
    request: (_, tools) => ({ body: completeMessage.sendBulkMessages(tools) }),
    shape: outcomeAlone,
  },
} satisfies Rows
