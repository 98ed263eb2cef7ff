import type { Assumed } from '../../spec/assumed.ts'
import type { Shape } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import { acceptNulls, type Body, readFormLists, without } from './body-fields.ts'

/** Applies the assumptions about a body that come before it is checked against the document. */
export function normalizeBody(body: unknown, id: OperationId, assumed: Assumed): unknown {
  if (!isObject(body)) return body
  const normalize = normalizers[id]
  const withoutNulls = acceptNulls(body, id, assumed)
  return normalize ? normalize(withoutNulls, assumed) : withoutNulls
}

/** Applies the assumptions about the fields of a form that were left empty, and about those that hold a list. */
export function normalizeForm(fields: Body, shape: Shape, assumed: Assumed): Body {
  const listed = shape.listed(fields)
  const empty = Object.keys(fields).filter((field) => fields[field] === '' && listed.has(field))
  const isOmitted = empty.length > 0 && assumed.emptyFormField === 'omitted'
  return readFormLists(isOmitted ? without(fields, empty) : fields, assumed)
}

const isObject = (body: unknown): body is Body => typeof body === 'object' && body !== null && !Array.isArray(body)

const normalizers: Partial<Record<OperationId, (body: Body, assumed: Assumed) => Body>> = {
  sendLiveMessage: acceptEmptyIds,
  sendMessage: acceptEmptyIds,
  sendBulkMessages: acceptEmptyIds,
  sendEmailMessage: (body, assumed) => acceptContactIds(acceptEmptyIds(body, assumed), assumed),
}

const optionalIds = ['conversationId', 'contactId', 'recipientId', 'templateId', 'replyToMessageId']

function acceptEmptyIds(body: Body, assumed: Assumed): Body {
  const empty = optionalIds.filter((field) => body[field] === '')
  return empty.length > 0 && assumed.emptyOptionalId === 'omitted' ? without(body, empty) : body
}

function acceptContactIds(body: Body, assumed: Assumed): Body {
  const { contactId, recipientId, recipientIds = [], ...others } = body
  const sent = Object.entries({ contactId, recipientId }).filter(([, id]) => id !== undefined)
  // The document does not list these two fields, so its own check refuses them.
  if (sent.length === 0 || assumed.contactIdOnEmail === 'refused') return body
  for (const [field, id] of sent)
    if (typeof id !== 'string') refuse(`${field} must be a string`, { assumption: 'contactIdOnEmail', field })
  if (!Array.isArray(recipientIds)) return { ...others, recipientIds }
  return { ...others, recipientIds: [...sent.map(([, id]) => id), ...(recipientIds as unknown[])] }
}
