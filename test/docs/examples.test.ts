import { expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../index.ts'
import { describedOperations, document, type Described } from '../../spec/document.ts'

// The documentation page fills in the examples of the document, and tools send them with their Idempotency-Key.

it('all examples of the OpenAPI document succeed on the demo world, one after the other', async () => {
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
