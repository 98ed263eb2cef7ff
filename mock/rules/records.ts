import { isDeepStrictEqual } from 'node:util'
import type { Kind, Kinds } from '../../fixtures/records.ts'
import { merge, without } from '../../lib/json.ts'
import type { Stamped } from '../core/team.ts'
import type { Transaction } from '../core/transaction.ts'
import { promise } from '../../spec/promises.ts'
import { done, ok } from '../core/operation.ts'

/**
 * promise contact.updateShowsTheChange, contact.updateKeepsTheRest: an update changes the fields that it contains, and
 * no others.
 * promise contact.updateMayBeEmpty, company.updateMayBeEmpty, product.updateMayBeEmpty, deal.updateMayBeEmpty,
 * quote.updateMayBeEmpty, template.updateMayBeEmpty: it may contain none.
 */
export async function updateRecord<K extends Kind>(
  records: Stamped<K>,
  record: Kinds[K],
  fields: Partial<Kinds[K]>,
  tx: Transaction,
): Promise<Kinds[K]> {
  if (Object.keys(fields).length === 0) return record
  const customFields = withCustomFields.includes(records.kind) ? combineCustomFields(record, fields, tx) : undefined
  const { base, changes } = clearFields(record, customFields ? merge(fields, customFields) : fields)
  if (records.kind === 'contacts' && base === record && isUnchanged(record, changes))
    if (tx.assumed.unchangedUpdate === 'stays') return record
  return records.update(base, records.kind in fieldsShown ? withTimes(changes, tx, base as Times) : changes)
}

function isUnchanged<R extends object>(record: R, changes: Partial<R>): boolean {
  for (const field in changes) if (!isDeepStrictEqual(record[field], changes[field])) return false
  return true
}

interface Times {
  readonly createdAt?: string
  readonly updatedAt?: string
}

/**
 * The specification lists no times of companies, products, deals and quotes. A record that is updated keeps its time of
 * creation, if it has one.
 */
export function withTimes<F extends object>(fields: F, { assumed, clock }: Transaction, updated?: Times): F & Times {
  if (assumed.recordTimes === 'notShown') return fields
  const now = new Date(clock.now()).toISOString()
  const createdAt = updated ? updated.createdAt : now
  return merge(fields, createdAt === undefined ? { updatedAt: now } : { createdAt, updatedAt: now })
}

/** Takes the fields that an update clears, which are undefined, out of both. */
function clearFields<R extends object>(record: R, fields: Partial<R>): { base: R; changes: Partial<R> } {
  const cleared = Object.keys(fields).filter((field) => fields[field as keyof R] === undefined)
  if (cleared.length === 0) return { base: record, changes: fields }
  // No required field can be cleared.
  return { base: without(record, cleared) as R, changes: without(fields, cleared) }
}

/** In other kinds `additionalFields` is an unlisted field like any other. */
const withCustomFields: readonly Kind[] = ['contacts', 'companies']

interface WithCustomFields {
  readonly additionalFields?: CustomFields
}

type CustomFields = Readonly<Record<string, unknown>>

/** The specification does not say whether an update replaces all custom fields or only those that it gives. */
function combineCustomFields(record: object, fields: object, { assumed }: Transaction): WithCustomFields | undefined {
  const { additionalFields: stored } = record as WithCustomFields
  const { additionalFields: changed } = fields as WithCustomFields
  if (!stored || !changed || Object.keys(stored).every((name) => Object.hasOwn(changed, name))) return undefined
  return { additionalFields: assumed.nestedUpdate === 'merged' ? { ...stored, ...changed } : changed }
}

/**
 * promise company.createShowsTheRecord, product.createShowsTheRecord, deal.createShowsTheRecord: a record that was created
 * shows these fields, and so does a quote. The specification does not say whether it also shows the other fields of the
 * request.
 */
const fieldsShown = {
  companies: promise('company.createShowsTheRecord').fields,
  products: promise('product.createShowsTheRecord').fields,
  deals: promise('deal.createShowsTheRecord').fields,
  quotes: promise('quote.createShowsTheRecord').fields,
} as const satisfies { [K in keyof Kinds]?: readonly (keyof Kinds[K])[] }

type ShownKind = keyof typeof fieldsShown

export function showRecord<R extends Kinds[ShownKind]>(kind: ShownKind, record: R, { assumed }: Transaction): R {
  const fields: readonly string[] = fieldsShown[kind]
  const times = assumed.recordTimes === 'shown' ? ['createdAt', 'updatedAt'] : []
  const isShown = (field: string) => fields.includes(field) || times.includes(field)
  if (Object.keys(record).every(isShown) || assumed.recordFields === 'allSent') return record
  // Every required field of a record is among those shown.
  return Object.fromEntries(Object.entries(record).filter(([field]) => isShown(field))) as R
}

/** The specification does not say whether the response to an update contains the record. */
export function replyToUpdate<R extends Kinds[ShownKind]>(
  message: string,
  kind: ShownKind,
  record: R,
  tx: Transaction,
): UpdateReply<R> {
  return tx.assumed.recordAfterUpdate === 'record' ? ok(message, showRecord(kind, record, tx)) : done(message)
}

interface UpdateReply<Data> {
  readonly message: string
  readonly data?: Data
}
