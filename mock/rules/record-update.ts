import type { Kind, Kinds } from '../../fixtures/records.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { merge } from '../core/merge.ts'
import { refuse } from '../core/refusals.ts'
import type { Stamped } from '../core/team.ts'
import type { Turn } from '../core/turn.ts'

/**
 * promise contact.updateShowsTheChange, contact.updateKeepsTheRest: an update writes the fields that it gives, and leaves
 * the fields that it does not mention as they were.
 */
export async function updateRecord<K extends Kind>(
  records: Stamped<K>,
  record: Kinds[K],
  fields: Partial<Kinds[K]>,
  turn: Turn,
): Promise<Kinds[K]> {
  if (Object.keys(fields).length === 0) return emptyUpdate[turn.assumed.emptyUpdate](record)
  const customFields = withCustomFields.includes(records.kind) ? combineCustomFields(record, fields, turn) : undefined
  return records.update(record, customFields ? merge(fields, customFields) : fields)
}

const emptyUpdate: ByChoice<'emptyUpdate', <R>(record: R) => R> = {
  noChange: (record) => record,
  refused: () => refuse('the body names no field to update; give at least one'),
}

/** In other kinds `additionalFields` is an unlisted field like any other. */
const withCustomFields: readonly Kind[] = ['contacts', 'companies']

interface WithCustomFields {
  readonly additionalFields?: CustomFields
}

type CustomFields = Readonly<Record<string, unknown>>

/** The specification does not say whether an update replaces all custom fields or only those that it gives. */
function combineCustomFields(record: object, fields: object, { assumed }: Turn): WithCustomFields | undefined {
  const { additionalFields: stored } = record as WithCustomFields
  const { additionalFields: given } = fields as WithCustomFields
  if (!stored || !given || Object.keys(stored).every((name) => Object.hasOwn(given, name))) return undefined
  return { additionalFields: nestedUpdate[assumed.nestedUpdate](stored, given) }
}

const nestedUpdate: ByChoice<'nestedUpdate', (stored: CustomFields, given: CustomFields) => CustomFields> = {
  replaced: (_stored, given) => given,
  merged: (stored, given) => ({ ...stored, ...given }),
}
