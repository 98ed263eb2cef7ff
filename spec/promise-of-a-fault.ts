import type { Complaint } from './explain.ts'
import { type PromiseEntry, type PromiseId, promises } from './promises.ts'
import type { OperationId } from './types.ts'

/** The requirement that a request with this fault violates, if any; a usual one if some servers could read the value. */
export function promiseOfFault(operation: OperationId, fault: Fault, body?: unknown): PromiseId | undefined {
  const field = fault.field.replaceAll(/\[\d+\]/g, '') // `attachments.mediaType` of `attachments[0].mediaType`
  const violated = refusalsFor[fault.kind].filter(({ id, operations, fields = [] }) => {
    if (operations === 'all' || !operations.includes(operation)) return false
    const [, templateType] = /^template\.(sms|email|whatsapp)Requires$/.exec(id) ?? []
    if (templateType !== undefined && templateType !== typeIn(body)) return false
    return fault.kind === 'unlisted' || (refusedValuesOf[id] ?? fields).includes(field)
  })
  const isReadable = /^[\d\s().-]+$/.test(String((body as Fields | undefined)?.[field]))
  return (isReadable ? violated.find(({ strength }) => strength === 'usual') : undefined)?.id ?? violated[0]?.id
}

type Fault = Pick<Complaint, 'kind' | 'field'>

type Fields = Readonly<Record<string, unknown>>

const typeIn = (body: unknown) => (body as Fields | undefined)?.templateType

/** The fields with the values that a requirement refuses, where it does not name them itself. */
const refusedValuesOf: Partial<Record<PromiseId, readonly string[]>> = {
  'conversation.malformedEmailIsRefused': ['email'],
  'conversation.malformedPhoneIsRefused': ['phone', 'phoneNumber'],
  'conversation.nationalPhoneIsRefused': ['phone', 'phoneNumber'],
  'message.liveIsChatOnly': ['channel'],
  'message.otherAttachmentTypesAreRefused': ['attachments.mediaType'],
  'message.emailIsEmailOnly': ['channel'],
  'message.otherPhoneChannelsAreRefused': ['channel'],
  'message.otherBulkChannelsAreRefused': ['channel'],
  'message.otherBulkSchedulesAreRefused': ['scheduleType'],
  'template.otherTypesAreRefused': ['templateType'],
  'template.otherCategoriesAreRefused': ['category'],
  'template.otherHeaderTypesAreRefused': ['headerType'],
  'contact.otherStatusesAreRefused': ['status'],
  'product.otherBillingIsRefused': ['billingFrequency'],
  'quote.otherStatusesAreRefused': ['status'],
  'quote.otherSignaturesAreRefused': ['signatureOption'],
}

const refusals = promises.filter(({ status }) => status === 400)
const missing = refusals.filter(({ id }) => /requires/i.test(id))
const unlisted = refusals.filter(({ id }) => /unlistedFields/i.test(id))
const value = refusals.filter((one) => !missing.includes(one) && !unlisted.includes(one))

/** The requirements that a fault can violate, by its kind. */
const refusalsFor: Readonly<Record<Fault['kind'], readonly PromiseEntry[]>> = { missing, unlisted, type: value, value }
