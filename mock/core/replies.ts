import type { AnswerOf, OperationId, SuccessOf } from '../../spec/types.ts'

/** The success of an operation: a status, a message, and the fields that the document lists for it. */
export type Reply<Id extends OperationId> = {
  [Status in SuccessOf<Id>]: { readonly status: Status; readonly message: string } & Omit<
    AnswerOf<Id, Status>,
    'success' | 'message' | 'meta'
  >
}[SuccessOf<Id>]

export const ok = <Data>(message: string, data: Data) => ({ status: 200, message, data }) as const
export const created = <Data>(message: string, data: Data) => ({ status: 201, message, data }) as const
export const done = (message: string) => ({ status: 200, message }) as const
export const page = <Data, Pagination>(message: string, data: Data, pagination: Pagination) =>
  ({ status: 200, message, data, pagination }) as const
