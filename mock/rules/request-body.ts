import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { OperationId } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import type { Body } from './body-fields.ts'

/** What the document leaves open of a body, before it is held to the document. */
export function bodyAsAssumed(body: unknown, id: OperationId, assumed: Assumed): unknown {
  const asAssumed = readings[id]
  return asAssumed && isObject(body) ? asAssumed(body, assumed) : body
}

const isObject = (body: unknown): body is Body => typeof body === 'object' && body !== null && !Array.isArray(body)

const readings: Partial<Record<OperationId, (body: Body, assumed: Assumed) => Body>> = {
  sendEmailMessage: (body, assumed) =>
    body.contactId === undefined && body.recipientId === undefined
      ? body
      : contactIdOnEmail[assumed.contactIdOnEmail](body),
}

const contactIdOnEmail: ByChoice<'contactIdOnEmail', (body: Body) => Body> = {
  // The document does not list them, and says so.
  refused: (body) => body,
  accepted: ({ contactId, recipientId, recipientIds = [], ...others }) => {
    const named = Object.entries({ contactId, recipientId }).filter(([, id]) => id !== undefined)
    for (const [field, id] of named) if (typeof id !== 'string') refuse(`${field} must be a string`)
    if (!Array.isArray(recipientIds)) return { ...others, recipientIds }
    return { ...others, recipientIds: [...named.map(([, id]) => id), ...(recipientIds as unknown[])] }
  },
}
