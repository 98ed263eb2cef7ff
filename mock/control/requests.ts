import { type Static, Type } from 'typebox'
import { inSteps, newPause, stepsInARow } from '../../lib/pause.ts'
import { assumptionNames } from '../../spec/assumptions.ts'
import type { OperationId } from '../../spec/types.ts'
import { describeNearest, findAll, matches, onlyTeamOf, type EntryFilter } from '../http/journal/filter.ts'
import { type LogEntry, stepsOfEntry } from '../http/journal/journal.ts'
import { longestAnswer, type ToShow } from '../http/journal/other-servers.ts'
import { SeenRequest, showRequest } from '../http/journal/seen.ts'
import { checkMatch, checkName, readWhere } from './context.ts'
import { EventStream } from './events.ts'
import { readWait } from './messages.ts'
import { UnknownName, reject, RejectedNow } from '../core/rejections.ts'
import type { Hold } from '../store/port.ts'
import { noun, route } from './route.ts'
import {
  anyObject,
  closed,
  flag,
  input,
  integer,
  listOf,
  optionalInteger,
  optionalText,
  output,
  queryOf,
  text,
  texts,
} from '../core/schemas.ts'
import { isObject } from '../../lib/json.ts'

const filterFields = {
  operation: Type.Optional(
    Type.Unsafe<OperationId>(text('The operationId, such as createContact.', { maxLength: 100 })),
  ),
  team: optionalText('The id of the team whose credential was sent.', { maxLength: 200 }),
  orNoTeam: Type.Optional(flag('With a team: also the requests without a valid credential, which are of no team.')),
  status: Type.Optional(
    Type.Unsafe<string | number>(
      text('A status such as 404, or a class of statuses such as 4xx.', {
        pattern: String.raw`^[1-5](\d\d|xx)$`,
        'x-form': 'a status such as 404, or a class such as 4xx',
      }),
    ),
  ),
  refused: Type.Optional(flag('Only those with an error status, or only those without.')),
  assumed: optionalText('An assumption that the answer relied on, whether its choice is assumed or learned.'),
  where: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>> | string>(
      text(
        'Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}. At most 50 fields.',
      ),
    ),
  ),
}
const Filter = queryOf(filterFields)

const all = Type.Optional(
  flag('On a store that several servers share: also the requests to the others, each with at most 4 MB of the latest.'),
)
const ofServers = {
  unanswered: Type.Optional(
    texts('Only with `all`, on a store that several servers can share: the servers that did not answer in time.'),
  ),
}

const most = 1_000_000_000
const VerifyQuery = queryOf({
  ...filterFields,
  times: optionalInteger(0, most, 'Exactly so many.'),
  atLeast: optionalInteger(0, most, 'So many or more.'),
  atMost: optionalInteger(0, most, 'So many or fewer.'),
})

const OrderToVerify = input('OrderToVerify', {
  requests: Type.Array(
    Type.Object(
      {
        ...filterFields,
        where: Type.Optional(
          anyObject<Readonly<Record<string, unknown>>>('an object with fields and their values', 'As in a fault.'),
        ),
        status: Type.Optional(
          Type.Union([Type.String(), Type.Integer()], { description: 'A status, or a class of statuses such as 4xx.' }),
        ),
      },
      closed,
    ),
    {
      minItems: 1,
      maxItems: 100,
      'x-form':
        'a list of 1 to 100 requests, such as [{ "operation": "createContact" }, { "operation": "sendMessage" }]',
      description: 'The requests in their order; others may come between them.',
    },
  ),
})

const RequestCount = output('RequestCount', { count: integer() })

/** Requests, and the servers that did not say whether they have others. */
type RequestsFound = SeenRequest[] & { readonly unanswered?: readonly string[] }

/** In bytes, as they are stored. */
const shownAtOnce = 64 * 1024

/** The largest answers of three servers, as text and values, in bytes. */
const mostOfOthers = 6 * longestAnswer

const inWords = (unanswered: readonly string[]) =>
  unanswered.length === 0 ? '' : `; no answer in time from ${unanswered.join(', ')}`

export const requests = noun(
  'requests',
  'The latest requests, why they were refused, and what they changed.',
  ({ journal, others, worlds, store }) => {
    const show = (entry: LogEntry) => showRequest(entry, worlds.secrets, others?.ownName)

    /** The last requests to this server; with `all`, to all servers. They take memory as they are stored; the answer is made one by one. */
    async function findLast(
      filter: EntryFilter,
      { last, all = false, hold }: { last: number; all?: boolean | undefined; hold: Hold },
    ): Promise<RequestsFound> {
      if (all && others) hold(mostOfOthers)
      const asked = all ? await others?.ask({ filter, last }) : undefined
      const own = (await findAll(filter, journal)).slice(-last)
      const bytes = own.reduce((sum, { size }) => sum + size, 0)
      if (bytes > shownAtOnce) hold(bytes)
      const shown = own.map((entry): ToShow => ({ at: entry.at, toJSON: () => show(entry) }))
      const found = asked ? [...shown, ...asked.found].toSorted((one, other) => one.at - other.at).slice(-last) : shown
      return Object.assign(found as readonly object[] as SeenRequest[], asked && { unanswered: asked.unanswered })
    }

    async function findFirst(wanted: EntryFilter, entries: readonly LogEntry[]): Promise<LogEntry | undefined> {
      for await (const entry of inSteps(entries, stepsOfEntry)) if (matches(entry, wanted)) return entry
      return undefined
    }

    /** The first request that matches, then the first after it that matches the next filter, and so on. */
    async function findInOrder(order: readonly EntryFilter[]): Promise<LogEntry[]> {
      const found: LogEntry[] = []
      for await (const entry of inSteps(journal.from(), stepsOfEntry)) {
        const wanted = order[found.length]
        if (wanted && matches(entry, wanted)) found.push(entry)
      }
      return found
    }

    /** Says which request of an order is missing, and what came in its place. */
    async function describeMissing(wanted: EntryFilter, place: string, found: readonly LogEntry[]): Promise<string> {
      const [entries, last] = [journal.from(), found.at(-1)]
      const early = await findFirst(
        wanted,
        entries.filter((entry) => !found.includes(entry)),
      )
      const later = last ? entries.slice(entries.indexOf(last) + 1).slice(0, 3) : []
      const instead = early
        ? `; ${nameOf(early)} came before it`
        : later.length > 0
          ? `; after it came ${later.map(nameOf).join(', ')}`
          : await nearest(wanted)
      const name = `${String(wanted.operation ?? 'such request')}${last ? ` after ${nameOf(last)}` : ''}`
      return `${place} is missing: there was no ${name}${instead}`
    }

    async function showAll(entries: readonly LogEntry[]): Promise<SeenRequest[]> {
      const shown: SeenRequest[] = []
      for await (const entry of inSteps(entries, stepsInARow)) shown.push(show(entry))
      return shown
    }

    const nearest = (wanted: EntryFilter) => describeNearest(wanted, journal, worlds.secrets)
    const nameOf = (entry: LogEntry) => `${entry.operation ?? 'a request'} ${worlds.secrets.redact(entry.id)}`

    /** A deleted team is known as long as one of its requests is kept. */
    async function checkTeam(team: string): Promise<void> {
      if (!journal.from().some((entry) => entry.team === team)) await checkMatch({ team }, store)
    }

    async function readFilter(
      { where, ...filter }: Static<typeof Filter>,
      mayBeElsewhere = false,
    ): Promise<EntryFilter> {
      const { operation, team, assumed } = filter
      await checkMatch(operation === undefined ? {} : { operation }, store)
      if (assumed !== undefined)
        checkName('assumption', assumed, assumptionNames, '`crm-sandbox assumptions` lists them')
      if (team !== undefined && !mayBeElsewhere) await checkTeam(team)
      if (where === undefined) return filter as EntryFilter
      const fields = readWhere(typeof where === 'string' ? where : JSON.stringify(where))
      if (!isObject(fields)) reject('where must be a JSON object, such as {"email":"ada@example.com"}')
      return { ...filter, where: fields } as EntryFilter
    }

    return {
      findRequests: route('GET /requests', 'Find the latest requests, with their answers', {
        description: 'From the oldest to the latest. Secrets are redacted, and long bodies are cut.',
        query: queryOf({ ...filterFields, last: optionalInteger(1, 1000, 'Only the last ones.'), all }),
        message: ({ unanswered = [] }) => `Requests found${inWords(unanswered)}`,
        data: Type.Unsafe<RequestsFound>(listOf(SeenRequest)),
        beside: ofServers,
        async handler({ query: { last = 1000, all, ...filter } }, { hold }) {
          const found = await findLast(await readFilter(filter, all), { last, all, hold })
          if (all && found.length === 0 && filter.team !== undefined) await checkTeam(filter.team)
          return found
        },
      }),

      countRequests: route('GET /requests/count', 'Count requests', {
        description: 'Those that are still kept.',
        query: Filter,
        message: 'Requests counted',
        data: RequestCount,
        handler: async ({ query }) => ({ count: (await findAll(await readFilter(query), journal)).length }),
      }),

      waitForRequest: route('GET /requests/wait', 'Wait for a request, unless it has come already', {
        description:
          'Answers with the first such request that is kept, or that comes; with 409 when none comes in time, and the nearest requests.',
        query: queryOf({
          ...filterFields,
          within: Type.Optional(
            Type.Unsafe<string | number>(
              text('How long to wait at most, such as 500ms or 10s; up to a minute, 5s by default.'),
            ),
          ),
        }),
        message: 'Request found',
        data: SeenRequest,
        async handler({ query: { within = '5s', ...filter } }) {
          const [wanted, milliseconds] = [await readFilter(filter), readWait(within, 'within')]
          let checked = 0
          const read = () => {
            const entries = journal.from(checked)
            checked = journal.next
            return findFirst(wanted, entries)
          }
          const found = await journal.changes.until(
            onlyTeamOf(wanted),
            milliseconds,
            read,
            (entry) => entry !== undefined,
          )
          return found
            ? show(found)
            : journal.changes.refuseLate(`No such request came within ${milliseconds} ms${await nearest(wanted)}`)
        },
      }),

      verifyRequests: route('GET /requests/verify', 'Verify how many requests there were', {
        description:
          'At least one unless a number is given. Anything else is answered 409, with a sentence that names the nearest requests and the fields in which they differ.',
        query: VerifyQuery,
        message: 'It is so',
        data: RequestCount,
        async handler({ query: { times, atLeast = times, atMost = times, ...filter } }) {
          const wanted = await readFilter(filter)
          const found = await findAll(wanted, journal)
          const { length: count } = found
          const least = atLeast ?? (atMost === undefined ? 1 : 0)
          if (count >= least && count <= (atMost ?? Infinity)) return { count }
          const bounds = [least > 0 ? `at least ${least}` : '', atMost === undefined ? '' : `at most ${atMost}`]
          const expected = times === undefined ? bounds.filter(Boolean).join(' and ') : `exactly ${times}`
          const others =
            count < least ? await nearest(wanted) : `; the latest: ${found.slice(-3).map(nameOf).join(', ')}`
          throw new RejectedNow(
            409,
            `${count === 1 ? 'There was 1 such request' : `There were ${count} such requests`}, not ${expected}${others}`,
          )
        },
      }),

      verifyOrder: route('POST /requests/verify-order', 'Verify that requests came in an order', {
        call: 'requests.verifyOrder',
        description:
          'Answers with these requests. When one did not come after those before it, the answer is 409, with a sentence that names it and what came instead.',
        body: OrderToVerify,
        example: {
          requests: [{ operation: 'createContact' }, { operation: 'sendMessage', where: { channel: 'sms' } }],
        },
        message: 'They came in this order',
        data: listOf(SeenRequest),
        async handler({ body }) {
          const order: EntryFilter[] = []
          for (const { status, ...filter } of body.requests)
            order.push(await readFilter({ ...filter, ...(status !== undefined && { status: String(status) }) }))
          const found = await findInOrder(order)
          const missing = order[found.length]
          if (!missing) return showAll(found)
          const place = `request ${found.length + 1} of ${order.length}`
          throw new RejectedNow(409, await describeMissing(missing, place, found))
        },
      }),

      followRequests: route('GET /requests/follow', 'Follow the requests that come, as server-sent events', {
        description:
          'Each event `request` has one request as JSON. Requests that come faster than they are read are left out, and the next one says how many. It ends when the sandbox is closed.',
        query: Filter,
        type: 'text/event-stream; charset=utf-8',
        data: Type.Unsafe<EventStream>(Type.String()),
        async handler({ query }) {
          const wanted = await readFilter(query)
          const events = new EventStream()
          const pause = newPause()
          let [next, missed, isSending] = [journal.next, 0, false]
          const send = (entry: LogEntry) => {
            if (events.isBehind) missed++
            else {
              events.send('request', { ...show(entry), ...(missed > 0 ? { missed } : {}) })
              missed = 0
            }
          }
          const sendNew = async () => {
            if (isSending) return
            isSending = true
            while (next < journal.next) {
              await pause(stepsInARow) // so that one of a hundred followers is served in each turn
              const entries = journal.from(next)
              missed += journal.next - next - entries.length // those that the journal has dropped
              next = journal.next
              for await (const entry of inSteps(entries, stepsInARow)) if (matches(entry, wanted)) send(entry)
            }
            isSending = false
            if (journal.changes.isClosed) events.end()
          }
          const unsubscribe = journal.changes.subscribe(onlyTeamOf(wanted), () => void sendNew())
          return events.once('close', unsubscribe)
        },
      }),

      getRequest: route('GET /requests/:requestId', 'Get one request, with its answer', {
        description: 'The latest request of the id that its answer has in the header x-sandbox-request.',
        query: queryOf({ all }),
        message: 'Request found',
        data: SeenRequest,
        async handler({ params: { requestId }, query: { all } }, { hold }) {
          const { 0: request, unanswered = [] } = await findLast({ id: requestId }, { last: 1, all, hold })
          if (!request) throw new UnknownName('request', requestId, [], inWords(unanswered))
          return request
        },
      }),

      clearRequests: route('DELETE /requests', 'Forget all requests so far', {
        message: 'The requests so far are forgotten',
        handler: async () => {
          journal.clear()
        },
      }),
    }
  },
)
