import { describe, expect, test } from 'vitest'
import { describedOperations, document, type Content } from '../../spec/document.ts'
import { operations, type OperationId, type Shape } from '../../spec/operations.ts'

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
