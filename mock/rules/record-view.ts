import type { Kinds } from '../../fixtures/records.ts'
import { promise } from '../../spec/promises.ts'
import { done, ok } from '../core/operation.ts'
import type { Transaction } from '../core/transaction.ts'

/**
 * promise company.createShowsTheRecord, product.createShowsTheRecord, deal.createShowsTheRecord: a record that was created
 * shows these fields, and so does a quote. The specification does not say whether the other fields that were sent are
 * shown too.
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
  const isShown = (field: string) => fields.includes(field)
  if (Object.keys(record).every(isShown) || assumed.recordFields === 'allSent') return record
  // Every required field of a record is among those shown.
  return Object.fromEntries(Object.entries(record).filter(([field]) => isShown(field))) as R
}

/** The specification does not say whether the answer to an update holds the record. */
export function replyToUpdate<R extends Kinds[ShownKind]>(
  message: string,
  kind: ShownKind,
  record: R,
  tx: Transaction,
): UpdateReply<R> {
  return tx.assumed.recordAfterUpdate === 'record' ? ok(message, showRecord(kind, record, tx)) : done(message)
}

interface UpdateReply<Data> {
  readonly status: 200
  readonly message: string
  readonly data?: Data
}
