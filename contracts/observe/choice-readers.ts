import { isDeepStrictEqual } from 'node:util'
import {
  contactWrites,
  deletesById,
  recordCreates,
  reads,
  recordUpdates,
  resolutions,
} from '../../spec/operation-groups.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import {
  contactStatuses,
  isEmailAddress,
  isIsoDate,
  isPhoneNumber,
  isSnakeCase,
  lifecycleStages,
  messageChannels,
  templateCategories,
  templateTypes,
} from '../../spec/forms.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Answer, type Fields, fieldsOf, idOf } from '../client/answer.ts'
import type { ParsedRequest } from '../judge/parse-request.ts'

/** An exchange, with the facts of the earlier ones. */
export interface Seen {
  readonly request: ParsedRequest
  readonly answer: Answer
  readonly sent: Fields
  /** The data of a success. */
  readonly data: Fields
  /** A record, as the last response showed it. */
  readonly known: (id: unknown) => Fields | undefined
  /** Whether a request of this traffic has deleted the record, and none has made it again. */
  readonly isDeleted: (id: unknown) => boolean
  /** Whether a record that this operation created for the same caller has this value in a field, and was not deleted. */
  readonly hasMade: (operation: OperationId, field: string, value: unknown) => boolean
}

/** A response that no choice describes. */
export const neither = 'something else'

/** Returns the choice that one exchange settles; `undefined` where it says nothing, or could mean two things. */
type Reader<Name extends AssumptionName> = (seen: Seen) => WrittenChoices[Name] | typeof neither | undefined

export type Readers = { readonly [Name in AssumptionName]?: Reader<Name> }

const asks = (seen: Seen, ...ids: readonly OperationId[]) => ids.includes(seen.request.operation)
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** A refusal counts only if its message names the field: a server may refuse a request for another reason. */
function blames({ answer: { status, message } }: Seen, field: string): boolean {
  const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')
  return status === 400 && letters(message).includes(letters(field))
}

/** One of two choices, by whether a request with an odd field is refused. */
const byField =
  <const Refused extends string, const Accepted extends string>(
    ids: readonly OperationId[],
    field: string,
    isOdd: (value: string, seen: Seen) => boolean,
    [refused, accepted]: readonly [Refused, Accepted],
  ) =>
  (seen: Seen): Refused | Accepted | undefined => {
    const value = seen.sent[field]
    if (!asks(seen, ...ids) || !isText(value) || !isOdd(value, seen)) return undefined
    return seen.answer.succeeded ? accepted : blames(seen, field) ? refused : undefined
  }

const choose = <Choice>(status: number, choices: Readonly<Record<number, Choice>>): Choice | undefined =>
  choices[status]

/** The choice with this value. */
const which = <Choice extends string>(value: unknown, values: Readonly<Record<Choice, unknown>>): Choice | undefined =>
  (Object.keys(values) as Choice[]).find((choice) => isDeepStrictEqual(values[choice], value))

/** Reads only a success of these operations. */
const onSuccess =
  <Choice>(ids: readonly OperationId[], read: (seen: Seen) => Choice | undefined) =>
  (seen: Seen): Choice | undefined =>
    asks(seen, ...ids) && seen.answer.succeeded ? read(seen) : undefined

/** The refusal of a request that names a deleted record in its body. */
const forDeleted =
  (ids: readonly OperationId[], ...fields: readonly string[]) =>
  (seen: Seen): 'notFound' | 'badRequest' | undefined =>
    asks(seen, ...ids) && fields.some((field) => seen.isDeleted(seen.sent[field]))
      ? choose(seen.answer.status, { 404: 'notFound', 400: 'badRequest' } as const)
      : undefined

/** Whether a list with at least three different times is in one of the two orders. */
function orderOf(times: readonly unknown[]): 'newestFirst' | 'oldestFirst' | undefined {
  const known = times.map((time) => Date.parse(String(time)))
  if (new Set(known).size < 3 || known.some(Number.isNaN)) return undefined
  const isSorted = (sign: number) => known.every((time, at) => at === 0 || sign * (time - (known[at - 1] ?? time)) >= 0)
  return isSorted(-1) ? 'newestFirst' : isSorted(1) ? 'oldestFirst' : undefined
}

/** Fields that a request sent, and that the document does not show in the response. */
function byHiddenFields(seen: Seen, fields: readonly string[]): 'allSent' | 'onlyShown' | undefined {
  const sent = fields.filter((field) => isText(seen.sent[field]))
  if (!seen.answer.succeeded || sent.length === 0 || idOf(seen.data) === undefined) return undefined
  const shown = sent.filter((field) => seen.data[field] !== undefined)
  return shown.length === sent.length ? 'allSent' : shown.length === 0 ? 'onlyShown' : undefined
}

const historyOf = (answer: Answer) => listOf(answer.fields.data).flatMap(({ messages }) => listOf(messages))
const other = (documented: readonly string[]) => (value: string) => !documented.includes(value)

/** The values of a parameter, which may be repeated. */
const parameter = ({ request: { query } }: Seen, name: string) => [query[name] ?? []].flat()

export const readers: Readers = {
  // Envelope
  metaInEnvelope: ({ answer }) => {
    if (!answer.succeeded || answer.fields.data === undefined) return undefined
    return answer.fields.meta === undefined ? 'omitted' : 'present'
  },
  statedEnvelope: (seen) => {
    const { success, message, data } = seen.answer.fields
    if (!seen.answer.succeeded || data === undefined) return undefined
    const shown = which([success, typeof message], { some: [undefined, 'undefined'], none: [true, 'string'] })
    // All writes have both, whatever the reads do.
    return asks(seen, ...reads) ? (shown ?? neither) : shown === 'none' ? undefined : neither
  },

  // Lists
  historyOrder: (seen) =>
    asks(seen, 'listMessages') ? orderOf(historyOf(seen.answer).map(({ createdAt }) => createdAt)) : undefined,
  templateOrder: (seen) =>
    asks(seen, 'listTemplates')
      ? orderOf(listOf(seen.answer.fields.data).map(({ createdAt }) => createdAt))
      : undefined,
  unknownChannelFilter: (seen) => {
    const [channel = ''] = parameter(seen, 'channel')
    if (!asks(seen, 'listMessages') || channel === '' || messageChannels.some((one) => one === channel))
      return undefined
    if (blames(seen, 'channel')) return 'refused'
    return seen.answer.succeeded && historyOf(seen.answer).length === 0 ? 'emptyList' : undefined
  },
  badPage: (seen) => {
    const bad = ['page', 'limit'].find((name) => parameter(seen, name).some((text) => /^(0|-\d+|\d+\.\d+)$/.test(text)))
    if (bad === undefined) return undefined
    if (!seen.answer.succeeded) return blames(seen, bad) ? 'refused' : undefined
    const { currentPage, limit } = fieldsOf(seen.answer.fields.pagination)
    const taken = Number((bad === 'page' ? currentPage : limit) ?? 1)
    return Number.isInteger(taken) && taken > 0 ? 'clamped' : neither
  },
  largestLimit: (seen) => {
    const wanted = Number(parameter(seen, 'limit')[0])
    if (!Number.isInteger(wanted) || wanted <= 100) return undefined
    if (blames(seen, 'limit')) return 'refusedAboveHundred'
    const { limit } = fieldsOf(seen.answer.fields.pagination)
    return seen.answer.succeeded ? choose(Number(limit), { 100: 'hundred', [wanted]: 'unlimited' } as const) : undefined
  },
  emptyTotalPages: ({ answer }) => {
    const { total, totalResults = total, totalPages } = fieldsOf(answer.fields.pagination)
    if (!answer.succeeded || totalResults !== 0) return undefined
    return which(Number(totalPages), { zero: 0, one: 1 })
  },
  repeatedQueryValues: (seen) => {
    const types = parameter(seen, 'types')
    const known = types.flatMap((text) => text.split(','))
    const isJoined =
      types.some((text) => text.includes(',')) && known.every((one) => templateTypes.some((type) => type === one))
    if (!asks(seen, 'listTemplates') || !isJoined) return undefined
    if (blames(seen, 'types')) return 'refused'
    return seen.answer.succeeded && listOf(seen.answer.fields.data).length > 0 ? 'accepted' : undefined
  },

  // Deleted records
  deleteAgain: (seen) => {
    const [id] = Object.values(seen.request.path)
    if (!asks(seen, ...deletesById) || seen.request.isKeyed || !seen.isDeleted(id)) return undefined
    return seen.answer.succeeded ? 'succeeds' : choose(seen.answer.status, { 404: 'notFound' } as const)
  },
  conversationsOfUnknownContact: (seen) => {
    if (!asks(seen, 'listConversationsOfContact') || !seen.isDeleted(seen.request.path.contactId)) return undefined
    const isEmpty = seen.answer.succeeded && listOf(seen.answer.fields.data).length === 0
    return isEmpty ? 'emptyList' : choose(seen.answer.status, { 404: 'notFound' } as const)
  },
  unknownTarget: forDeleted(['sendLiveMessage', 'sendMessage', 'createConversation'], 'contactId', 'conversationId'),
  quoteOfUnknownDeal: forDeleted(['createQuote'], 'dealId'),
  unknownTemplate: forDeleted(['sendMessage', 'sendBulkMessages'], 'templateId'),

  // Contacts
  newContactStatus: onSuccess(['createContact'], ({ sent, data }) =>
    sent.status === undefined ? (which(data.status, { absent: undefined, open: 'open' }) ?? neither) : undefined,
  ),
  newContactLifecycle: onSuccess(['createContact'], ({ sent, data: { lifecycleStage } }) => {
    if (sent.lifecycleStage !== undefined) return undefined
    const shown = isText(lifecycleStage) ? lifecycleStage.toLowerCase() : lifecycleStage
    return which(shown, { absent: undefined, lead: 'lead' }) ?? neither
  }),
  fieldsNotGiven: onSuccess(['createContact'], ({ sent, data }) => {
    if (sent.groupIds !== undefined || sent.additionalFields !== undefined) return undefined
    const shown = [data.groupIds ?? null, data.additionalFields ?? null]
    return which(shown, { empty: [[], {}], absent: [null, null] }) ?? neither
  }),
  emailStored: onSuccess(contactWrites, ({ sent: { email }, data }) => {
    if (!isText(email) || !/^[^@]*[A-Z]/.test(email)) return undefined
    return which(data.email, { asSent: email, lowerCase: email.toLowerCase() }) ?? neither
  }),
  contactEmailForm: byField(contactWrites, 'email', (text) => !isEmailAddress(text), ['checked', 'anyString']),
  contactPhoneForm: byField(contactWrites, 'phone', (text) => !isPhoneNumber(text), ['checked', 'anyString']),
  otherLifecycleStage: byField(contactWrites, 'lifecycleStage', other(lifecycleStages), ['refused', 'accepted']),
  upsertStatus: byField(['createOrUpdateContact'], 'status', other(contactStatuses), ['sameEnum', 'anyString']),
  sameAddressTwice: byField(
    ['createContact'],
    'email',
    (email, { hasMade }) => isEmailAddress(email) && hasMade('createContact', 'email', email),
    ['refused', 'accepted'],
  ),
  noContactWithEmail: (seen) =>
    asks(seen, 'deleteContactsByEmail') ? choose(seen.answer.status, { 404: 'notFound' } as const) : undefined,

  // Conversations
  populatedName: (seen) => {
    const contact = fieldsOf(seen.data.contactId)
    const { firstName, lastName } = seen.known(idOf(contact)) ?? {}
    if (!isText(firstName) || !isText(lastName)) return undefined
    return which(contact.name, { firstSpaceLast: `${firstName} ${lastName}`, firstOnly: firstName })
  },
  populatedAddress: (seen) => {
    const contact = fieldsOf(seen.data.contactId)
    if (!asks(seen, ...resolutions, 'getConversation') || idOf(contact) === undefined) return undefined
    const { email, phoneNumber } = contact
    if (email === '' || phoneNumber === '') return 'emptyString'
    return email === undefined || phoneNumber === undefined ? 'absent' : undefined
  },
  resolveWithoutAddress: (seen) => {
    const { phone, email } = seen.sent
    if (!asks(seen, 'findOrCreateConversation') || phone !== undefined || email !== undefined) return undefined
    const isBlamed = blames(seen, 'phone') || blames(seen, 'email')
    return seen.answer.succeeded ? 'createsEmpty' : isBlamed ? 'refused' : undefined
  },

  // Messages
  messageFields: (seen) =>
    asks(seen, 'sendLiveMessage', 'sendMessage') ? byHiddenFields(seen, ['mediaUrl', 'source']) : undefined,
  whatsappWithoutTemplate: (seen) => {
    const { channel, templateId } = seen.sent
    if (!asks(seen, 'sendMessage') || channel !== 'whatsapp' || isText(templateId)) return undefined
    return seen.answer.succeeded ? 'accepted' : blames(seen, 'templateId') ? 'refused' : undefined
  },
  emailWithoutRecipientIds: (seen) => {
    const { recipientIds, conversationId, to } = seen.sent
    if (!asks(seen, 'sendEmailMessage') || recipientIds !== undefined || to !== undefined || !isText(conversationId))
      return undefined
    return seen.answer.succeeded ? 'contactOfConversation' : blames(seen, 'recipientIds') ? 'refused' : undefined
  },
  emptyOptionalId: (seen) => {
    const { to, conversationId, contactId } = seen.sent
    const isEmpty = conversationId === '' || contactId === ''
    if (!asks(seen, 'sendLiveMessage', 'sendMessage') || !isText(to) || !isEmpty) return undefined
    return seen.answer.succeeded ? 'omitted' : choose(seen.answer.status, { 404: 'unknown' } as const)
  },

  // Templates
  whatsappApproval: (seen) =>
    asks(seen, 'createTemplate') && seen.data.templateType === 'whatsapp' && seen.data.status === 'approved'
      ? 'atOnce'
      : undefined,
  templateAfterUpdate: (seen) => {
    if (!asks(seen, 'updateTemplate') || !seen.answer.succeeded || idOf(seen.data) === undefined) return undefined
    const notSent = ['name', 'templateType', 'uniqueName', 'createdAt'].filter(
      (field) => seen.sent[field] === undefined,
    )
    const shown = notSent.filter((field) => seen.data[field] !== undefined)
    return shown.length === notSent.length ? 'wholeTemplate' : shown.length === 0 ? 'changedFields' : undefined
  },
  smsCategory: byField(
    ['createTemplate'],
    'category',
    (category, { sent }) => sent.templateType !== 'whatsapp' && other(templateCategories)(category),
    ['sameValues', 'anyString'],
  ),
  uniqueNameForm: byField(
    ['createTemplate'],
    'uniqueName',
    (name, { sent }) => sent.templateType !== 'whatsapp' && !/^[a-z0-9_-]+$/.test(name),
    ['refused', 'accepted'],
  ),
  whatsappNameForm: byField(
    ['createTemplate'],
    'uniqueName',
    (name, { sent }) => sent.templateType === 'whatsapp' && !isSnakeCase(name),
    ['refused', 'accepted'],
  ),

  // Companies, products, deals and quotes
  recordFields: (seen) => byHiddenFields(seen, hiddenFields[seen.request.operation] ?? []),
  recordAfterUpdate: (seen) => {
    if (!asks(seen, ...recordUpdates) || !seen.answer.succeeded) return undefined
    return idOf(seen.data) !== undefined ? 'record' : seen.answer.fields.data === undefined ? 'messageOnly' : undefined
  },
  currencyForm: byField(['createDeal', 'updateDeal'], 'currency', (text) => !/^[A-Z]{3}$/.test(text), [
    'checked',
    'anyString',
  ]),
  closeDateForm: byField(['createDeal', 'updateDeal'], 'closeDate', (text) => !isIsoDate(text), [
    'checked',
    'anyString',
  ]),
  sameRecordTwice: byField(['createProduct'], 'sku', (sku, { hasMade }) => hasMade('createProduct', 'sku', sku), [
    'refused',
    'accepted',
  ]),
  numberRange: (seen) => {
    const field = ['unitPrice', 'amount', 'employeeCount'].find((name) => Number(seen.sent[name]) < 0)
    if (!asks(seen, ...recordCreates) || field === undefined) return undefined
    return seen.answer.succeeded ? 'accepted' : blames(seen, field) ? 'refused' : undefined
  },
  quoteNameWhenAbsent: (seen) => {
    const { name } = seen.known(seen.sent.dealId) ?? {}
    if (!asks(seen, 'createQuote') || isText(seen.sent.name) || !isText(name)) return undefined
    return which(seen.data.name, { dealName: name, quoteForDeal: `Quote for ${name}` })
  },
  otherQuoteTemplate: byField(['createQuote'], 'template', (text) => text !== 'default-basic', ['refused', 'accepted']),

  // Requests
  emptyUpdate: (seen) => {
    const isEmpty = Object.keys(seen.sent).length === 0
    if (!asks(seen, 'updateContact', ...recordUpdates) || !isEmpty) return undefined
    return seen.answer.succeeded ? 'accepted' : choose(seen.answer.status, { 400: 'refused' } as const)
  },
}

/** Fields of a request that the documentation of its response does not show. */
const hiddenFields: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createCompany: ['industry', 'city', 'state'],
  createProduct: ['description'],
  createDeal: ['description'],
}
