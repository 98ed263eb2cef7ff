import { type Fields, fieldsOf, idOf, withIds } from '../client/answer.ts'
import type { AnswerFault } from '../judge/inspection.ts'
import { singleSends } from '../../spec/operation-groups.ts'
import { operations } from '../../spec/operations.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'

// Compares the values of a request with those in its response. A fault names the field, and never repeats a value.

interface Showing {
  readonly promise: PromiseId
  readonly fields: readonly string[]
  /** The response may leave a field out. */
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
  updateTemplate: [{ ...all('template.updateAnswersWithTheChange'), isPartial: true }],
  createCompany: [all('company.createShowsTheRecord')],
  updateCompany: [changeOf('company')],
  createProduct: [all('product.createShowsTheRecord')],
  updateProduct: [changeOf('product')],
  createDeal: [all('deal.createShowsTheRecord')],
  updateDeal: [changeOf('deal')],
  createQuote: [all('quote.createShowsTheRecord')],
  updateQuote: [changeOf('quote')],
}

/** The fields that were sent and that the response shows with another value, or lacks. */
export function judgeShownValues(operation: OperationId, body: unknown, data: unknown): AnswerFault[] {
  if (typeof data !== 'object' || data === null) return []
  const [sent, shown] = [fieldsOf(body), withIds(fieldsOf(data))]
  const listed = operations[operation].body('application/json')?.listed(body)
  const isSend = singleSends.some((id) => id === operation)
  const isByAddress = operation === 'findOrCreateConversation' || operation === 'createContactWithConversation'
  return [
    ...(showings[operation] ?? []).flatMap(({ promise, fields, isPartial = false }) =>
      fields
        .filter((field) => listed?.has(field))
        .flatMap((field) => compare(promise, field, sent[field], shown[field], isPartial)),
    ),
    ...(isSend ? judgeMessage(sent, shown) : []),
    ...(isByAddress ? judgeAddresses(sent, fieldsOf(data).contactId) : []),
  ]
}

function compare(promise: PromiseId, field: string, sent: unknown, shown: unknown, isPartial: boolean): AnswerFault[] {
  const expected = `${field} as it was sent`
  if (isText(sent) || typeof sent === 'number' || typeof sent === 'boolean') {
    if (shown === undefined || shown === null) return isPartial ? [] : [{ promise, expected, actual: `no ${field}` }]
    return isSame(field, sent, shown) ? [] : [{ promise, expected, actual: 'another value' }]
  }
  if (field !== 'additionalFields') return []
  // A server may drop custom fields, and write a number as a text.
  const known = fieldsOf(shown)
  return Object.entries(fieldsOf(sent))
    .filter(([name, value]) => isText(value) && isText(known[name]) && !isSame(name, value, known[name]))
    .map(() => ({ promise, expected, actual: 'another value' }))
}

/** An empty text is often shown as no value. */
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const formsOf: Readonly<Record<string, (text: string) => string>> = {
  phone: (text) => text.replaceAll(/\D/g, ''),
  email: (text) => text.toLowerCase(),
  domain: (text) => text.toLowerCase(),
  currency: (text) => text.toLowerCase(),
}

/** A server may write white space, capitals of an address and the signs in a phone number in another way. */
function isSame(field: string, sent: unknown, shown: unknown): boolean {
  if (typeof sent !== 'string' || typeof shown !== 'string') return sent === shown
  // A server may complete a number without the code of a country.
  if (field === 'phone' && !sent.startsWith('+')) return true
  const form = formsOf[field] ?? ((text) => text)
  return form(squeeze(sent)) === form(squeeze(shown))
}

const squeeze = (text: string) => text.normalize().replaceAll(/\s+/g, ' ').trim()

function judgeMessage(sent: Fields, shown: Fields): AnswerFault[] {
  const { content, subject, templateId } = sent
  return [
    ...(templateId === undefined ? contains('message.keepsItsContent', 'content', content, shown.content) : []),
    ...contains('message.emailKeepsItsSubject', 'subject', subject, shown.subject),
    ...judgeReceiver(sent, shown),
  ]
}

/** A server may append a text, such as how to unsubscribe, and fill in merge fields. */
function contains(promise: PromiseId, field: string, sent: unknown, shown: unknown): AnswerFault[] {
  if (!isText(sent) || typeof shown !== 'string' || sent.includes('{{')) return []
  if (!squeeze(shown).includes(squeeze(sent)))
    return [{ promise, expected: `the ${field} that was sent`, actual: 'another text' }]
  const hasLines = !sent.trim().includes('\n') || shown.includes('\n')
  return hasLines || field !== 'content'
    ? []
    : [{ promise: 'message.keepsItsLineBreaks', expected: 'the line breaks that were sent', actual: 'none' }]
}

/** Compares the only contact that a send names. */
function judgeReceiver(sent: Fields, { contactId: shown }: Fields): AnswerFault[] {
  const named = (['contactId', 'recipientId', 'recipientIds'] as const).filter((name) => sent[name] !== undefined)
  const [name, ...others] = named
  const [id, ...more] = name === undefined ? [] : [sent[name]].flat()
  const isOnly = others.length === 0 && more.length === 0 && sent.conversationId === undefined && sent.to === undefined
  if (name === undefined || !isOnly || typeof id !== 'string' || typeof shown !== 'string' || id === shown) return []
  return [
    {
      promise: receiverPromises[name],
      expected: `a message to the contact in ${name}`,
      actual: 'one to another contact',
    },
  ]
}

const receiverPromises = {
  contactId: 'message.contactAloneIsEnough',
  recipientId: 'message.recipientIdMeansContactId',
  recipientIds: 'message.recipientIdsAloneAreEnough',
} as const

/** A conversation that is found by addresses is one of a contact that has one of them. */
function judgeAddresses({ email, phone }: Fields, contact: unknown): AnswerFault[] {
  const shown = fieldsOf(contact)
  const sent = [
    ['email', email, shown.email],
    ['phone', phone, shown.phoneNumber],
  ] as const
  const named = sent.filter(([, value]) => isText(value))
  if (named.length === 0 || idOf(contact) === undefined) return []
  if (named.some(([field, value, other]) => isSame(field, value, other))) return []
  const names = named.map(([field]) => field).join(' or ')
  return [
    {
      promise: 'conversation.contactIsTheOneMeant',
      expected: `a contact with the ${names} that was sent`,
      actual: 'another contact',
    },
  ]
}
