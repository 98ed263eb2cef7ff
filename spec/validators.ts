import { createRequire } from 'node:module'
import type * as AjvModule from 'ajv/dist/2020.js'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type * as FormatsModule from 'ajv-formats'
import { isObject, type Document, type Schema } from './document.ts'
import { fieldsOf, tagsOf } from './fields.ts'

export type Validate = ValidateFunction

/** JSON values have types already; text (a path, a query, a form) is coerced to the documented types, in place. */
export type Source = 'json' | 'text'

/** As documented; closed, so that undocumented fields are faults; or thorough: closed, and all faults are reported. */
type Rigour = 'open' | 'closed' | 'thorough'

type Compile = (schema: Schema) => ValidateFunction

const compilers = new WeakMap<Document, Map<string, Compile>>()

/** The validator of a schema. Each is compiled when it is first used. */
export function validatorOf(document: Document, schema: Schema, source: Source, rigour: Rigour): ValidateFunction {
  const known = compilers.get(document) ?? new Map<string, Compile>()
  compilers.set(document, known)
  const name = `${source} ${rigour}`
  const compile = known.get(name) ?? newCompiler(document, source, rigour)
  known.set(name, compile)
  return compile(schema)
}

function newCompiler(document: Document, source: Source, rigour: Rigour): Compile {
  const prepare = preparedSchemas(document, rigour === 'open' ? 'open' : 'closed')
  const ajv = newAjv(source, rigour)
  for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(prepare(schema, 'part'), name)
  const compiled = new WeakMap<Schema, ValidateFunction>()
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile(prepare(schema, 'whole'))
    compiled.set(schema, validate)
    return validate
  }
}

// Loaded on demand: some commands validate nothing.
const load = createRequire(import.meta.url)

function newAjv(source: Source, rigour: Rigour): Ajv2020 {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof AjvModule
  const { default: addFormats } = load('ajv-formats') as typeof FormatsModule
  const ajv = new Ajv2020({
    discriminator: true,
    verbose: true,
    messages: false, // `explain` writes the messages
    strictTypes: rigour === 'open', // the keywords that close a schema have no type
    meta: false,
    validateSchema: false,
    allErrors: rigour === 'thorough',
    coerceTypes: source === 'text' && 'array',
  })
  addFormats.default(ajv, ['email', 'date-time', 'date', 'uri', 'double', 'binary'])
  ajv.addVocabulary(hints)
  return ajv
}

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
function preparedSchemas(document: Document, openness: 'open' | 'closed') {
  return prepared

  function prepared(schema: Schema, position: Position): Schema {
    const keywords = Object.entries(schema)
      .filter(([keyword]) => isKnown(keyword))
      .map(([keyword, value]) => [keyword, preparedUnder(keyword, value, position)] as const)
    return { ...refusal(schema, position), ...tags(schema), ...Object.fromEntries(keywords) }
  }

  function preparedUnder(keyword: string, value: unknown, position: Position): unknown {
    if (keyword === '$ref') return String(value).replace('#/components/schemas/', '')
    if (!isObject(value)) return value
    if (keyword === 'discriminator') return { propertyName: value.propertyName }
    const under = positionUnder[keyword]
    if (under === undefined) return value
    const inner = (schema: unknown) => prepared(schema as Schema, position === 'test' ? 'test' : under)
    if (Array.isArray(value)) return value.map(inner)
    return keyword === 'properties' ? mapValues(value, inner) : inner(value)
  }

  // Only a whole value is closed: a part would refuse the fields of the other parts.
  function refusal(schema: Schema, position: Position): Schema {
    const fields = fieldsOf(document, schema)
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
