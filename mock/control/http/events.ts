import type { SeenRequest } from '../../../control/requests.ts'

/** Requests as server-sent events. The first line is a comment, so that a client knows at once that it follows. */
export function eventsOf(requests: AsyncIterable<SeenRequest>): AsyncIterable<string> {
  const iterator = requests[Symbol.asyncIterator]()
  let hasBegun = false
  // No generator: it could not be ended while it waits for the next request.
  const events: AsyncIterator<string, undefined> = {
    async next() {
      if (!hasBegun) {
        hasBegun = true
        return { done: false, value: ': following\n\n' }
      }
      const next = await iterator.next()
      return next.done ? over : { done: false, value: `event: request\ndata: ${JSON.stringify(next.value)}\n\n` }
    },
    async return() {
      await iterator.return?.()
      return over
    },
  }
  return { [Symbol.asyncIterator]: () => events }
}

const over = { done: true, value: undefined } as const
