import type { Kind, Kinds } from '../../fixtures/records.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { merged } from '../merged.ts'
import { refuse } from '../replies.ts'
import type { Stamped } from '../team.ts'

type Nested = Readonly<Record<string, unknown>>

/** promise record.updateWritesGivenFields: the fields that are given are written, the others stay. */
export async function updated<K extends Kind>(
  records: Stamped<K>,
  record: Kinds[K],
  fields: Partial<Kinds[K]>,
  assumed: Assumed,
): Promise<Kinds[K]> {
  if (Object.keys(fields).length === 0) return emptyUpdate[assumed.emptyUpdate](record)
  return records.update(record, merged(fields, nested(record, fields, assumed)))
}

const emptyUpdate: ByChoice<'emptyUpdate', <Record>(record: Record) => Record> = {
  noChange: (record) => record,
  refused: () => refuse('the body names no field to update; give at least one'),
}

/** Custom fields come under one name: whether what is given replaces them all is not documented. */
function nested(record: object, fields: object, assumed: Assumed): WithNested {
  const { additionalFields: there } = record as WithNested
  const { additionalFields: given } = fields as WithNested
  return there && given ? { additionalFields: nestedUpdate[assumed.nestedUpdate](there, given) } : {}
}

interface WithNested {
  readonly additionalFields?: Nested
}

const nestedUpdate: ByChoice<'nestedUpdate', (there: Nested, given: Nested) => Nested> = {
  replaced: (_there, given) => given,
  merged: (there, given) => ({ ...there, ...given }),
}
