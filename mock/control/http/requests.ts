import { Readable } from 'node:stream'
import { done, ok } from '../../core/replies.ts'
import { eventsOf } from './events.ts'
import type { Rows } from './row.ts'

export const requestRows = {
  findRequests: async ({ requests }, { query }) => ok('Requests found', await requests.find(query)),

  getRequest: async ({ requests }, { path: { requestId } }) => ok('Request found', await requests.get(requestId)),

  countRequests: async ({ requests }, { query }) => ok('Requests counted', { count: await requests.count(query) }),

  waitForRequest: async ({ requests }, { query }) => ok('Request found', await requests.wait(query)),

  verifyRequests: async ({ requests }, { query }) => ok('It is so', { count: await requests.verify(query) }),

  followRequests: async ({ requests }, { query }) => {
    await requests.count(query) // refuses a team that there is not, which no stream could
    const type = 'text/event-stream; charset=utf-8'
    return { status: 200, type, whole: Readable.from(eventsOf(requests.follow(query)), { highWaterMark: 1 }) }
  },

  async clearRequests({ requests }) {
    await requests.clear()
    return done('The requests so far are forgotten')
  },
} satisfies Partial<Rows>
