import { expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../index.ts'
import { describedOperations, document, type Described } from '../../spec/document.ts'

// The documentation page fills in these examples, so that trying an operation succeeds.

const examples = describedOperations(document).flatMap((operation) =>
  bodiesOf(operation).map(([name, body]): [string, Described, unknown] => [
    `${operation.operationId} ${name}`.trim(),
    operation,
    body,
  ]),
)

it.each(examples)(
  'the example of the OpenAPI document works with the demo world: %s',
  async (_name, operation, body) => {
    const sandbox = await createSandbox()
    onTestFinished(() => sandbox.close())
    const answer = await sandbox.fetch(targetOf(operation), {
      method: operation.method,
      headers: { 'x-api-key': 'demo-key', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(await answer.json()).toMatchObject({ success: true })
  },
)

function bodiesOf({ requestBody }: Described): [name: string, body: unknown][] {
  const { example, examples } = requestBody?.content['application/json'] ?? {}
  return examples ? Object.entries(examples).map(([name, { value }]) => [name, value]) : [['', example]]
}

function targetOf({ path, parameters }: Described): string {
  const target = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, name) => String(parameters.find((known) => known.name === name)?.example)),
    'http://localhost',
  )
  for (const parameter of parameters.filter((known) => known.in === 'query')) {
    for (const value of [parameter.example].flat()) target.searchParams.append(parameter.name, String(value))
  }
  return target.pathname + target.search
}
