import { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import { durationForm, readDuration } from '../../shared/time.ts'
import { parseJson } from '../../shared/parse-json.ts'
import { quote } from '../../shared/text.ts'
import { assumptionNames } from '../../spec/assumptions.ts'
import { closeTo } from '../../spec/close-to.ts'
import { isObject } from '../../spec/document.ts'
import { operations } from '../../spec/operations.ts'
import { fits, type Wanted } from '../journal/filter.ts'
import { Follower } from '../journal/follower.ts'
import type { LogEntry } from '../journal/entries.ts'
import { SeenRequest, showRequest } from '../journal/seen.ts'
import { checkMatch } from './match.ts'
import { NotFound, NotSo, refuse } from './refusals.ts'
import { noun, route, wholeRoute } from './route.ts'
import { closed } from './schemas.ts'

const mostFollowers = 50

const filterFields = {
  operation: Type.Optional(Type.String({ maxLength: 100, description: 'The operationId, such as createContact.' })),
  team: Type.Optional(Type.String({ maxLength: 200, description: 'The id of the team whose credential was sent.' })),
  status: Type.Optional(
    Type.String({
      pattern: String.raw`^[1-5](\d\d|xx)$`,
      'x-form': 'a status such as 404, or a class such as 4xx',
      description: 'A status such as 404, or a class of statuses such as 4xx.',
    }),
  ),
  refused: Type.Optional(Type.Boolean({ description: 'Only those with an error status, or only those without.' })),
  assumed: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The name of an assumption that the answer relied on, whether its choice is assumed or learned.',
    }),
  ),
  where: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description:
        'Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}.',
    }),
  ),
}
const Filter = Type.Object(filterFields, closed)
type Filter = Static<typeof Filter>

const number = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))
const VerifyQuery = Type.Object(
  {
    ...filterFields,
    times: number('Exactly so many.'),
    atLeast: number('So many or more.'),
    atMost: number('So many or fewer.'),
  },
  closed,
)

const RequestCount = Type.Object({ count: Type.Integer() }, { title: 'RequestCount' })

export const requests = noun(
  'requests',
  'The latest requests, why they were refused, and what they changed.',
  ({ journal, secrets, store }) => {
    let followers = 0
    const show = (entry: LogEntry) => showRequest(entry, { secrets })
    const matching = (wanted: Wanted) => [...journal].filter((entry) => fits(entry, wanted))

    /** The requests of a deleted team are kept for a while. */
    async function readFilter({ operation, team, status, refused, assumed, where }: Filter): Promise<Wanted> {
      checkName('operation', operation, Object.keys(operations), 'it must be an operationId of the service')
      checkName('assumed', assumed, assumptionNames, 'GET /_sandbox/assumptions lists them')
      const wanted = { operation, team, status, refused, assumed, where: readWhere(where) }
      if (team !== undefined && ![...journal].some((entry) => entry.team === team)) await checkMatch({ team }, store)
      return wanted
    }

    async function nextMatching(wanted: Wanted, milliseconds: number): Promise<LogEntry | undefined> {
      const follower = new Follower(journal)
      const timer = setTimeout(() => void follower.return(), milliseconds)
      try {
        for await (const entry of follower) if ('entry' in entry && fits(entry.entry, wanted)) return entry.entry
        return undefined
      } finally {
        clearTimeout(timer)
      }
    }

    return [
      route('GET /requests', {
        id: 'findRequests',
        summary: 'Find the latest requests, with their answers',
        description: 'From the oldest to the latest. Secrets are redacted, and long bodies are cut.',
        query: Type.Object(
          {
            ...filterFields,
            last: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Only the last ones.' })),
          },
          closed,
        ),
        message: 'Requests found',
        data: Type.Array(SeenRequest),
        async handler({ query: { last = 1000, ...filter } }) {
          return matching(await readFilter(filter))
            .slice(-last)
            .map(show)
        },
      }),

      route('GET /requests/count', {
        id: 'countRequests',
        summary: 'Count requests',
        description: 'Those that are still kept.',
        query: Filter,
        message: 'Requests counted',
        data: RequestCount,
        handler: async ({ query }) => ({ count: matching(await readFilter(query)).length }),
      }),

      route('GET /requests/wait', {
        id: 'waitForRequest',
        summary: 'Wait for a request, unless it has come already',
        description:
          'Answers with the first such request that is kept, or that comes; with 409 when none comes in time.',
        query: Type.Object(
          {
            ...filterFields,
            within: Type.Optional(
              Type.String({
                maxLength: 40,
                description: 'How long to wait at most, such as 500ms or 10s; up to a minute, 5s by default.',
              }),
            ),
          },
          closed,
        ),
        message: 'Request found',
        data: SeenRequest,
        async handler({ query: { within = '5s', ...filter } }) {
          const [wanted, milliseconds] = [await readFilter(filter), readWithin(within)]
          const entry = matching(wanted)[0] ?? (await nextMatching(wanted, milliseconds))
          if (entry) return show(entry)
          throw new NotSo(
            journal.isClosed ? 'The sandbox was closed' : `No such request came within ${milliseconds} ms`,
          )
        },
      }),

      route('GET /requests/verify', {
        id: 'verifyRequests',
        summary: 'Verify how many requests there were',
        description: 'At least one unless a number is given. Anything else is answered 409, with a sentence.',
        query: VerifyQuery,
        message: 'It is so',
        data: RequestCount,
        async handler({ query }) {
          const { length: count } = matching(await readFilter(query))
          const expected = expectationOf(query)
          if (count < expected.least || count > expected.most)
            throw new NotSo(
              `${count === 1 ? 'There was 1 such request' : `There were ${count} such requests`}, not ${expected.words}`,
            )
          return { count }
        },
      }),

      wholeRoute('GET /requests/follow', {
        id: 'followRequests',
        summary: 'Follow the requests that come, as server-sent events',
        description:
          'Each event `request` has one request as JSON. Requests that come faster than they are read are left out, and the next one says how many. It ends when the sandbox is closed.',
        query: Filter,
        type: 'text/event-stream; charset=utf-8',
        data: Type.String(),
        async handler({ query }) {
          const wanted = await readFilter(query)
          if (followers >= mostFollowers) refuse(`${mostFollowers} others follow already; end one of them first`)
          followers++
          const events = Readable.from(eventsOf(new Follower(journal), wanted, show), { highWaterMark: 1 })
          return events.once('close', () => followers--)
        },
      }),

      route('GET /requests/:requestId', {
        id: 'getRequest',
        summary: 'Get one request, with its answer',
        description: 'The latest request of the id that its answer has in the header x-sandbox-request.',
        message: 'Request found',
        data: SeenRequest,
        async handler({ params: { requestId } }) {
          const entry = [...journal].findLast(({ id }) => id === requestId)
          if (!entry) throw new NotFound()
          return show(entry)
        },
      }),

      route('DELETE /requests', {
        id: 'clearRequests',
        summary: 'Forget all requests so far',
        message: 'The requests so far are forgotten',
        handler: async () => {
          journal.clear()
        },
      }),
    ]
  },
)

function checkName(field: string, name: string | undefined, known: readonly string[], hint: string): void {
  if (name === undefined || known.includes(name)) return
  const [close] = closeTo(name, known)
  refuse(`${field} cannot be ${quote(name)}; ${close === undefined ? hint : `did you mean ${close}?`}`)
}

function readWhere(where: string | undefined): Wanted['where'] {
  if (where === undefined) return undefined
  const read = parseJson(where)
  if (!isObject(read) || Array.isArray(read)) refuse('where must be a JSON object, such as {"email":"ada@example.com"}')
  return read
}

/** In milliseconds. */
function readWithin(within: string): number {
  const milliseconds = readDuration(/^\d+$/.test(within) ? Number(within) : within)
  if (milliseconds === undefined || milliseconds > 60_000) refuse(`within must be ${durationForm}, up to a minute`)
  return milliseconds
}

function expectationOf({ times, atLeast, atMost }: Static<typeof VerifyQuery>) {
  if (times !== undefined) return { least: times, most: times, words: `exactly ${times}` }
  const least = atLeast ?? (atMost === undefined ? 1 : 0)
  const words = [least > 0 ? `at least ${least}` : '', atMost === undefined ? '' : `at most ${atMost}`]
  return { least, most: atMost ?? Infinity, words: words.filter((word) => word !== '').join(' and ') }
}

/** Not a generator: a generator cannot be ended while it waits for the next request. */
function eventsOf(follower: Follower, wanted: Wanted, show: (entry: LogEntry) => SeenRequest): AsyncIterable<string> {
  let hasBegun = false
  let missed = 0
  const events: AsyncIterator<string, undefined> = {
    async next() {
      if (!hasBegun) {
        hasBegun = true
        return { done: false, value: ': following\n\n' } // a comment, so that the client gets the headers at once
      }
      for (;;) {
        const { value: entry } = await follower.next()
        if (!entry) return { done: true, value: undefined }
        if ('missed' in entry) missed += entry.missed
        else if (fits(entry.entry, wanted)) {
          const seen = { ...show(entry.entry), ...(missed > 0 ? { missed } : {}) }
          missed = 0
          return { done: false, value: `event: request\ndata: ${JSON.stringify(seen)}\n\n` }
        }
      }
    },
    async return() {
      await follower.return()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => events }
}
