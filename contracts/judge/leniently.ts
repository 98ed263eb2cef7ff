import { fieldsOf } from '../../client/answer.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'

/**
 * A body as the document describes it, where the service may write the same in another way: null for what is lacking,
 * a time to the minute or without a zone, and a contact without names when it was made from an address alone, alone or
 * in its conversation.
 */
export function readLeniently(operation: OperationId, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { data, meta, ...envelope } = fieldsOf(body)
  const known = withoutNulls(data)
  return { ...envelope, ...unlessNull({ data: withNames(operation, known), meta }) }
}

function withNames(operation: OperationId, data: unknown): unknown {
  if (Array.isArray(data)) return data.map((one) => withNames(operation, one))
  if (typeof data !== 'object' || data === null) return data
  if (showsContact.has(operation)) return { ...noNames, ...data }
  const { contactId } = fieldsOf(data)
  return showsConversation.has(operation) && typeof contactId === 'object' && contactId !== null
    ? { ...data, contactId: { name: '', ...contactId } }
    : data
}

const showsConversation = new Set<OperationId>(promise('conversation.contactIsPopulated').operations)
const showsContact = new Set<OperationId>(promise('contact.answersWithTheContact').operations)
const noNames = { firstName: '', lastName: '' }

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) =>
      one === null || one === undefined ? [] : [[name, isTime(name) ? toTheSecond(one) : withoutNulls(one)]],
    ),
  )
}

const unlessNull = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

const isTime = (name: string) => name === 'createdAt' || name === 'updatedAt'

/** ISO 8601 needs no seconds and no zone, and RFC 3339, which the document names, needs both. */
const toTheSecond = (time: unknown) =>
  typeof time === 'string'
    ? time.replace(/T(\d\d):?(\d\d)(?=$|Z|[+-]\d\d)/, 'T$1:$2:00').replace(/T[\d:.,]+$/, '$&Z')
    : time
