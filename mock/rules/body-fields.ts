import type { Assumed } from '../../spec/assumed.ts'
import type { AssumptionName, ByChoice } from '../../spec/assumptions.ts'
import { resolutions, updates } from '../../spec/operation-groups.ts'
import type { Complaint, Operation, Shape } from '../../spec/operations.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId, Schemas } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import { refuseIf } from './refuse-if.ts'

export type Body = Readonly<Record<string, unknown>>

/** Returns the accepted fields of a valid body. Assumptions decide on empty and unlisted fields. */
export function acceptFields(body: Body, operation: Operation, shape: Shape, assumed: Assumed): Body {
  checkEmptyStrings(body, operation, shape, assumed)
  const listed = shape.listed(body)
  const unlisted = Object.keys(body).filter((field) => !listed.has(field))
  if (unlisted.length === 0) return body
  if (isResolution(operation.id) && assumed.resolutionEndpoints === 'allThree')
    refuseUnlisted(unlisted, 'resolutionEndpoints')
  return dropFields(body, unlisted, operation, assumed)
}

/** An empty string may count as a missing field, so the body is checked again without the empty ones. */
function checkEmptyStrings(body: Body, { id }: Operation, shape: Shape, assumed: Assumed): void {
  if (!Object.values(body).includes('')) return
  const complaint = shape.complaint(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')))
  if (complaint) refuseEmptyString(complaint, assumed)
  const emptied = fieldsToKeep(id, body).find((field) => body[field] === '')
  if (emptied !== undefined) refuseEmptyString({ field: emptied, sentence: `${emptied} is required` }, assumed)
}

type EmptyField = Pick<Complaint, 'field' | 'sentence'>

/** The specification does not say whether an empty string counts as a missing field. */
export function refuseEmptyString({ sentence, field }: EmptyField, assumed: Assumed): void {
  refuseIf(assumed, 'emptyString', 'refused', `${sentence}, and an empty string counts as missing`, field)
}

const isResolution = (id: OperationId) => resolutions.some((resolution) => resolution === id)

function dropFields(body: Body, unlisted: readonly string[], { id }: Operation, assumed: Assumed): Body {
  const written = [...serverFields, ...(serverFieldsOf[id] ?? [])]
  const sent = unlisted.filter((field) => written.includes(field))
  for (const field of sent.slice(0, 1))
    refuseIf(assumed, 'serverFieldsSent', 'refused', `${field} is written by the service; leave it out`, field)
  const others = unlisted.filter((field) => !written.includes(field))
  const remaining = sent.length === 0 ? body : without(body, sent)
  return others.length === 0 ? remaining : unlistedFields[assumed.unlistedFields](remaining, others)
}

/** The fields that the service itself writes. */
const serverFields: readonly string[] = ['_id', 'teamId', 'createdAt', 'updatedAt']

const serverFieldsOf: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createTemplate: ['status', 'ownerId', 'approveAt', 'rejectionReason'],
  updateTemplate: ['status', 'ownerId', 'approveAt', 'rejectionReason', 'uniqueName'],
  createQuote: ['status'],
  updateQuote: ['dealId'],
}

const unlistedFields: ByChoice<'unlistedFields', (body: Body, unlisted: readonly string[]) => Body> = {
  kept: (body) => body,
  dropped: without,
  refused: (_body, unlisted) => refuseUnlisted(unlisted, 'unlistedFields'),
}

function refuseUnlisted([first = '']: readonly string[], assumption: AssumptionName): never {
  const name = JSON.stringify(first.slice(0, 60)).slice(1, -1)
  refuse(`${name} is not a field of this request`, { assumption, field: first })
}

export function without(body: Body, fields: readonly string[]): Body {
  const dropped = new Set(fields)
  return Object.fromEntries(Object.entries(body).filter(([field]) => !dropped.has(field)))
}

/** The fields that a create requires and an update can send, so that an update may not take them away. */
function fieldsToKeep(id: OperationId, { templateType }: Body): readonly string[] {
  if (id !== 'updateTemplate') return byUpdate[id] ?? []
  return promise(templateType === 'whatsapp' ? 'template.whatsappRequires' : 'template.smsRequires').fields
}

const names = promise('contact.createRequires').fields

const byUpdate: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  updateContact: names,
  createOrUpdateContact: names,
  updateCompany: promise('company.createRequires').fields,
  updateProduct: promise('product.createRequires').fields,
  updateDeal: promise('deal.createRequires').fields,
}

/** The specification does not say what null means, nor how an update clears a field. */
export function acceptNulls(body: Body, id: OperationId, assumed: Assumed): Body {
  if (!Object.values(body).includes(null)) return body
  const nulls = Object.keys(body).filter((field) => body[field] === null && !mayBeNull(field, id))
  return nulls.length === 0 ? body : nullField[assumed.nullField](body, nulls, id)
}

/** promise message.liveMediaMayBeNull: the media of a live chat message may be null. */
const mayBeNull = (field: string, id: OperationId) =>
  id === 'sendLiveMessage' && promise('message.liveMediaMayBeNull').fields.some((known) => known === field)

const nullField: ByChoice<'nullField', (body: Body, nulls: readonly string[], id: OperationId) => Body> = {
  // A field may have any type that the document does not list.
  refused: (_body, [first = 'a field']) =>
    refuse(`${first.slice(0, 60)} must not be null; leave it out`, { assumption: 'nullField', field: first }),
  omitted: without,
  cleared: (body, nulls, id) => (isUpdate(id) ? clear(body, nulls, id) : without(body, nulls)),
}

const isUpdate = (id: OperationId) => updates.some((update) => update === id)

/** A field that is undefined is one that the update removes. */
function clear(body: Body, nulls: readonly string[], id: OperationId): Body {
  const kept = nulls.find((field) => fieldsToKeep(id, body).includes(field) || field === 'templateType')
  if (kept !== undefined) refuse(`${kept} is required and cannot be cleared`, { assumption: 'nullField', field: kept })
  return { ...body, ...Object.fromEntries(nulls.map((field) => [field, undefined])) }
}

/** The lists of a form, except the buttons, of which the specification says that they are JSON. */
const lists = [
  'variables',
  'bodyVariableSampleValues',
  'headerVariables',
  'headerVariableSampleValues',
] as const satisfies (keyof Schemas['WhatsappTemplateForm'])[]

/** The specification does not say whether a list can be sent as JSON in one field. */
export function readFormLists(fields: Body, assumed: Assumed): Body {
  const read = lists.flatMap((field) => {
    const items = itemsIn(fields[field])
    return items === undefined ? [] : [[field, items] as const]
  })
  return read.length > 0 && assumed.formList === 'list' ? { ...fields, ...Object.fromEntries(read) } : fields
}

/** The items of a list of texts and numbers that is written as JSON. */
function itemsIn(text: unknown): readonly unknown[] | undefined {
  if (typeof text !== 'string' || !/^\s*\[[^[{]*\]\s*$/.test(text)) return undefined
  try {
    return JSON.parse(text) as readonly unknown[]
  } catch {
    return undefined
  }
}
