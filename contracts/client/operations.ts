import type { sends, singleSends } from '../../spec/operation-groups.ts'
import { type Complaint, operations } from '../../spec/operations.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { BodyOf, OperationId, Schemas } from '../../spec/types.ts'
import { fieldsOf } from './answer.ts'
import { bulkChannel, plainType } from './bodies.ts'
import type { CreatedKind } from './kinds.ts'
import type { Input } from './request.ts'
import type { Subjects, Tools } from './tools.ts'

/** The tools that make a body. */
type BodyTools = Pick<Tools, 'mint' | 'recipient' | 'some' | 'target'>

/** The request of an operation, and the requirements about its answer. */
interface OperationRow {
  /** Builds a request that succeeds when its records exist. */
  readonly request: (about: Subjects, tools: BodyTools) => Input | Promise<Input>
  /** The requirement that is broken when a successful answer has the wrong shape. */
  readonly shape: ShapePromises
}

/** The requirement for each schema violation; the first that fits the field and the kind of a complaint counts. */
export type ShapePromises = readonly (readonly [
  field: RegExp,
  promise: PromiseId,
  kinds?: readonly Complaint['kind'][],
])[]

/** The kinds of complaints about a value that the response has. */
const wrong = ['type', 'value'] as const

const any = /^/
const time = /\.(createdAt|updatedAt)$/
const status = /\.status$/

const conversation: ShapePromises = [
  [/^data$/, 'conversation.answersWithOne', wrong],
  [/\.contactId\b/, 'conversation.contactIsPopulated'],
  [time, 'conversation.createdAtIsIso', ['value']],
  [any, 'conversation.hasIdTeamAndTime'],
]

const message: ShapePromises = [
  [time, 'message.createdAtIsIso', ['value']],
  [/^data\.contactId$/, 'message.contactIsAnId', wrong],
  [/^data\.subject\b/, 'message.onlyEmailHasASubject'],
  [any, 'message.answersWithTheMessage'],
]

const contact: ShapePromises = [
  [time, 'contact.timesAreIso', ['value']],
  [any, 'contact.answersWithTheContact'],
]

const paginated = (promise: PromiseId): ShapePromises => [
  [/^pagination$/, 'envelope.paginationStandsBesideData', ['missing']],
  [/^pagination/, promise],
]

/** A row with one requirement for every violation, or with those about the envelope. */
const row = (request: OperationRow['request'], promise?: PromiseId): OperationRow => ({
  request,
  shape: promise === undefined ? [] : [[any, promise]],
})

/** An update of the record of this kind. The response may have only what it changed. */
const change = (kind: CreatedKind, body: (tools: BodyTools) => object, promise: PromiseId): OperationRow => ({
  request: async ({ at }, tools) => ({ ...(await at(kind)), body: body(tools) }),
  shape: [[any, promise, wrong]],
})

/** Every operation. No request deletes a record that a later one needs: quotes come before deals. */
export const rows: Readonly<Record<OperationId, OperationRow>> = {
  findOrCreateConversation: {
    request: (_, { mint }) => ({ body: { email: mint.email(), phone: mint.phone() } }),
    shape: conversation,
  },
  createContactWithConversation: {
    request: (_, { mint }) => ({
      body: { firstName: 'Ada', lastName: mint.surname('Lovelace'), email: mint.email(), phone: mint.phone() },
    }),
    shape: conversation,
  },
  createConversation: {
    request: async ({ id }) => ({ body: { contactId: await id('contact') } }),
    shape: conversation,
  },
  getConversation: { request: ({ at }) => at('conversation'), shape: conversation },
  listConversationsOfContact: {
    request: ({ at }) => at('contact'),
    shape: [[/^data$/, 'conversation.listHoldsTheConversation', wrong], ...conversation],
  },

  listMessages: {
    request: async ({ at }) => ({ ...(await at('conversation')), query: { page: 1, limit: 10 } }),
    shape: [
      ...paginated('message.historyHasPagination'),
      [time, 'message.createdAtIsIso', ['value']],
      [/^data\[\d+\]\.messages\[/, 'message.historyHoldsMessages'],
      [any, 'message.historyIsGrouped'],
    ],
  },
  sendLiveMessage: { request: (_, tools) => ({ body: completeMessage.sendLiveMessage(tools) }), shape: message },
  sendEmailMessage: {
    request: (_, tools) => ({ body: completeMessage.sendEmailMessage(tools) }),
    shape: [[/^data\.subject\b/, 'message.emailKeepsItsSubject'], ...message],
  },
  sendMessage: { request: (_, tools) => ({ body: completeMessage.sendMessage(tools) }), shape: message },
  sendBulkMessages: row((_, tools) => ({ body: completeMessage.sendBulkMessages(tools) })),

  listTemplates: {
    request: (_, { target }) => ({
      query: { page: 1, limit: 10, types: [plainType(target)], statuses: ['approved'] },
    }),
    shape: [
      ...paginated('template.listHasPagination'),
      [status, 'template.statusIsKnown', wrong],
      [any, 'template.listIsAList'],
    ],
  },
  getTemplate: {
    request: ({ at }) => at('template'),
    shape: [
      [status, 'template.statusIsKnown', wrong],
      [any, 'template.getShowsTheTemplate'],
    ],
  },
  createTemplate: {
    request: (_, { some, target }) => ({ body: some.template[plainType(target)]() }),
    shape: [
      [status, 'template.statusIsKnown', wrong],
      [/\.subject\b/, 'template.createAnswersWithTheSubject'],
      [any, 'template.createAnswersWithTheTemplate'],
    ],
  },
  updateTemplate: change(
    'template',
    ({ mint, target }) => ({ templateType: plainType(target), name: mint.name('Opening hours in May') }),
    'template.updateAnswersWithTheChange',
  ),
  deleteTemplate: row(({ at }) => at('template')),

  createContact: { request: (_, { some }) => ({ body: some.contact() }), shape: contact },
  updateContact: {
    request: async ({ at }, { mint }) => ({ ...(await at('contact')), body: { source: mint.name('update') } }),
    shape: contact,
  },
  createOrUpdateContact: { request: (_, { some }) => ({ body: some.upsert() }), shape: contact },
  deleteContact: { request: ({ at }) => at('contact'), shape: contact },
  deleteContactsByEmail: row(async ({ email }) => ({ query: { email: await email() } })),

  createCompany: row((_, { some }) => ({ body: some.company() }), 'company.createShowsTheRecord'),
  updateCompany: change(
    'company',
    ({ mint }) => ({ name: mint.name('Babbage & Sons') }),
    'company.updateShowsTheChange',
  ),
  deleteCompany: row(({ at }) => at('company')),

  createProduct: row((_, { some }) => ({ body: some.product() }), 'product.createShowsTheRecord'),
  updateProduct: change(
    'product',
    ({ mint }) => ({ name: mint.name('Analytical engine') }),
    'product.updateShowsTheChange',
  ),
  deleteProduct: row(({ at }) => at('product')),

  createQuote: {
    request: async ({ id }, { some }) => ({ body: some.quote(await id('deal')) }),
    shape: [
      [/\.status\b/, 'quote.startsAsDraft'],
      [any, 'quote.createShowsTheRecord'],
    ],
  },
  updateQuote: change(
    'quote',
    ({ mint }) => ({ name: mint.name('Engine for two mills') }),
    'quote.updateShowsTheChange',
  ),
  deleteQuote: row(({ at }) => at('quote')),

  createDeal: row((_, { some }) => ({ body: some.deal() }), 'deal.createShowsTheRecord'),
  updateDeal: change('deal', ({ mint }) => ({ name: mint.name('Engine for two mills') }), 'deal.updateShowsTheChange'),
  deleteDeal: row(({ at }) => at('deal')),
}

export type SingleSend = (typeof singleSends)[number]

/** A valid message by each operation, with its receiver. */
export const completeMessage = {
  sendLiveMessage: ({ recipient, some }: BodyTools) => some.chat({ to: recipient.phone() }),
  sendEmailMessage: ({ recipient, some }: BodyTools) => some.email({ to: recipient.email() }),
  sendMessage: ({ recipient, some }: BodyTools) => some.text({ to: recipient.phone() }),
  sendBulkMessages: ({ some, target }: BodyTools) => some.bulk(bulkChannel(target)),
} satisfies Record<(typeof sends)[number], (tools: BodyTools) => object>

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

/** In the order of the rows. On another machine a run may send only a few messages, for the checks of messages. */
export function affordable(
  { target }: Pick<Tools, 'target'>,
  which: 'all' | readonly OperationId[],
): readonly OperationId[] {
  const inOrder = (Object.keys(rows) as OperationId[]).filter((id) => which === 'all' || which.includes(id))
  return target.loopback ? inOrder : inOrder.filter((operation) => operations[operation].effect !== 'send')
}

/** The same request with a wrong type for its first field or, without a body, with malformed ids. */
export function spoil({ path, query, body, ...rest }: Input): Input {
  if (body !== undefined) {
    const [first = ''] = Object.keys(fieldsOf(body))
    return { ...rest, ...(path ? { path } : {}), body: { ...fieldsOf(body), [first]: 42 } }
  }
  if (!path) return rest
  const wrong = Object.fromEntries(Object.keys(path).map((name) => [name, 'not an id']))
  return { ...rest, ...(query ? { query } : {}), path: wrong }
}
