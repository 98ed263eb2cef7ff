import { expect, it } from 'vitest'
import { controlDocument } from '../../mock/control/document.ts'
import { describedOperations, resolve, type Schema } from '../../spec/document.ts'
import { hashOfEverything } from './control-doors.ts'
import { openSandbox } from './harness.ts'

interface Bad {
  readonly what: string
  readonly text: string
}

const document = await controlDocument()
const takesJson = { 'content-type': 'application/json' }

/** Bodies that every operation refuses. */
const noBodies: readonly Bad[] = [
  { what: 'null', text: 'null' },
  { what: 'a list', text: '[]' },
  { what: 'a text', text: '"demo"' },
  { what: 'a number', text: '7' },
  { what: 'half of it', text: '{"teamId":' },
  { what: 'an unknown field', text: '{"pigeons":1}' },
  { what: 'a field that reaches into prototypes', text: '{"__proto__":{"pigeons":1}}' },
  { what: 'a hundred thousand levels', text: '['.repeat(100_000) + ']'.repeat(100_000) },
  { what: 'megabytes', text: JSON.stringify({ pigeons: 'x'.repeat(3_000_000) }) },
]

it.each(describedOperations(document))(
  'refuses bad input and changes nothing: $operationId',
  async ({ operationId, method, path, requestBody }) => {
    const { sandbox } = await openSandbox({ clock: { now: () => Date.parse('2030-01-31T09:00:00Z') } })
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'teamId' ? 'acme' : 'unknown'))
    const before = await hashOfEverything(sandbox)
    const { schema = {}, example = {} } = requestBody?.content['application/json'] ?? {}
    const bodies = method === 'get' ? [] : [...noBodies, ...wrongFields(schema, example as object)]
    const answers = bodies.map(async ({ what, text }) => {
      const answer = await sandbox.fetch(url, { method: method.toUpperCase(), headers: takesJson, body: text })
      return { what, status: answer.status, ...((await answer.json()) as { message: string }) }
    })
    // Any parameter of findRecords is a field that the records must have.
    if (operationId !== 'findRecords') {
      const answer = await sandbox.fetch(`${url}?pigeons=1`, { method: method.toUpperCase() })
      answers.push(
        answer.json().then((body) => ({ what: 'a query', status: answer.status, ...(body as { message: string }) })),
      )
    }
    for (const { what, status, message } of await Promise.all(answers)) {
      expect(`${what}: ${status}`).toBe(`${what}: 400`)
      expect(message, what).toMatch(/^[^\n]{10,1000}$/)
    }
    expect(await hashOfEverything(sandbox)).toBe(before)
  },
)

/** The example with each field in turn left out where it is required, and of each type that it has not. */
function wrongFields(schema: Schema, example: object): readonly Bad[] {
  const { properties = {}, required = [] } = resolve<Schema & { required?: string[] }>(document, schema)
  const without = (field: string) => Object.fromEntries(Object.entries(example).filter(([name]) => name !== field))
  const missing = required.map((field) => ({ what: `without ${field}`, text: JSON.stringify(without(field)) }))
  const wrong = Object.entries(properties).flatMap(([field, given]) => {
    const types = typesOf(given)
    const others = types.size === 0 ? [] : values.filter(([type]) => !types.has(type))
    return others.map(([type, value]) => ({
      what: `${field}: ${type}`,
      text: JSON.stringify({ ...example, [field]: value }),
    }))
  })
  return [...missing, ...wrong]
}

const values = [
  ['string', 'pigeons'],
  ['number', 7],
  ['boolean', true],
  ['null', null],
  ['array', [[]]],
  ['object', { pigeons: 1 }],
] as const

/** Empty when it is not said. */
function typesOf(given: Schema): Set<string> {
  const { type, enum: listed = [], oneOf = [], anyOf = [] } = resolve<Schema>(document, given)
  const named: unknown[] = [type ?? [], listed.map((value) => (value === null ? 'null' : typeof value))].flat()
  const types = new Set(named.map((name) => (name === 'integer' ? 'number' : (name as string))))
  for (const branch of [...oneOf, ...anyOf]) for (const one of typesOf(branch)) types.add(one)
  return types
}
