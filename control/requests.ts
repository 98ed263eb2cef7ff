import type { Ask } from './ask.ts'
import { eventsIn } from './events.ts'
import { isOptions } from './options.ts'
import type { ControlSchemas } from './types.ts'

export type SeenRequest = ControlSchemas['SeenRequest']

/** Which requests are meant: those that fit all that is given. */
export interface RequestFilter {
  /** The operationId, such as `createContact`. */
  readonly operation?: string
  /** The id of the team whose credential was sent. */
  readonly team?: string
  /** A status such as 404, or a class of statuses such as `4xx`. */
  readonly status?: number | string
  /** Only those with an error status, or only those without. */
  readonly refused?: boolean
  /** An assumption that the answer relied on. */
  readonly assumed?: string
  /**
   * Fields of the body, of the path or of the query with the value that they must have, such as
   * `{ 'scheduleTime.date': '2030-01-31' }`; as a text, it is JSON.
   */
  readonly where?: Readonly<Record<string, unknown>> | string
}

interface FoundFilter extends RequestFilter {
  /** Only the last ones. */
  readonly last?: number
}

interface WaitFilter extends RequestFilter {
  /** How long to wait at most, such as `'10s'` or a number of milliseconds; up to a minute, 5 seconds by default. */
  readonly within?: number | string
}

/** How many requests there must be: at least one unless a number is given. */
export interface VerifyFilter extends RequestFilter {
  readonly times?: number
  readonly atLeast?: number
  readonly atMost?: number
}

/** The journal: the latest requests to the service, with their answers. */
export interface RequestsControl {
  /** From the oldest to the latest. */
  find(filter?: FoundFilter): Promise<readonly SeenRequest[]>
  /** The latest request of this id, which its answer has as `x-sandbox-request`. */
  get(requestId: string): Promise<SeenRequest>
  count(filter?: RequestFilter): Promise<number>
  /** The first such request that is kept, or that comes; rejects when none comes in time. */
  wait(filter?: WaitFilter): Promise<SeenRequest>
  /** Resolves to how many there were; rejects when that is not what was asked for. */
  verify(filter?: VerifyFilter): Promise<number>
  /** Forgets all requests so far. */
  clear(): Promise<void>
  /** The requests that come from now on, until the sandbox is closed. Slow readers miss some. */
  follow(filter?: RequestFilter): AsyncIterable<SeenRequest>
}

export const requestsOver = (ask: Ask): RequestsControl => ({
  find: (filter = {}) => ask('findRequests', { query: queryOf(filter) }),
  get: (requestId) => ask('getRequest', { path: { requestId } }),
  count: async (filter = {}) => (await ask('countRequests', { query: queryOf(filter) })).count,
  wait: (filter = {}) => ask('waitForRequest', { query: queryOf(filter) }),
  verify: async (filter = {}) => (await ask('verifyRequests', { query: queryOf(filter) })).count,
  clear: () => ask('clearRequests'),
  async *follow(filter = {}) {
    const answer = await ask.stream('followRequests', { query: queryOf(filter) })
    for await (const { event, data } of eventsIn(answer)) {
      if (event === 'request') yield JSON.parse(data) as SeenRequest
    }
  },
})

/** The filter as a query has it: everything is a text there, but for numbers and booleans. */
export function queryOf<Filter extends RequestFilter>(filter: Filter): QueryOf<Filter> {
  if (!isOptions(filter)) return filter
  const { status, where, ...others } = filter
  return {
    ...others,
    ...(status === undefined ? {} : { status: String(status) }),
    ...(where === undefined ? {} : { where: typeof where === 'string' ? where : JSON.stringify(where) }),
    ...(hasWithin(filter) ? { within: String(filter.within) } : {}),
  } as QueryOf<Filter>
}

type QueryOf<Filter> = Omit<Filter, 'status' | 'where' | 'within'> & QueryTexts

interface QueryTexts {
  readonly status?: string
  readonly where?: string
  readonly within?: string
}

const hasWithin = (filter: RequestFilter): filter is WaitFilter => (filter as WaitFilter).within !== undefined
