import { readFileSync } from 'node:fs'
import { dataFile } from '../lib/data-file.ts'
import { isObject } from '../lib/json.ts'

/** The document as it is published, but each schema contains its fields itself. */
export const document = withoutAllOf(
  JSON.parse(readFileSync(dataFile('spec/generated/openapi.json'), 'utf8')) as Document,
)

export interface Document {
  info: { title: string }
  paths: Record<string, PathItem>
  components: { schemas: Record<string, Schema> }
}

interface PathItem extends Partial<Record<Method, PathOperation>> {
  parameters?: (Parameter | Reference)[]
}

/** An operation as we rely on it to be described. */
interface PathOperation {
  operationId: string
  tags: [group: string]
  summary: string
  'x-effect': string
  parameters?: (Parameter | Reference)[]
  requestBody?: Content | Reference
  responses: Record<string, Content | Reference>
}

export type Method = (typeof methods)[number]
const methods = ['get', 'post', 'put', 'delete'] as const

export interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
  examples?: Examples
}

/** By the name of the case that they show: one name in the body, the parameters and the success of an operation. */
export type Examples = Record<string, { value: unknown }>

/** A body or an answer, by content type. */
export interface Content {
  content: Record<string, { schema: Schema; example?: unknown; examples?: Examples }>
}

export interface Schema {
  [keyword: string]: unknown
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
  then?: Schema
  else?: Schema
  const?: unknown
  enum?: unknown[]
  discriminator?: { propertyName: string }
}

interface Reference {
  $ref: string
}

/** An operation with everything that it refers to. */
export interface Described extends PathOperation {
  path: string
  method: Method
  parameters: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

export function describedOperations(document: Document): Described[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [described(document, path, method, item[method], item)] : [])),
  )
}

function described(
  document: Document,
  path: string,
  method: Method,
  { requestBody, responses, parameters = [], ...operation }: PathOperation,
  item: PathItem,
): Described {
  const all = Object.entries(responses).map(([status, response]) => [status, resolve(document, response)])
  return {
    ...operation,
    path,
    method,
    parameters: [...(item.parameters ?? []), ...parameters].map((parameter) => resolve(document, parameter)),
    ...(requestBody && { requestBody: resolve(document, requestBody) }),
    responses: Object.fromEntries(all) as Record<string, Content>,
  }
}

/** Follows a `$ref`. */
export function resolve<Thing extends object>(document: Document, thing: Thing | Reference): Thing {
  if (!('$ref' in thing) || typeof thing.$ref !== 'string') return thing as Thing
  const keys = thing.$ref.split('/').slice(1).map(unescape)
  const target = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
  if (!isObject(target)) throw new Error(`spec/generated/openapi.json lacks ${thing.$ref}`)
  return resolve(document, target as Thing)
}

/** Replaces the schemas that extend another one in the published document, for generators of clients. */
function withoutAllOf(document: Document): Document {
  const { schemas } = document.components
  for (const [name, { allOf }] of Object.entries(schemas)) {
    if (!allOf) continue
    const parts = allOf.map((part) => resolve(document, part))
    schemas[name] = { ...parts[1], ...parts[0] }
  }
  return document
}

/** JSON values have types already; text (a path, a query, a form) is coerced to the documented types, in place. */
export type Source = 'json' | 'text'

/** The properties of a schema. JSON cannot hold a file; a form can. */
export function propertiesOf(document: Document, { properties = {} }: Schema, source: Source): Record<string, Schema> {
  if (source === 'text') return properties
  const isFile = (schema: Schema) => resolve(document, schema).contentEncoding === 'binary'
  return Object.fromEntries(Object.entries(properties).filter(([, schema]) => !isFile(schema)))
}

/** The names of all fields that a schema, its parts and its branches list. */
export function fieldsOf(document: Document, schema: Schema, source: Source = 'json'): string[] {
  return Object.keys(membersOf(document, schema, source).properties)
}

/** The properties of a schema, its parts and its branches, and the names of those that any of them requires. */
export function membersOf(
  document: Document,
  schema: Schema,
  source: Source = 'json',
): { properties: Record<string, Schema>; required: string[] } {
  const own = propertiesOf(document, schema, source)
  const parts = partsOf(document, schema).map((part) => membersOf(document, part, source))
  const inherited = Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>
  return {
    properties: { ...own, ...inherited, ...own },
    required: [...(schema.required ?? []), ...parts.flatMap(({ required }) => required)],
  }
}

/** The values of the discriminator that select this branch. */
export function tagsOf(document: Document, branch: Schema, tag: string): unknown[] {
  const described = resolve(document, branch).properties?.[tag]
  if (!described) return []
  const { const: only, enum: several = [only] } = resolve(document, described)
  return several
}

function partsOf(document: Document, { $ref, allOf = [], oneOf = [], anyOf = [], then, else: otherwise }: Schema) {
  const referred = $ref === undefined ? [] : [resolve<Schema>(document, { $ref })]
  return [...referred, ...allOf, ...oneOf, ...anyOf, ...[then, otherwise].filter((part) => part !== undefined)]
}

function unescape(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}
