import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { OperationId } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import type { Body } from './body-fields.ts'

/** Applies the assumptions about a body that come before it is checked against the document. */
export function normalizeBody(body: unknown, id: OperationId, assumed: Assumed): unknown {
  const normalize = normalizers[id]
  return normalize && isObject(body) ? normalize(body, assumed) : body
}

const isObject = (body: unknown): body is Body => typeof body === 'object' && body !== null && !Array.isArray(body)

const normalizers: Partial<Record<OperationId, (body: Body, assumed: Assumed) => Body>> = {
  sendEmailMessage: (body, assumed) =>
    body.contactId === undefined && body.recipientId === undefined
      ? body
      : contactIdOnEmail[assumed.contactIdOnEmail](body),
}

const contactIdOnEmail: ByChoice<'contactIdOnEmail', (body: Body) => Body> = {
  // The document does not list these two fields, so its own check refuses them.
  refused: (body) => body,
  accepted: ({ contactId, recipientId, recipientIds = [], ...others }) => {
    const sent = Object.entries({ contactId, recipientId }).filter(([, id]) => id !== undefined)
    for (const [field, id] of sent) if (typeof id !== 'string') refuse(`${field} must be a string`)
    if (!Array.isArray(recipientIds)) return { ...others, recipientIds }
    return { ...others, recipientIds: [...sent.map(([, id]) => id), ...(recipientIds as unknown[])] }
  },
}
