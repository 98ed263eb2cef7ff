import fc from 'fast-check'
import { describedOperations, document, type Parameter } from '../../spec/document.ts'
import type { OperationId } from '../../spec/types.ts'
import { oddity } from './oddities.ts'
import { valuesOf } from './values.ts'

/** A generated request, with symbolic names for ids. */
export interface Draft {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent instead of the body, unchanged. */
  readonly text?: string
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, unknown>>
}

const described = new Map(describedOperations(document).map((operation) => [operation.operationId, operation]))

/** Requests of an operation: two of three are as documented, the others unusual in one way. */
export function requestsOf(id: OperationId): fc.Arbitrary<Draft> {
  return fc
    .tuple(draftsOf(id), fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: oddity }))
    .map(([draft, spoil]) => (spoil ? spoil(draft) : draft))
}

function draftsOf(id: OperationId): fc.Arbitrary<Draft> {
  const { parameters = [], requestBody } = described.get(id) ?? {}
  const types = Object.entries(requestBody?.content ?? {})
  const bodies = types.map(([type, { schema }]) =>
    fc.record({ [type === 'application/json' ? 'body' : 'form']: valuesOf(schema) }),
  )
  const from = (place: string) => valuesOf(parametersIn(parameters, place))
  return fc
    .record({
      path: from('path'),
      query: from('query'),
      headers: fc.constant({ 'x-api-key': 'acme-key' }),
      sent: bodies.length === 0 ? fc.constant({}) : fc.oneof(...bodies),
    })
    .map(({ sent, ...draft }) => ({ ...draft, ...sent }) as Draft)
}

function parametersIn(parameters: readonly Parameter[], place: string) {
  const here = parameters.filter((parameter) => parameter.in === place)
  return {
    type: 'object',
    properties: Object.fromEntries(here.map(({ name, schema }) => [name, schema])),
    required: here.filter(({ required }) => required).map(({ name }) => name),
  }
}
