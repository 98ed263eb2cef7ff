import type { Complaint } from './explain.ts'
import { promise, type PromiseId } from './promises.ts'
import type { OperationId } from './types.ts'

/** The requirement that a request with this fault violates, if any. */
export function promiseOfFault(id: OperationId, fault: Fault, body?: unknown): PromiseId | undefined {
  const field = rootOf(fault.field)
  const row = decided.find(({ promise: decider, kind, fields, ifType }) => {
    const { operations } = promise(decider)
    if (kind !== fault.kind || (operations !== 'all' && !(operations as readonly string[]).includes(id))) return false
    return (fields === anyField || fields.includes(field)) && (ifType === undefined || ifType === typeIn(body))
  })
  return row?.promise
}

type Fault = Pick<Complaint, 'kind' | 'field'>

interface Decided {
  readonly promise: PromiseId
  readonly kind: Complaint['kind']
  readonly fields: readonly string[]
  /** Only for templates of this type. */
  readonly ifType?: string
}

const anyField: readonly string[] = []

/** `attachments` of `attachments[0].mediaType`. */
const rootOf = (field: string) => /^[^.[]*/.exec(field)?.[0] ?? field

const typeIn = (body: unknown) => (body as { templateType?: unknown } | undefined)?.templateType

/** A field that is required, of the fields that the promise names. */
const missing = (id: PromiseId, ifType?: string): Decided => ({
  promise: id,
  kind: 'missing',
  fields: fieldsOf(id),
  ...(ifType === undefined ? {} : { ifType }),
})

/** A value that is not taken, in the fields that the promise names, or in these. */
const wrong = (id: PromiseId, ...fields: readonly string[]): Decided => ({
  promise: id,
  kind: 'value',
  fields: fields.length > 0 ? fields : fieldsOf(id),
})

const unlisted = (id: PromiseId): Decided => ({ promise: id, kind: 'unlisted', fields: anyField })

function fieldsOf(id: PromiseId): readonly string[] {
  return (promise(id) as { fields?: readonly string[] }).fields ?? []
}

const decided: readonly Decided[] = [
  unlisted('conversation.findRefusesUnlistedFields'),
  wrong('conversation.malformedEmailIsRefused', 'email'),
  wrong('conversation.malformedPhoneIsRefused', 'phone', 'phoneNumber'),
  missing('conversation.createWithContactRequires'),
  missing('conversation.createRequires'),

  unlisted('message.unlistedFieldsAreRefused'),
  wrong('message.wrongTypesAreRefused'),
  missing('message.liveRequires'),
  wrong('message.liveIsChatOnly', 'channel'),
  wrong('message.malformedPhoneIsRefused'),
  wrong('message.otherAttachmentTypesAreRefused', 'attachments', 'mediaType'),
  missing('message.emailRequires'),
  wrong('message.emailIsEmailOnly', 'channel'),
  wrong('message.malformedEmailIsRefused'),
  missing('message.phoneRequires'),
  wrong('message.otherPhoneChannelsAreRefused', 'channel'),
  missing('message.bulkRequires'),
  missing('message.bulkEmailRequiresASubject'),
  wrong('message.otherBulkChannelsAreRefused', 'channel'),
  wrong('message.otherBulkSchedulesAreRefused', 'scheduleType'),

  missing('template.listRequires'),
  missing('template.createRequires'),
  missing('template.smsRequires', 'sms'),
  missing('template.emailRequires', 'email'),
  missing('template.whatsappRequires', 'whatsapp'),
  missing('template.updateRequires'),
  wrong('template.otherTypesAreRefused', 'templateType'),
  wrong('template.otherCategoriesAreRefused', 'category'),
  wrong('template.otherHeaderTypesAreRefused', 'headerType'),
  wrong('template.buttonsInAFormAreText'),
  wrong('template.wrongTypesAreRefused'),

  missing('contact.createRequires'),
  missing('contact.upsertRequires'),
  missing('contact.deleteByEmailRequires'),
  wrong('contact.otherStatusesAreRefused', 'status'),
  wrong('contact.groupsAreAList'),
  wrong('contact.additionalFieldsAreAnObject'),

  missing('company.createRequires'),
  wrong('company.wrongTypesAreRefused'),
  missing('product.createRequires'),
  wrong('product.pricesAreNumbers'),
  wrong('product.otherBillingIsRefused', 'billingFrequency'),
  missing('deal.createRequires'),
  wrong('deal.amountIsANumber'),
  wrong('deal.closeDatesOfOtherTypesAreRefused'),
  wrong('deal.otherContactsAreRefused'),
  missing('quote.createRequires'),
  wrong('quote.otherStatusesAreRefused', 'status'),
  wrong('quote.otherSignaturesAreRefused', 'signatureOption'),
  wrong('quote.wrongTypesAreRefused'),
]
