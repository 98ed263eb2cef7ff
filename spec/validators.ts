import { createRequire } from 'node:module'
import type * as AjvModule from 'ajv/dist/2020.js'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type * as FormatsModule from 'ajv-formats'
import { type Document, fieldsOf, propertiesOf, type Schema, type Source, tagsOf } from './document.ts'
import { isObject } from '../lib/json.ts'

/** As documented; or closed, so that undocumented fields are faults, with all faults reported. */
export type Openness = 'open' | 'closed'

/** Returns a function that compiles schemas of a document. */
export function compilerFor(
  document: Document,
  source: Source,
  openness: Openness,
): (schema: Schema) => ValidateFunction {
  const prepare = preparedSchemas(document, source, openness)
  const ajv = newAjv(source, openness)
  for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(prepare(schema, 'part'), name)
  return (schema) => ajv.compile(prepare(schema, 'whole'))
}

// Loaded on demand: some commands validate nothing.
const load = createRequire(import.meta.url)

function newAjv(source: Source, openness: Openness): Ajv2020 {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof AjvModule
  const { default: addFormats } = load('ajv-formats') as typeof FormatsModule
  const ajv = new Ajv2020({
    discriminator: true,
    verbose: true,
    messages: false, // `explain` writes the messages
    strictTypes: openness === 'open', // the keywords that close a schema have no type
    meta: false,
    validateSchema: false,
    allErrors: openness === 'closed',
    coerceTypes: source === 'text' && 'array',
  })
  addFormats.default(ajv, ['email', 'date-time', 'date', 'uri', 'double'])
  // The format cuts a text at each letter t: one of megabytes into millions of parts.
  const { validate } = addFormats.default.get('date-time') as { validate: (text: string) => boolean }
  ajv.addFormat('date-time', { validate: (text: string) => text.length <= longestTime && validate(text) })
  ajv.addVocabulary(hints)
  return ajv
}

const longestTime = 100

/** Our own keywords, for `explain`: the form in words, the listed fields, the tags that choose a branch. */
const hints = ['x-form', 'x-fields', 'x-tags']

/** Whether a schema describes a whole value or a part of one, or tests whether a value would pass. */
type Position = 'whole' | 'part' | 'test'

const positionUnder: Record<string, Position> = {
  properties: 'whole',
  items: 'whole',
  additionalProperties: 'whole',
  allOf: 'part',
  oneOf: 'part',
  anyOf: 'part',
  then: 'part',
  else: 'part',
  if: 'test',
  not: 'test',
}

/** Prepares schemas of the document for Ajv: only keywords that Ajv knows; closed if wanted. */
function preparedSchemas(document: Document, source: Source, openness: Openness) {
  return prepared

  function prepared(schema: Schema, position: Position): Schema {
    const keywords = Object.entries(schema)
      .filter(([keyword]) => isKnown(keyword) && !(keyword === 'unevaluatedProperties' && position === 'part'))
      .map(([keyword, value]) => [keyword, preparedUnder(keyword, value, position)] as const)
    return { ...refusal(schema, position), ...tags(schema), ...Object.fromEntries(keywords) }
  }

  function preparedUnder(keyword: string, value: unknown, position: Position): unknown {
    if (keyword === '$ref') return String(value).replace('#/components/schemas/', '')
    if (keyword === 'discriminator' && isObject(value)) return { propertyName: value.propertyName }
    const under = positionUnder[keyword]
    if (under === undefined) return value
    const inner = (schema: unknown) => prepared(schema as Schema, position === 'test' ? 'test' : under)
    if (Array.isArray(value)) return value.map(inner)
    if (!isObject(value)) return value
    if (keyword !== 'properties') return inner(value)
    return mapValues(propertiesOf(document, { properties: value as Record<string, Schema> }, source), inner)
  }

  // Only a whole value is closed: a part would refuse the fields of the other parts.
  function refusal(schema: Schema, position: Position): Schema {
    const fields = fieldsOf(document, schema, source)
    const { additionalProperties, unevaluatedProperties } = schema
    if (additionalProperties === false || unevaluatedProperties === false) return { 'x-fields': fields }
    const closes = openness === 'closed' && position === 'whole' && fields.length > 0
    return closes ? { unevaluatedProperties: false, 'x-fields': fields } : {}
  }

  function tags({ discriminator, oneOf = [] }: Schema): Schema {
    if (!discriminator) return {}
    return { 'x-tags': oneOf.flatMap((branch) => tagsOf(document, branch, discriminator.propertyName)) }
  }
}

function isKnown(keyword: string): boolean {
  return !['description', 'example'].includes(keyword) && (!keyword.startsWith('x-') || hints.includes(keyword))
}

function mapValues(object: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
