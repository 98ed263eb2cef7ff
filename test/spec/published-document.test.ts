import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { document, type Schema } from '../../spec/document.ts'

// The build flattens the YAML files, so that client generators and tools can read the document.

type Step = (document: object) => { paths: Paths; components: Components }
type Paths = Record<string, Record<string, Record<string, unknown>>>
interface Components {
  schemas: Record<string, Schema>
  responses: object
}

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
