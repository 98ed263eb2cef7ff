import type { Fields, RecordName } from '../../spec/voice/records.ts'
import type { FieldType, FieldTypes, IdForm, Voice } from '../../spec/voice/voice.ts'
import { idFrom } from './voiced-ids.ts'

interface Ground {
  readonly ids: Voice['ids']
  readonly now: () => string
}

/** Adds the fields that a server shows beside those of the specification, with made-up values of the same types. */
export function addFields(record: Fields, types: FieldTypes, name: RecordName, ground: Ground): Fields {
  const form = ground.ids?.[name] ?? usualForm
  return { ...valuesOf(types, record, form, ground.now), ...record }
}

/** What stands beside the data of an answer. */
export const metaOf = (types: FieldTypes, seed: string, now: () => string): Fields =>
  valuesOf(types, { _id: seed }, usualForm, now)

function valuesOf(types: FieldTypes, record: Fields, form: IdForm, now: () => string): Fields {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, values[type]({ name, record, form, now })]),
  )
}

interface Asked {
  readonly name: string
  readonly record: Fields
  readonly form: IdForm
  readonly now: () => string
}

const values: Readonly<Record<FieldType, (asked: Asked) => unknown>> = {
  text: ({ name }) => name,
  number: () => 0,
  boolean: () => false,
  time: ({ record: { createdAt }, now }) => createdAt ?? now(),
  // The same whenever the record is shown.
  id: ({ name, record, form }) => idFrom(form, `${String(record._id)} ${name}`),
  sameId: ({ record }) => record._id,
  list: () => [],
  object: () => ({}),
  null: () => null,
}

const usualForm: IdForm = { prefix: '', alphabet: 'hex', length: 24 }
