import type { OperationId } from '../spec/types.ts'

/** The server answered, but with no success. When there is no answer at all, the error is that of `fetch`. */
export class CrmError extends Error {
  override readonly name = 'CrmError'
  readonly operation: OperationId
  readonly status: number
  /** As it was parsed; a text when it is not JSON. */
  readonly body: unknown
  /** The whole answer, for its headers; its body has been read. */
  readonly response: Response

  constructor(operation: OperationId, response: Response, body: unknown) {
    super(`${operation} was answered with ${response.status}${wordsOf(body)}`)
    this.operation = operation
    this.status = response.status
    this.body = body
    this.response = response
  }
}

function wordsOf(body: unknown): string {
  if (typeof body === 'string') return ' and a body that is not JSON'
  const { message } = (body ?? {}) as { message?: unknown }
  return typeof message === 'string' ? `: ${message}` : ''
}
