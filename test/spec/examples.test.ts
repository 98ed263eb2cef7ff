import { describe, expect, test } from 'vitest'
import {
  describedOperations,
  document,
  resolve,
  type Content,
  type Document,
  type Schema,
  type Described,
} from '../../spec/document.ts'
import { operations, type OperationId, type Shape } from '../../spec/operations.ts'
import { shapesOf } from '../../spec/shapes.ts'
import { createSandbox, type Sandbox } from '../../index.ts'

const described = describedOperations(document)

describe.each(described)('$operationId', ({ operationId, parameters, requestBody, responses }) => {
  const operation = operations[operationId as OperationId]
  const successes = operation.successStatuses.map((status) => responses[status]?.content['application/json']?.examples)
  const cases = successes.flatMap((examples = {}) => Object.keys(examples))

  test('has valid request examples if it has a body', () => {
    if (requestBody) expect(examplesOf(requestBody, 'application/json')).not.toEqual([])
    for (const contentType of operation.contentTypes)
      for (const example of examplesOf(requestBody, contentType))
        expect(faults(operation.body(contentType), example)).toEqual([])
  })

  test('has valid examples of every response', () => {
    for (const [status, response] of Object.entries(responses)) {
      expect(examplesOf(response, 'application/json'), status).not.toEqual([])
      for (const example of examplesOf(response, 'application/json'))
        expect(faults(operation.response(Number(status)), example)).toEqual([])
    }
  })

  test('has valid examples of the query parameters', () => {
    const query = parameters.filter((parameter) => parameter.in === 'query')
    for (const name of cases) {
      const shown = query.map((parameter) => [parameter.name, parameter.examples?.[name]?.value])
      expect(faults(operation.query, Object.fromEntries(shown))).toEqual([])
    }
  })

  test('gives a case one name in the parameters, in the body and in one success', () => {
    const body = requestBody ? [requestBody.content['application/json']?.examples] : []
    for (const examples of [...body, ...parameters.map((parameter) => parameter.examples)])
      expect(Object.keys(examples ?? {}).sort()).toEqual(cases.toSorted())
    expect(new Set(cases).size).toBe(cases.length)
  })
})

test('the examples repeat no idempotency key', () => {
  const keys = described.flatMap(({ parameters }) => {
    const { examples = {} } = parameters.find(({ name }) => name === 'Idempotency-Key') ?? {}
    return Object.values(examples).map(({ value }) => value)
  })
  expect(keys.length).toBeGreaterThan(20)
  expect(new Set(keys).size).toBe(keys.length)
})

test('every schema compiles, open and closed', () => {
  for (const { contentTypes, statuses, body, response, pathParameters, query } of Object.values(operations))
    for (const shape of [...contentTypes.map(body), ...statuses.map(response), pathParameters, query])
      expect(() => [shape?.check({}), shape?.faults({})]).not.toThrow()
})

function faults(shape: Shape | undefined, example: unknown): unknown[] {
  if (!shape) return ['there is no shape']
  return [shape.check(example), ...shape.faults(example)].filter((fault) => fault !== undefined)
}

function examplesOf(described: Content | undefined, contentType: string): unknown[] {
  const { example, examples = {} } = described?.content[contentType] ?? {}
  return [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)]
}

const name = { type: 'object', properties: { name: { type: 'string' } } }
const age = { properties: { age: {} } }
const ada = { name: 'Ada', age: 36 }

describe('a closed check', () => {
  test.each<[string, Schema, unknown]>([
    ['a field of `then`', { ...name, if: name, then: age }, ada],
    ['a field of `else`', { ...name, if: { not: name }, else: age }, ada],
    ['a field of a branch', { ...name, anyOf: [age] }, ada],
    ['an object with additionalProperties', { ...name, additionalProperties: true }, ada],
    ['an object with unevaluatedProperties', { ...name, unevaluatedProperties: true }, ada],
    ['an object without documented fields', { type: 'object' }, ada],
  ])('accepts %s', (_, schema, value) => expect(shapeOf(schema).faults(value)).toEqual([]))

  test('refuses an unlisted field below additionalProperties', () => {
    const people = { type: 'object', additionalProperties: name }
    expect(shapeOf(people).faults({ ada })[0]?.sentence).toBe('ada.age is not a field of this request')
  })

  test('does not close an `if`', () => {
    const schema = { type: 'object', ...age, if: name, then: { required: ['email'] } }
    expect(shapeOf(schema).faults(ada)[0]?.sentence).toBe('email is required')
  })

  test('does not close a `not`', () => {
    const friend = { type: 'object', properties: { friend: name } }
    const schema = { type: 'object', properties: { grace: { not: friend } } }
    expect(shapeOf(schema).faults({ grace: { friend: ada } })[0]?.sentence).toBe(
      'grace has a form that is not accepted',
    )
  })
})

test('a $ref can point anywhere in the document', () => {
  const document: Document = {
    info: { title: 'Test' },
    paths: { '/a~b': { parameters: [] } },
    components: { schemas: {} },
  }
  expect(resolve(document, { $ref: '#/paths/~1a~0b' })).toBe(document.paths['/a~b'])
})

function shapeOf(schema: Schema) {
  const subject = { whole: 'the body', member: 'a field of this request' }
  return shapesOf({ info: { title: 'Test' }, paths: {}, components: { schemas: {} } })(schema, 'json', subject)
}

// The documentation page fills in the examples of the document, and tools send them with their Idempotency-Key.

test('all examples of the OpenAPI document succeed on the demo world, one after the other', async () => {
  await using sandbox = await createSandbox()
  const examples = describedOperations(document).flatMap((operation) =>
    successesOf(operation).flatMap(([status, names]) => names.map((name) => ({ operation, status, name }))),
  )
  expect(examples.length).toBeGreaterThan(32)
  for (const { operation, status, name } of examples) {
    const response = await send(sandbox, operation, name)
    expect(response.status, `${name} of ${operation.operationId}: ${await response.text()}`).toBe(status)
  }
})

function successesOf({ responses }: Described): [status: number, names: string[]][] {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400)
  return successes.map(([status, { content }]) => [
    Number(status),
    Object.keys(content['application/json']?.examples ?? {}),
  ])
}

function send(sandbox: Sandbox, { path, method, parameters, requestBody }: Described, name: string): Promise<Response> {
  const valueOf = (parameter: string) => parameters.find((known) => known.name === parameter)?.examples?.[name]?.value
  const target = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => String(valueOf(parameter))),
    'http://localhost',
  )
  for (const parameter of parameters.filter((parameter) => parameter.in === 'query')) {
    for (const value of [valueOf(parameter.name)].flat()) target.searchParams.append(parameter.name, String(value))
  }
  const key = valueOf('Idempotency-Key')
  const body = requestBody?.content['application/json']?.examples?.[name]?.value
  return sandbox.fetch(target.pathname + target.search, {
    method,
    headers: {
      'x-api-key': 'demo-key',
      ...(typeof key === 'string' && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
