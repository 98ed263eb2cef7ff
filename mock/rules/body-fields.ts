import type { Assumed } from '../../spec/assumed.ts'
import type { AssumptionName, ByChoice } from '../../spec/assumptions.ts'
import { resolutions } from '../../spec/operation-groups.ts'
import type { Complaint, Operation, Shape } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import { fieldsToKeep } from './required-fields.ts'

export type Body = Readonly<Record<string, unknown>>

/** The fields of a valid body that are accepted. What happens to empty and unlisted fields is assumed. */
export function acceptFields(body: Body, operation: Operation, shape: Shape, assumed: Assumed): Body {
  checkEmptyStrings(body, operation, shape, assumed)
  const listed = shape.listed(body)
  const unlisted = Object.keys(body).filter((field) => !listed.has(field))
  if (unlisted.length === 0) return body
  if (isResolution(operation.id)) resolutionEndpoints[assumed.resolutionEndpoints](unlisted)
  return dropFields(body, unlisted, operation, assumed)
}

/** An empty string may count as a missing field, so the body is checked again without the empty ones. */
function checkEmptyStrings(body: Body, { id }: Operation, shape: Shape, assumed: Assumed): void {
  if (!Object.values(body).includes('')) return
  const complaint = shape.complaint(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')))
  if (complaint) emptyString[assumed.emptyString](complaint)
  const emptied = fieldsToKeep(id, body).find((field) => body[field] === '')
  if (emptied !== undefined) emptyString[assumed.emptyString]({ field: emptied, sentence: `${emptied} is required` })
}

const emptyString: ByChoice<'emptyString', (complaint: Pick<Complaint, 'field' | 'sentence'>) => void> = {
  refused: ({ sentence, field }) =>
    refuse(`${sentence}, and an empty string counts as missing`, { assumption: 'emptyString', field }),
  accepted: () => undefined,
}

const isResolution = (id: OperationId) => resolutions.some((resolution) => resolution === id)

const resolutionEndpoints: ByChoice<'resolutionEndpoints', (unlisted: readonly string[]) => void> = {
  allThree: (unlisted) => refuseUnlisted(unlisted, 'resolutionEndpoints'),
  byPhoneAndEmailOnly: () => undefined,
}

function dropFields(body: Body, unlisted: readonly string[], { id }: Operation, assumed: Assumed): Body {
  const written = [...serverFields, ...(serverFieldsOf[id] ?? [])]
  const sent = unlisted.filter((field) => written.includes(field))
  if (sent.length > 0) serverFieldsSent[assumed.serverFieldsSent](sent)
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

const serverFieldsSent: ByChoice<'serverFieldsSent', (sent: readonly string[]) => void> = {
  ignored: () => undefined,
  refused: ([first]) =>
    refuse(`${first ?? 'a field'} is written by the service; leave it out`, {
      assumption: 'serverFieldsSent',
      field: first,
    }),
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
