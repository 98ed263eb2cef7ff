import type { Kind, Kinds } from '../../fixtures/records.ts'
import { merge, type Stamped } from '../core/team.ts'
import type { Transaction } from '../core/transaction.ts'
import { type Body, without } from './body-fields.ts'

/**
 * promise contact.updateShowsTheChange, contact.updateKeepsTheRest: an update writes the fields that it gives, and leaves
 * the fields that it does not mention as they were.
 * promise contact.updateMayBeEmpty, company.updateMayBeEmpty, product.updateMayBeEmpty, deal.updateMayBeEmpty,
 * quote.updateMayBeEmpty, template.updateMayBeEmpty: it may give none.
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
  return records.update(base, changes)
}

/** Takes the fields that an update clears, which are undefined, out of both. */
function clearFields<R extends object>(record: R, fields: Partial<R>): { base: R; changes: Partial<R> } {
  const cleared = Object.keys(fields).filter((field) => fields[field as keyof R] === undefined)
  if (cleared.length === 0) return { base: record, changes: fields }
  // No required field can be cleared.
  return { base: without(record as Body, cleared) as R, changes: without(fields, cleared) as Partial<R> }
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
  const { additionalFields: given } = fields as WithCustomFields
  if (!stored || !given || Object.keys(stored).every((name) => Object.hasOwn(given, name))) return undefined
  return { additionalFields: assumed.nestedUpdate === 'merged' ? { ...stored, ...given } : given }
}
