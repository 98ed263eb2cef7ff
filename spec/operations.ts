import {
  describedOperations,
  document,
  type Content,
  type Described,
  type Method,
  type Parameter,
  type Schema,
} from './document.ts'
import type { Effect, OperationId } from './types.ts'
import type { Subject } from './explain.ts'
import { type Shape, shapeOf } from './shapes.ts'

export type { Complaint, Shape } from './shapes.ts'
export type * from './types.ts'

/** An operation of the document, at run time. */
export interface Operation {
  id: OperationId
  method: Method
  /** As documented, such as `/api/contacts/{contactId}`. */
  path: string
  group: string
  effect: Effect
  summary: string
  statuses: readonly number[]
  successStatuses: readonly [number, ...number[]]
  takesIdempotencyKey: boolean
  /** The content types that a body may have; none when the operation takes no body. */
  contentTypes: readonly string[]
  /** Path, query and forms are text: a check coerces them to the documented types, in place. */
  pathParameters: Shape
  takesQuery: boolean
  query: Shape
  body: (contentType: string) => Shape | undefined
  response: (status: number) => Shape | undefined
}

const json = 'application/json'

const subjects = {
  path: { whole: 'the path', member: 'a parameter of this path' },
  query: { whole: 'the query', member: 'a query parameter of this request' },
  body: { whole: 'the body', member: 'a field of this request' },
  answer: { whole: 'the answer', member: 'a documented field of this answer' },
}

export type Operations = Readonly<Record<OperationId, Operation>>

/** By id. The linter checks that the document has the parts that this relies on. */
export const operations = Object.fromEntries(
  describedOperations(document).map((described) => [described.operationId, operationOf(described)]),
) as Operations

function operationOf(described: Described): Operation {
  const { operationId, method, path, tags, summary, parameters, requestBody, responses } = described
  const statuses = Object.keys(responses).map(Number)
  const bodies = shapesByType(requestBody, subjects.body)
  const answers = new Map(statuses.map((status) => [status, shapesByType(responses[status], subjects.answer)]))
  return {
    id: operationId as OperationId,
    method,
    path,
    group: tags[0],
    effect: described['x-effect'] as Effect,
    summary,
    statuses,
    // The linter checks that there is one.
    successStatuses: statuses.filter((status) => status < 400) as [number, ...number[]],
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    contentTypes: [...bodies.keys()],
    pathParameters: shapeOf(objectOf(parameters, 'path'), 'text', subjects.path),
    takesQuery: parameters.some((parameter) => parameter.in === 'query'),
    query: shapeOf(objectOf(parameters, 'query'), 'text', subjects.query),
    body: (contentType) => bodies.get(contentType),
    response: (status) => answers.get(status)?.get(json),
  }
}

function shapesByType(described: Content | undefined, subject: Subject): Map<string, Shape> {
  const types = Object.entries(described?.content ?? {})
  return new Map(types.map(([type, { schema }]) => [type, shapeOf(schema, type === json ? 'json' : 'text', subject)]))
}

function objectOf(parameters: Parameter[], place: 'path' | 'query'): Schema {
  const here = parameters.filter((parameter) => parameter.in === place)
  return {
    type: 'object',
    properties: Object.fromEntries(here.map(({ name, schema }) => [name, schema])),
    required: here.filter(({ required }) => required).map(({ name }) => name),
  }
}
