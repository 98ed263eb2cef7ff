import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Schema, describedOperations, type Content, type Document } from '../../spec/document.ts'
import { readFileSync } from 'node:fs'
import { isObject } from '../../lib/json.ts'

// The build flattens the YAML files, so that client generators and tools can read the document.

type Step = (document: object) => { paths: Paths; components: Components }
type Paths = Record<string, Record<string, Record<string, unknown>>>
interface Components {
  schemas: Record<string, Schema>
  responses: object
}

const document = JSON.parse(readFileSync('spec/generated/openapi.json', 'utf8')) as Document

const load = (file: string) => import(resolve('scripts', file)) as Promise<Record<string, Step>>
const { withFlatSchemas } = await load('flat-schemas.mjs')
const { withNamedCases } = await load('named-cases.mjs')

describe('a schema with a base', () => {
  const Base = {
    type: 'object',
    description: 'What all have.',
    required: ['id'],
    properties: { id: { type: 'string' }, size: { $ref: '#/components/schemas/Size' } },
  }
  const Size = { type: 'string', enum: ['small', 'large'] }
  const base = { $ref: '#/components/schemas/Base' }

  const flat = (schemas: Record<string, object>) => {
    const used = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }))
    return withFlatSchemas?.({ paths: { used }, components: { schemas: { ...schemas, Base, Size } } }).components
      .schemas
  }

  test('is published whole, and the base only if something else uses it', () => {
    const name = { type: 'string' }
    expect(flat({ Box: { allOf: [base], type: 'object', required: ['name'], properties: { name } } })).toEqual({
      Box: { type: 'object', required: ['id', 'name'], properties: { ...Base.properties, name } },
      Size,
    })
    expect(flat({ Box: { type: 'object', properties: { base } } })).toHaveProperty('Base', Base)
  })
})

describe('an operation', () => {
  const json = (examples: object) => ({ content: { 'application/json': { schema: {}, ...examples } } })
  const shown = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { value: name }]))
  const key = { name: 'Idempotency-Key', in: 'header', schema: {} }

  const named = (operation: object, ofThePath: object[] = []) => {
    const post = { operationId: 'createBox', responses: { 200: json({ example: 1 }) }, ...operation }
    const parameters = { Key: key }
    const answers = { Refused: json({ example: 0 }), Answer: json({ example: 1 }) }
    return withNamedCases?.({
      paths: { '/boxes': { parameters: ofThePath, post } },
      components: { schemas: {}, parameters, responses: answers },
    })
  }

  test('names its only case after itself', () => {
    const id = { name: 'id', in: 'path', schema: {}, example: 'a1' }
    const { paths, components } = named({ requestBody: json({ example: 'small' }) }, [id]) ?? {}
    expect(paths?.['/boxes']).toEqual({
      post: {
        operationId: 'createBox',
        parameters: [{ name: 'id', in: 'path', schema: {}, examples: { createBox: { value: 'a1' } } }],
        requestBody: json({ examples: { createBox: { value: 'small' } } }),
        responses: { 200: json({ examples: { createBox: { value: 1 } } }) },
      },
    })
    expect(components).toEqual({ schemas: {}, responses: {} })
  })

  test('has a different key for each case', () => {
    const $ref = '#/components/parameters/Key'
    const body = json({ examples: shown('small', 'large') })
    const { paths } = named({ parameters: [{ $ref }], requestBody: body }) ?? {}
    const examples = { small: { value: 'createBox-small-1' }, large: { value: 'createBox-large-1' } }
    expect(paths?.['/boxes']?.post?.parameters).toEqual([{ ...key, examples }])
  })
})

test('the published document has no base left', () => expect(withFlatSchemas?.(document)).toEqual(document))

// Each of these made a generated client lose a field, or fail to compile or to read a response.

const { schemas } = document.components
const everySchema = Object.entries(schemas).flatMap(([name, schema]) => [...nested(name, schema)])

test.each(['anyOf', 'const', 'not', '$defs'])('no schema uses %s', (keyword) =>
  expect(placesWhere((schema) => keyword in schema)).toEqual([]),
)

test('only the JSON bodies that extend a form use allOf, with two parts: a single one is lost in Python', () => {
  const extending = Object.entries(schemas).filter(([, { allOf }]) => allOf !== undefined)
  expect(extending.map(([name, { allOf }]) => [name, allOf?.length])).toEqual([
    ['TemplateUpdate', 2],
    ['WhatsappTemplateToCreate', 2],
  ])
})

test('a form and a JSON body have different schemas, by which a Python client chooses the content type', () => {
  const bodies = describedOperations(document).map(({ requestBody }) => requestBody?.content ?? {})
  const forms = bodies.filter((content) => 'multipart/form-data' in content)
  expect(forms).toHaveLength(2)
  for (const { 'application/json': json, 'multipart/form-data': form } of forms) {
    const { $ref = '' } = json?.schema ?? {}
    const union = schemas[$ref.replace('#/components/schemas/', '')]?.oneOf ?? []
    expect([$ref, ...union.map((branch) => branch.$ref)]).not.toContain(form?.schema.$ref)
  }
})

test('a boolean has no list of values', () =>
  expect(placesWhere(({ type, enum: values }) => type === 'boolean' && values !== undefined)).toEqual([]))

test('a list of values has a type', () => {
  expect(placesWhere((schema) => 'enum' in schema && !('type' in schema)).filter((at) => !at.includes('.if.'))).toEqual(
    [],
  )
})

test('a number is a double', () =>
  expect(placesWhere(({ type, format }) => type === 'number' && format !== 'double')).toEqual([]))

test('every required field is among the properties', () => {
  const lacks = ({ properties = {}, oneOf, required = [] }: Schema) =>
    oneOf === undefined && required.some((field) => !(field in properties))
  expect(placesWhere(lacks)).toEqual([])
})

test('no schema is called like a constructor in Go', () =>
  expect(Object.keys(schemas).filter((name) => name.startsWith('New'))).toEqual([]))

test('the named lists have no value in common, as Go names a constant after the value alone', () => {
  const constants = Object.values(schemas).flatMap(({ enum: values = [] }) => values.map(String))
  const names = constants.map((value) => value.replaceAll('-', '_').toUpperCase())
  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual(['ONE_TIME']) // both spellings are documented
})

test('every body and every response has the name of a schema', () => {
  const contents = describedOperations(document).flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((content) => shapesIn(content, operationId)),
  )
  expect(contents.length).toBeGreaterThan(32 * 5)
  expect(contents.filter(({ schema }) => Object.keys(schema).join() !== '$ref')).toEqual([])
})

test('a JSON body refers to the schema of each form: openapi-generator does not generate it otherwise', () => {
  const refs = (type: RegExp) =>
    describedOperations(document).flatMap(({ requestBody }) =>
      Object.entries(requestBody?.content ?? {}).flatMap(([contentType, { schema }]) =>
        type.test(contentType) ? namesIn(schema) : [],
      ),
    )
  const inJson = refs(/json/)
  expect(refs(/form/).length).toBeGreaterThan(1)
  expect(refs(/form/).filter((name) => !inJson.includes(name))).toEqual([])
})

test('no schema is a file: a Java client cannot write one as JSON', () => {
  expect(placesWhere(({ format, contentMediaType }) => format === 'binary' || contentMediaType !== undefined)).toEqual(
    [],
  )
})

test('every schema is used', () => {
  const text = JSON.stringify(document)
  expect(Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([])
})

test('the server has an address without variables', () => {
  expect(document).toMatchObject({ servers: [{ url: 'http://127.0.0.1:4010' }] })
  expect(JSON.stringify(document)).not.toContain('"variables":{"base_url"')
})

function placesWhere(isSo: (schema: Schema) => boolean): string[] {
  return everySchema.filter(([, schema]) => isSo(schema)).map(([place]) => place)
}

/** The schema and all that it is made of, each with its place. */
function* nested(place: string, schema: Schema): Generator<[place: string, schema: Schema]> {
  yield [place, schema]
  const { properties = {}, oneOf = [], items, if: condition, then } = schema
  for (const [name, field] of Object.entries(properties)) yield* nested(`${place}.${name}`, field)
  for (const [at, branch] of oneOf.entries()) yield* nested(`${place}.${at}`, branch)
  for (const [name, part] of Object.entries({ items, if: condition, then }))
    if (isObject(part)) yield* nested(`${place}.${name}`, part)
}

/** The names of the schema, of its branches and of its parts. */
function namesIn({ $ref = '' }: Schema): string[] {
  const name = $ref.replace('#/components/schemas/', '')
  const { oneOf = [], allOf = [] } = schemas[name] ?? {}
  return [name, ...[...oneOf, ...allOf].flatMap(namesIn)]
}

function shapesIn(content: Content | undefined, operationId: string) {
  return Object.values(content?.content ?? {}).map(({ schema }) => ({ operationId, schema }))
}
