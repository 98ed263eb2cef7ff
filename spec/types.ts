import type { components, operations } from './generated/api.ts'

// The types of requests and responses, by operationId, from the document.

export type OperationId = keyof operations

/** The shapes that the document names, such as `Schemas['Contact']`. */
export type Schemas = components['schemas']

export type BodyOf<Id extends OperationId, ContentType extends string = 'application/json'> = operations[Id] extends {
  requestBody: { content: Record<ContentType, infer Body> }
}
  ? Body
  : undefined

export type PathOf<Id extends OperationId> = ParametersOf<Id, 'path'>

export type QueryOf<Id extends OperationId> = ParametersOf<Id, 'query'>

type StatusOf<Id extends OperationId> = keyof operations[Id]['responses']

/** The statuses that every operation may refuse with. */
type RefusalStatus = 400 | 401 | 404 | 500

export type SuccessOf<Id extends OperationId> = Exclude<StatusOf<Id>, RefusalStatus>

export type AnswerOf<
  Id extends OperationId,
  Status extends StatusOf<Id> = SuccessOf<Id>,
> = operations[Id]['responses'][Status] extends { content: { 'application/json': infer Answer } } ? Answer : never

/** The `data` of a success; `undefined` where the document names nothing. */
export type DataOf<Id extends OperationId, Status extends SuccessOf<Id> = SuccessOf<Id>> =
  AnswerOf<Id, Status> extends { data?: infer Data } ? (unknown extends Data ? undefined : Data) : undefined

type ParametersOf<
  Id extends OperationId,
  Place extends 'path' | 'query',
> = operations[Id]['parameters'][Place] extends undefined
  ? Record<string, never>
  : NonNullable<operations[Id]['parameters'][Place]>

/** The effects of operations, from least to most: on nothing, on records, on the messaging platform, on people. */
export const effects = ['read', 'write', 'platform', 'send'] as const

export type Effect = (typeof effects)[number]
