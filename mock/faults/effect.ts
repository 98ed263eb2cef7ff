import { STATUS_CODES } from 'node:http'

/** What becomes of a request. */
export interface Effect {
  /** How long to wait first, in milliseconds: some time between the two. */
  readonly delay?: { readonly from: number; readonly to: number }
  /** The status of the answer, documented or not. */
  readonly status?: number
  /** The message of an answer with this status. */
  readonly message?: string
  /** The seconds of `Retry-After`. */
  readonly retryAfter?: number
  /** Closes or resets the connection instead of an answer. */
  readonly connection?: 'close' | 'reset'
  /** Cuts the JSON of the answer in its middle, or sends a page of HTML in place of it. */
  readonly body?: 'cut' | 'notJson'
}

/** The service's own texts, and those of HTTP for statuses that it does not document. */
export function messageOf(status: number): string {
  return serviceTexts[status] ?? STATUS_CODES[status] ?? `Status ${status}`
}

const serviceTexts: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'Unauthorized',
  404: 'Resource not found',
  500: 'Internal server error',
}

export const millisecondsOf = ({ from, to }: NonNullable<Effect['delay']>) => from + Math.random() * (to - from)
