import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Operation, Shape } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'

export type Body = Readonly<Record<string, unknown>>

/** What the document leaves open of the fields of a body: those that are empty, not listed, or the service's own. */
export function fieldsAsAssumed(body: Body, operation: Operation, shape: Shape, assumed: Assumed): Body {
  checkEmptyStrings(body, shape, assumed)
  const listed = shape.listed(body)
  const strays = Object.keys(body).filter((field) => !listed.has(field))
  if (strays.length === 0) return body
  if (resolutions.includes(operation.id)) resolutionEndpoints[assumed.resolutionEndpoints](strays)
  return withoutServerFields(body, strays, operation, assumed)
}

/** An empty string counts as a missing one: so the document is asked what it says without it. */
function checkEmptyStrings(body: Body, shape: Shape, assumed: Assumed): void {
  if (!Object.values(body).includes('')) return
  const complaint = shape.check(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')))
  if (complaint !== undefined) emptyString[assumed.emptyString](complaint)
}

const emptyString: ByChoice<'emptyString', (complaint: string) => void> = {
  refused: (complaint) => refuse(`${complaint}, and an empty string counts as missing`),
  accepted: () => undefined,
}

const resolutions: readonly OperationId[] = ['createContactWithConversation', 'createConversation']

const resolutionEndpoints: ByChoice<'resolutionEndpoints', (strays: readonly string[]) => void> = {
  allThree: refuseStrays,
  byPhoneAndEmailOnly: () => undefined,
}

/** What a body may hold only by mistake, beyond what it lists: what the service itself writes. */
const serverFields: readonly string[] = ['_id', 'teamId', 'createdAt', 'updatedAt']

const serverFieldsOf: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createTemplate: ['status', 'ownerId', 'approveAt'],
  updateTemplate: ['status', 'ownerId', 'approveAt', 'uniqueName'],
  createQuote: ['status'],
  updateQuote: ['dealId'],
}

function withoutServerFields(body: Body, strays: readonly string[], { id }: Operation, assumed: Assumed): Body {
  const own = [...serverFields, ...(serverFieldsOf[id] ?? [])]
  const sent = strays.filter((field) => own.includes(field))
  if (sent.length > 0) serverFieldsSent[assumed.serverFieldsSent](sent)
  const others = strays.filter((field) => !own.includes(field))
  const cleared = sent.length === 0 ? body : without(body, sent)
  return others.length === 0 ? cleared : unlistedFields[assumed.unlistedFields](cleared, others)
}

const serverFieldsSent: ByChoice<'serverFieldsSent', (sent: readonly string[]) => void> = {
  ignored: () => undefined,
  refused: ([first]) => refuse(`${first ?? 'a field'} is written by the service; leave it out`),
}

const unlistedFields: ByChoice<'unlistedFields', (body: Body, strays: readonly string[]) => Body> = {
  kept: (body) => body,
  dropped: without,
  refused: (_body, strays) => refuseStrays(strays),
}

function refuseStrays([first]: readonly string[]): never {
  refuse(`${JSON.stringify((first ?? '').slice(0, 60)).slice(1, -1)} is not a field of this request`)
}

function without(body: Body, fields: readonly string[]): Body {
  const gone = new Set(fields)
  return Object.fromEntries(Object.entries(body).filter(([field]) => !gone.has(field)))
}
