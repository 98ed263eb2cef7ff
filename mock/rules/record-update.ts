import type { Kind, Kinds } from '../../fixtures/records.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { merged } from '../core/merged.ts'
import { refuse } from '../core/refusals.ts'
import type { Stamped } from '../core/team.ts'
import type { Turn } from '../core/turn.ts'

type Nested = Readonly<Record<string, unknown>>

/**
 * promise contact.updateShowsTheChange, contact.updateKeepsTheRest: the fields that are given are written, the others
 * stay.
 */
export async function updated<K extends Kind>(
  records: Stamped<K>,
  record: Kinds[K],
  fields: Partial<Kinds[K]>,
  turn: Turn,
): Promise<Kinds[K]> {
  if (Object.keys(fields).length === 0) return emptyUpdate[turn.assumed.emptyUpdate](record)
  const customFields = withCustomFields.includes(records.kind) ? customFieldsOf(record, fields, turn) : undefined
  return records.update(record, customFields ? merged(fields, customFields) : fields)
}

const emptyUpdate: ByChoice<'emptyUpdate', <Record>(record: Record) => Record> = {
  noChange: (record) => record,
  refused: () => refuse('the body names no field to update; give at least one'),
}

/** The others may hold a field of that name, which then is one as any. */
const withCustomFields: readonly Kind[] = ['contacts', 'companies']

/** Custom fields come under one name: whether what is given replaces them all is not documented. */
function customFieldsOf(record: object, fields: object, { assumed }: Turn): WithCustomFields | undefined {
  const { additionalFields: there } = record as WithCustomFields
  const { additionalFields: given } = fields as WithCustomFields
  if (!there || !given || Object.keys(there).every((name) => Object.hasOwn(given, name))) return undefined
  return { additionalFields: nestedUpdate[assumed.nestedUpdate](there, given) }
}

interface WithCustomFields {
  readonly additionalFields?: Nested
}

const nestedUpdate: ByChoice<'nestedUpdate', (there: Nested, given: Nested) => Nested> = {
  replaced: (_there, given) => given,
  merged: (there, given) => ({ ...there, ...given }),
}
