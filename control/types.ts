import type { components, operations } from './generated/api.ts'

// What each operation of the control plane takes and answers, by its operationId, from the document.

export type ControlId = keyof operations

/** The shapes that the document names, such as `ControlSchemas['Team']`. */
export type ControlSchemas = components['schemas']

/** What a request may carry. */
export interface ControlAsked<Id extends ControlId> {
  readonly path: PartOf<Id, 'path'>
  readonly query: PartOf<Id, 'query'>
  readonly body: ControlBody<Id>
}

/** The body of a request; `undefined` where the document names none. */
export type ControlBody<Id extends ControlId> =
  NonNullable<operations[Id]['requestBody']> extends { content: { 'application/json': infer Body } } ? Body : undefined

type PartOf<Id extends ControlId, Place extends 'path' | 'query'> =
  NonNullable<operations[Id]['parameters'][Place]> extends infer Part extends object ? Part : Record<string, never>

/** What a success carries under `data`; `undefined` where the document names nothing. */
export type ControlData<Id extends ControlId> = AnswerOf<Id> extends { data?: infer Data } ? Data : undefined

type AnswerOf<Id extends ControlId> = {
  [Status in keyof operations[Id]['responses']]: Status extends 200 | 201 | 202
    ? operations[Id]['responses'][Status] extends { content: { 'application/json': infer Answer } }
      ? Answer
      : never
    : never
}[keyof operations[Id]['responses']]
