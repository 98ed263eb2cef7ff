import { isObject, type Document, type Schema } from './document.ts'
import { fieldsOf, tagsOf } from './fields.ts'

/** Open: as documented. Closed: a field that is not documented is refused, wherever it stands. */
type Openness = 'open' | 'closed'

/** Our own keywords, for `explain`: the form in words, the fields that are listed, the tags that choose a branch. */
export const hints = ['x-form', 'x-fields', 'x-tags']

/** What a schema is asked: to describe a whole value, to describe a part of one, or whether a value would pass. */
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

/** The schemas of the document as Ajv takes them: each component by its name, and no keyword that Ajv does not know. */
export function ajvSchemas(document: Document, openness: Openness) {
  return {
    components: Object.entries(document.components.schemas).map(
      ([name, schema]) => [name, prepared(schema, 'part')] as const,
    ),
    whole: (schema: Schema) => prepared(schema, 'whole'),
  }

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

  // Only a whole value is closed: a part knows its own fields only, and would refuse those of the other parts.
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
