import { expect, it, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox } from '../../index.ts'
import { describedOperations, document, type Described } from '../../spec/document.ts'

// The documentation page fills in these examples, and tools send them, so that trying an operation succeeds.

const examples = describedOperations(document).flatMap((operation) =>
  casesOf(operation).map((name): [string, Described] => [name, operation]),
)

it.each(examples)(
  'the example of the OpenAPI document works with the demo world: %s of $operationId',
  async (name, operation) => {
    const sandbox = await demo()
    expect(await send(sandbox, operation, name)).toMatchObject({ status: statusOf(operation, name), success: true })
  },
)

it('all examples of the OpenAPI document work one after the other, with the keys that they show', async () => {
  const sandbox = await demo()
  const refused = []
  for (const [name, operation] of examples) {
    const answer = await send(sandbox, operation, name, { withKey: true })
    if (answer.status !== statusOf(operation, name)) refused.push([operation.operationId, name, answer])
  }
  expect(refused).toEqual([])
})

async function demo(): Promise<Sandbox> {
  const sandbox = await createSandbox()
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** The names under which the success of an operation is shown. */
function casesOf(operation: Described): string[] {
  return successesOf(operation).flatMap(([, examples]) => Object.keys(examples))
}

function statusOf(operation: Described, name: string): number | undefined {
  return successesOf(operation).find(([, examples]) => name in examples)?.[0]
}

function successesOf({ responses }: Described): [status: number, examples: object][] {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400)
  return successes.map(([status, { content }]) => [Number(status), content['application/json']?.examples ?? {}])
}

async function send(sandbox: Sandbox, operation: Described, name: string, { withKey = false } = {}) {
  const { method, parameters, requestBody } = operation
  const shown = (parameter: string) => parameters.find((known) => known.name === parameter)?.examples?.[name]?.value
  const key = withKey ? (shown('Idempotency-Key') as string | undefined) : undefined
  const body = requestBody?.content['application/json']?.examples?.[name]?.value
  const answer = await sandbox.fetch(targetOf(operation, shown), {
    method,
    headers: {
      'x-api-key': 'demo-key',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, ...((await answer.json()) as object) }
}

function targetOf({ path, parameters }: Described, shown: (parameter: string) => unknown): string {
  const target = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(shown(name))),
    'http://localhost',
  )
  for (const { name } of parameters.filter((parameter) => parameter.in === 'query')) {
    for (const value of [shown(name)].flat()) target.searchParams.append(name, String(value))
  }
  return target.pathname + target.search
}
