import type { Kinds } from '../../fixtures/records.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { promise } from '../../spec/promises.ts'
import { done, ok } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'

/**
 * promise company.createShowsTheRecord, product.createShowsTheRecord, deal.createShowsTheRecord and
 * quote.createShowsTheRecord: these fields are shown. What becomes of the others that were sent is not documented.
 */
const fieldsShown = {
  companies: promise('company.createShowsTheRecord').fields,
  products: promise('product.createShowsTheRecord').fields,
  deals: promise('deal.createShowsTheRecord').fields,
  quotes: promise('quote.createShowsTheRecord').fields,
} as const satisfies { [K in keyof Kinds]?: readonly (keyof Kinds[K])[] }

type RecordKind = keyof typeof fieldsShown

export function shown<Record extends Kinds[RecordKind]>(kind: RecordKind, record: Record, { assumed }: Turn): Record {
  const fields: readonly string[] = fieldsShown[kind]
  const isShown = (field: string) => fields.includes(field)
  return Object.keys(record).every(isShown) ? record : recordFields[assumed.recordFields](record, isShown)
}

type Show = <Record extends object>(record: Record, isShown: (field: string) => boolean) => Record

const recordFields: ByChoice<'recordFields', Show> = {
  allSent: (record) => record,
  // The fields that a record must have are all among those shown.
  onlyShown: <Record extends object>(record: Record, isShown: (field: string) => boolean) =>
    Object.fromEntries(Object.entries(record).filter(([field]) => isShown(field))) as Record,
}

/** Whether the answer to an update holds the record is not documented either. */
export function afterUpdate<Record extends Kinds[RecordKind]>(
  message: string,
  kind: RecordKind,
  record: Record,
  turn: Turn,
): Updated<Record> {
  return recordAfterUpdate[turn.assumed.recordAfterUpdate](message, () => shown(kind, record, turn))
}

interface Updated<Data> {
  readonly status: 200
  readonly message: string
  readonly data?: Data
}

const recordAfterUpdate: ByChoice<'recordAfterUpdate', <Data>(message: string, record: () => Data) => Updated<Data>> = {
  record: (message, record) => ok(message, record()),
  messageOnly: (message) => done(message),
}
