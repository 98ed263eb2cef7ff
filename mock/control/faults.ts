import { type Static, Type } from 'typebox'
import { durationForm, readDuration } from '../../shared/time.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Effect, hasNoBody } from '../faults/fault-fired.ts'
import type { Fault as StoredFault, NewFault } from '../faults/faults.ts'
import { checkMatch } from './match.ts'
import { refuse } from './refusals.ts'
import { noun, route } from './route.ts'
import { anyObject, closed, Duration, input, integer, listOf, oneOf, optionalText, output, text } from './schemas.ts'

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }))

/** The requests that a fault or a gate is about. */
export const matchFields = (nth: string) => ({
  operation: Type.Optional(
    Type.Unsafe<OperationId | readonly OperationId[]>(
      Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 100 })], {
        description: 'An operationId of the service, or a list of them; all operations by default.',
        'x-form': 'an operationId or a list of them, such as createContact',
      }),
    ),
  ),
  team: optionalText('The id of a team; all teams by default.', { maxLength: 100 }),
  where: Type.Optional(
    anyObject<Readonly<Record<string, unknown>>>(
      'an object with fields and their values',
      'Fields of the body, parameters of the path or of the query, with the values that they must have. A dot leads into a field. An object in a field must hold at least what is given, a list must be the same.',
    ),
  ),
  nth: count(nth),
})

/** The replacement for a response. */
export const failureFields = {
  status: Type.Optional(
    Type.Integer({
      minimum: 200,
      maximum: 599,
      'x-form': 'a status, from 200 to 599',
      description: 'The status of the answer, documented or not.',
    }),
  ),
  message: optionalText('The message of the answer. By default the text of the service, or of HTTP.', {
    maxLength: 1000,
  }),
  retryAfter: Type.Optional(Duration),
  connection: Type.Optional(
    oneOf(
      ['close', 'reset'],
      'The connection ends instead of an answer. A reset is what a client sees when a server has crashed.',
    ),
  ),
}

const FaultToAdd = input('FaultToAdd', {
  ...matchFields('From the nth of the requests on, at this phase.'),
  times: count('How many requests it applies to. By default all, and with `nth` one.'),
  phase: Type.Optional(
    oneOf(
      ['onArrival', 'beforeCommit', 'afterCommit', 'inBody'],
      'By default on arrival, before any check; when the work is done and not yet committed, which undoes the work; after the commit; or when half of the body is sent.',
    ),
  ),
  delay: Type.Optional(
    Type.Union([text('', { maxLength: 40 }), Type.Number(), Type.Object({ from: Duration, to: Duration }, closed)], {
      description: 'How long to wait first. With `from` and `to`, some time between the two.',
      'x-form': 'a duration, such as "2s", or { "from": "100ms", "to": "2s" }',
    }),
  ),
  ...failureFields,
  body: Type.Optional(
    oneOf(['cut', 'notJson'], 'The body of the answer is JSON that ends in its middle, or a page of HTML.'),
  ),
})
export type FaultToAdd = Static<typeof FaultToAdd>

const Fault = output(
  'Fault',
  {
    id: text(),
    ...FaultToAdd.properties,
    matched: integer('How many requests it fitted.'),
    fired: integer('How many of them it applied to.'),
  },
  'A fault as it was added, and how often it applied.',
)
type Fault = Static<typeof Fault>

export const faults = noun(
  'faults',
  'Requests that fail, wait or lose their answer.',
  ({ interception: { faults }, store }) => ({
    addFault: route('POST /faults', 'Make requests fail, wait or lose their answer', {
      description:
        'The fault applies to requests that come from now on, until it is used up, deleted or reset. Of several that fit a request at the same phase, the first applies. An answer that a fault made names it in the header `x-sandbox-fault`.',
      body: FaultToAdd,
      example: { operation: 'sendMessage', phase: 'afterCommit', connection: 'close', times: 1 },
      status: 201,
      message: 'Fault added',
      data: Fault,
      async handler({ body }) {
        await checkMatch(body, store)
        return show(await faults.add(readFault(body)))
      },
    }),

    listFaults: route('GET /faults', 'List the faults, with how often each applied', {
      description: 'In the order in which they were added. The oldest that are used up make room for new ones.',
      message: 'Faults found',
      data: listOf(Fault),
      handler: async () => faults.all().map(show),
    }),

    getFault: route('GET /faults/:faultId', 'Get one fault, with how often it applied', {
      message: 'Fault found',
      data: Fault,
      handler: async ({ params }) => show(faults.get(params.faultId)),
    }),

    deleteFault: route('DELETE /faults/:faultId', 'Delete one fault', {
      message: 'Fault deleted',
      handler: async ({ params }) => {
        await faults.remove(params.faultId)
      },
    }),

    clearFaults: route('DELETE /faults', 'Delete all faults', {
      description: 'Requests that a fault delays lose their connection.',
      message: 'All faults deleted',
      handler: async () => {
        await faults.clear()
      },
    }),
  }),
)

const show = ({ id, given, matched, fired }: StoredFault): Fault => ({ id, ...(given as FaultToAdd), matched, fired })

function readFault(given: FaultToAdd): NewFault {
  const { phase = 'onArrival', nth, times = nth === undefined ? undefined : 1, delay, status, connection, body } = given
  const effect = { ...readFailure(given), delay: readDelay(delay) }
  if ((status ?? connection ?? body ?? delay) === undefined)
    refuse('a fault needs a status, a connection, a body or a delay')
  if (phase === 'inBody' && (status ?? body) !== undefined)
    refuse('in the middle of the body there is a delay or a connection that ends; a status or a body comes before it')
  if (body !== undefined && status === undefined && phase !== 'afterCommit')
    refuse('body changes an answer: give the status of one, or the phase afterCommit')
  return { given, nth: nth ?? 1, times, phase, effect }
}

type Failure = Pick<FaultToAdd, 'status' | 'message' | 'retryAfter' | 'connection' | 'body'>

/** Refuses fields that exclude each other, with one sentence. */
export function readFailure({ status, message, retryAfter, connection, body }: Failure): Effect {
  if (connection !== undefined && (status ?? body ?? message ?? retryAfter) !== undefined)
    refuse('a connection that ends carries no answer: give either connection, or status, message, retryAfter and body')
  if (status === undefined && message !== undefined) refuse('message needs a status, such as 500')
  if (retryAfter !== undefined && status !== 429 && status !== 503) refuse('retryAfter needs the status 429 or 503')
  if (status !== undefined && hasNoBody(status) && (message ?? body) !== undefined)
    refuse(`an answer with the status ${status} has no body, so it has neither message nor body`)
  return {
    status,
    message,
    retryAfter: readRetryAfter(retryAfter ?? (status === 429 ? 1 : undefined)),
    connection,
    body,
  }
}

/** In seconds. A number is one of seconds, as in the header. */
function readRetryAfter(given: string | number | undefined): number | undefined {
  if (given === undefined) return undefined
  const duration = typeof given === 'number' ? given * 1000 : given
  return Math.ceil(readTime(duration, 'retryAfter', 24 * 60 * 60_000) / 1000)
}

const longestDelay = 60_000

function readDelay(delay: FaultToAdd['delay']): Effect['delay'] {
  if (delay === undefined) return undefined
  const given = typeof delay === 'object' ? delay : { from: delay, to: delay }
  const [from, to] = [readTime(given.from, 'delay', longestDelay), readTime(given.to, 'delay', longestDelay)]
  if (from > to) refuse('delay.from must not be longer than delay.to')
  return { from, to }
}

/** In milliseconds. */
export function readTime(given: string | number, field: string, longest: number): number {
  const time = readDuration(given)
  if (time === undefined) refuse(`${field} must be ${durationForm}`)
  if (time > longest) refuse(`${field} must be at most ${longest / 1000} seconds`)
  return time
}
