import fc from 'fast-check'
import { document, resolve, type Schema } from '../../spec/document.ts'
import { email, hints, instant, phone } from './hints.ts'

/** Values that fit a schema of the document. A field that it leaves open mostly gets a value from `hints`. */
export function valuesOf(schema: Schema, field = ''): fc.Arbitrary<unknown> {
  const meant = resolve<Schema>(document, schema)
  if (meant.const !== undefined) return fc.constant(meant.const)
  if (meant.enum) return fc.constantFrom(...meant.enum)
  if (meant.oneOf) return fc.oneof(...meant.oneOf.map((branch) => valuesOf(branch, field)))
  const types = [meant.type ?? (meant.allOf ? 'object' : 'any')].flat() as (keyof typeof byType)[]
  return fc.oneof(...types.map((type) => byType[type](meant, field)))
}

type ValuesOf = (schema: Schema, field: string) => fc.Arbitrary<unknown>

const byType = {
  object: (schema) => objectsOf(schema),
  array: ({ items = {} }, field) => fc.array(valuesOf(items as Schema, field), { maxLength: 3 }),
  string: textOf,
  number: () => fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  integer: () => fc.integer({ min: 1, max: 100 }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  any: () => fc.jsonValue({ maxDepth: 2 }),
} satisfies Record<string, ValuesOf>

function objectsOf(schema: Schema): fc.Arbitrary<unknown> {
  const { properties, required } = partsOf(schema)
  const listed = Object.entries(properties).map(([name, member]) => [name, valuesOf(member, name)])
  const all = fc.record(Object.fromEntries(listed) as Record<string, fc.Arbitrary<unknown>>)
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const few = fc.subarray(optional, { maxLength: Math.min(2, optional.length) })
  return fc.tuple(unlisted(schema), all, fc.oneof(few, fc.subarray(optional))).map(([others, fields, chosen]) => {
    const isSent = ([name]: [string, unknown]) => required.includes(name) || chosen.includes(name)
    return { ...others, ...Object.fromEntries(Object.entries(fields).filter(isSent)) }
  })
}

function unlisted({ additionalProperties }: Schema): fc.Arbitrary<object> {
  return additionalProperties === true
    ? fc.dictionary(word, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
    : fc.constant({})
}

/** The properties and required fields of an object and of all its parts, conditional ones included. */
function partsOf(schema: Schema): { properties: Record<string, Schema>; required: string[] } {
  const { properties = {}, allOf = [], then, required = [] } = resolve<Schema>(document, schema)
  const parts = [...allOf, ...(then ? [then] : [])].map(partsOf)
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), properties) as Record<string, Schema>,
    required: [...(required as string[]), ...parts.flatMap((part) => part.required)],
  }
}

function textOf({ format, pattern }: Schema, field: string): fc.Arbitrary<unknown> {
  if (format === 'email') return email
  if (format === 'date-time') return instant
  if (pattern !== undefined) return phone
  const hint = hints[field]
  return hint ? fc.oneof({ weight: 15, arbitrary: hint }, { weight: 1, arbitrary: text }) : text
}

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const text = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Hello {{contact.firstName}}', '{{constructor.constructor}}', '{{{{}}{{', '{{1}}'),
  },
)
