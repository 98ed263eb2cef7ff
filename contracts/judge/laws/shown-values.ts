import { type Fields, fieldsOf, idOf, withIds } from '../../client/answer.ts'
import { singleSends } from '../../../spec/operation-groups.ts'
import { operations } from '../../../spec/operations.ts'
import { promise, type PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { type Law, state, type Statement } from './law.ts'
import { isNone, isSame, squeeze } from './same-value.ts'

// An answer shows the values that the request sent.

interface Showing {
  readonly promise: PromiseId
  readonly fields: readonly string[]
  /** The answer may leave a field out. */
  readonly isPartial?: boolean
}

const all = <Id extends PromiseId>(id: Id) => {
  const { fields = [] } = promise(id) as { readonly fields?: readonly string[] }
  return { promise: id, fields }
}

/** An update of these kinds need not return the record. */
const changeOf = (kind: 'company' | 'product' | 'deal' | 'quote'): Showing => ({
  promise: `${kind}.updateShowsTheChange`,
  fields: promise(`${kind}.createShowsTheRecord`).fields.filter((field) => kind !== 'quote' || field !== 'status'),
  isPartial: true,
})

const showings: Readonly<Partial<Record<OperationId, readonly Showing[]>>> = {
  createContact: [all('contact.createShowsWhatWasGiven')],
  updateContact: [all('contact.updateShowsTheChange'), all('contact.updateSetsTheCompany')],
  createOrUpdateContact: [all('contact.upsertShowsWhatWasGiven')],
  createTemplate: [all('template.createAnswersWithTheTemplate'), all('template.createAnswersWithTheSubject')],
  updateTemplate: [all('template.updateAnswersWithTheChange')],
  createCompany: [all('company.createShowsTheRecord')],
  updateCompany: [changeOf('company')],
  createProduct: [all('product.createShowsTheRecord')],
  updateProduct: [changeOf('product')],
  createDeal: [all('deal.createShowsTheRecord')],
  updateDeal: [changeOf('deal')],
  createQuote: [all('quote.createShowsTheRecord')],
  updateQuote: [changeOf('quote')],
}

const byAddress = ['findOrCreateConversation', 'createContactWithConversation'] as const

/** Other laws judge an accepted request with an invalid value, and a repeated key. */
const whole =
  (judge: (sent: Fields, data: unknown, operation: OperationId) => readonly Statement[]): Law['judge'] =>
  ({ request: { operation, body, complaint }, answer, repeatsKey }) => {
    const { data } = answer.fields
    const isWhole = !repeatsKey && !complaint && typeof data === 'object' && data !== null
    return isWhole ? judge(fieldsOf(body), data, operation) : []
  }

const receiverPromises = {
  contactId: 'message.contactAloneIsEnough',
  recipientId: 'message.recipientIdMeansContactId',
  recipientIds: 'message.recipientIdsAloneAreEnough',
} as const

export const shownValues: readonly Law[] = [
  {
    promises: Object.values(showings).flatMap((all) => all.map((one) => one.promise)),
    operations: Object.keys(showings) as OperationId[],
    judge: whole((sent, data, operation) => {
      const shown = withIds(fieldsOf(data))
      const listed = operations[operation].body('application/json')?.listed(sent)
      return (showings[operation] ?? []).flatMap(({ promise, fields, isPartial = false }) =>
        fields
          .filter((field) => listed?.has(field))
          .flatMap((field) => compare(promise, field, sent[field], shown[field], isPartial)),
      )
    }),
  },
  {
    promises: [
      'message.keepsItsContent',
      'message.keepsItsLineBreaks',
      'message.emailKeepsItsSubject',
      ...Object.values(receiverPromises),
    ],
    operations: singleSends,
    judge: whole((sent, data) => judgeMessage(sent, withIds(fieldsOf(data)))),
  },
  {
    promises: ['conversation.contactIsTheOneMeant'],
    operations: byAddress,
    judge: whole((sent, data) => judgeAddresses(sent, fieldsOf(data).contactId)),
  },
]

function compare(promise: PromiseId, field: string, sent: unknown, shown: unknown, isPartial: boolean): Statement[] {
  if (isText(sent) || typeof sent === 'number' || typeof sent === 'boolean') {
    if (shown === undefined || shown === null)
      return isPartial ? [] : [state(promise, false, sent, undefined, { field })]
    return [state(promise, isSame(field, sent, shown), sent, shown, { field })]
  }
  // A server may drop custom fields, and write a number as a text.
  const known = fieldsOf(shown)
  if (field === 'additionalFields')
    return Object.entries(fieldsOf(sent))
      .filter(([name, value]) => isText(value) && isText(known[name]))
      .map(([name, value]) => state(promise, isSame(name, value, known[name]), value, known[name], { field: name }))
  if (!Array.isArray(sent) || !Array.isArray(shown) || (sent.length > 0 && shown.length === 0)) return []
  const holds = sent.length === 0 ? shown.length === 0 : sent.every((one) => shown.includes(one))
  return [state(promise, holds, sent, shown, { field })]
}

/** An empty text is often shown as no value. */
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

function judgeMessage(sent: Fields, shown: Fields): Statement[] {
  const { content, subject, templateId } = sent
  return [
    ...(templateId === undefined ? contains('message.keepsItsContent', 'content', content, shown.content) : []),
    ...contains('message.emailKeepsItsSubject', 'subject', subject, shown.subject),
    ...judgeReceiver(sent, shown),
  ]
}

/** A server may append a text, such as how to unsubscribe, and fill in merge fields. */
export function contains(promise: PromiseId, field: string, sent: unknown, shown: unknown): Statement[] {
  if (!isText(sent) || typeof shown !== 'string' || sent.includes('{{')) return []
  const holds = squeeze(shown).includes(squeeze(sent))
  const found = state(promise, holds, sent, shown, { field })
  if (!holds || field !== 'content' || !sent.trim().includes('\n')) return [found]
  return [found, state('message.keepsItsLineBreaks', shown.includes('\n'), 'the line breaks that were sent', 'none')]
}

/** Compares the only contact that a send names. */
function judgeReceiver(sent: Fields, { contactId: shown }: Fields): Statement[] {
  const named = (['contactId', 'recipientId', 'recipientIds'] as const).filter((name) => sent[name] !== undefined)
  const [name, ...others] = named
  const [id, ...more] = name === undefined ? [] : [sent[name]].flat()
  const isOnly = others.length === 0 && more.length === 0 && sent.conversationId === undefined && sent.to === undefined
  if (name === undefined || !isOnly || typeof id !== 'string' || typeof shown !== 'string') return []
  return [
    state(
      receiverPromises[name],
      id === shown,
      `a message to the contact ${id}, which ${name} names`,
      `one to ${shown}`,
    ),
  ]
}

/** A conversation that is found by addresses is one of a contact that has one of them. */
function judgeAddresses({ email, phone }: Fields, contact: unknown): Statement[] {
  const shown = fieldsOf(contact)
  const sent = [
    ['email', email, shown.email],
    ['phone', phone, shown.phoneNumber],
  ] as const
  const named = sent.filter(([, value]) => isText(value))
  if (named.length === 0 || idOf(contact) === undefined) return []
  const holds = named.some(([field, value, other]) => !isNone(other) && isSame(field, value, other))
  const names = named.map(([field]) => field).join(' or ')
  return [
    state(
      'conversation.contactIsTheOneMeant',
      holds,
      `a contact with the ${names} that was sent`,
      'a contact with another',
    ),
  ]
}
