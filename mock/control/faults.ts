import { type Static, Type } from 'typebox'
import { durationForm, readDuration } from '../../shared/time.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Effect, hasNoBody } from '../faults/fault-fired.ts'
import type { Fault as StoredFault, NewFault } from '../faults/faults.ts'
import type { Match } from '../faults/rules.ts'
import { checkMatch } from './match.ts'
import { refuse } from './refusals.ts'
import { noun, route } from './route.ts'
import { closed, Duration, optionalText, text } from './schemas.ts'

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
    Type.Unsafe<Readonly<Record<string, unknown>>>(
      Type.Object(
        {},
        {
          additionalProperties: true,
          'x-form': 'an object with fields and their values',
          description:
            'Fields of the body, parameters of the path or of the query, with the values that they must have. An object in a field must hold at least what is given, a list must be the same.',
        },
      ),
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
    Type.Enum(['close', 'reset'], {
      description: 'The connection ends instead of an answer. A reset is what a client sees when a server has crashed.',
    }),
  ),
}

const FaultToAdd = Type.Object(
  {
    ...matchFields('From the nth of the requests on, at this phase.'),
    times: count('How many requests it applies to. By default all, and with `nth` one.'),
    phase: Type.Optional(
      Type.Enum(['onArrival', 'beforeCommit', 'afterCommit', 'inBody'], {
        description:
          'By default on arrival, before any check; when the work is done and not yet committed, which undoes the work; after the commit; or when half of the body is sent.',
      }),
    ),
    delay: Type.Optional(
      Type.Union([text('', { maxLength: 40 }), Type.Number(), Type.Object({ from: Duration, to: Duration }, closed)], {
        description: 'How long to wait first. With `from` and `to`, some time between the two.',
        'x-form': 'a duration, such as "2s", or { "from": "100ms", "to": "2s" }',
      }),
    ),
    ...failureFields,
    body: Type.Optional(
      Type.Enum(['cut', 'notJson'], {
        description: 'The body of the answer is JSON that ends in its middle, or a page of HTML.',
      }),
    ),
  },
  { ...closed, title: 'FaultToAdd' },
)
export type FaultToAdd = Static<typeof FaultToAdd>

const Fault = Type.Unsafe<FaultToAdd & { id: string; matched: number; fired: number }>(
  Type.Object(
    {
      id: Type.String(),
      ...FaultToAdd.properties,
      matched: Type.Integer({ description: 'How many requests it fitted.' }),
      fired: Type.Integer({ description: 'How many of them it applied to.' }),
    },
    { title: 'Fault', description: 'A fault as it was added, and how often it applied.' },
  ),
)
type Fault = Static<typeof Fault>

export const faults = noun(
  'faults',
  'Requests that fail, wait or lose their answer.',
  ({ interception: { faults }, store }) => [
    route('POST /faults', {
      id: 'addFault',
      summary: 'Make requests fail, wait or lose their answer',
      description:
        'The fault applies to requests that come from now on, until it is used up, deleted or reset. Of several that fit a request at the same phase, the first applies. An answer that a fault made names it in the header `x-sandbox-fault`.',
      body: FaultToAdd,
      example: { operation: 'sendMessage', phase: 'afterCommit', connection: 'close', times: 1 },
      status: 201,
      message: 'Fault added',
      data: Fault,
      async handler({ body }) {
        await checkMatch(body, store)
        return show(faults.add(readFault(body)))
      },
    }),

    route('GET /faults', {
      id: 'listFaults',
      summary: 'List the faults, with how often each applied',
      description: 'In the order in which they were added. The oldest that are used up make room for new ones.',
      message: 'Faults found',
      data: Type.Array(Fault),
      handler: async () => faults.all().map(show),
    }),

    route('GET /faults/:faultId', {
      id: 'getFault',
      summary: 'Get one fault, with how often it applied',
      message: 'Fault found',
      data: Fault,
      handler: async ({ params }) => show(faults.get(params.faultId)),
    }),

    route('DELETE /faults/:faultId', {
      id: 'deleteFault',
      summary: 'Delete one fault',
      message: 'Fault deleted',
      handler: async ({ params }) => {
        faults.remove(params.faultId)
      },
    }),

    route('DELETE /faults', {
      id: 'clearFaults',
      summary: 'Delete all faults',
      description: 'Requests that a fault delays lose their connection.',
      message: 'All faults deleted',
      handler: async () => {
        faults.clear()
      },
    }),
  ],
)

const show = ({ id, given, matched, fired }: StoredFault): Fault => ({ id, ...(given as FaultToAdd), matched, fired })

function readFault(given: FaultToAdd): NewFault {
  const { phase = 'onArrival', times = given.nth === undefined ? Infinity : 1 } = given
  const effect = readEffect(given)
  if (Object.keys(effect).length === 0) refuse('a fault needs a status, a connection, a body or a delay')
  if (phase === 'inBody' && (effect.status !== undefined || effect.body !== undefined))
    refuse('in the middle of the body there is a delay or a connection that ends; a status or a body comes before it')
  if (effect.body !== undefined && effect.status === undefined && phase !== 'afterCommit')
    refuse('body changes an answer: give the status of one, or the phase afterCommit')
  return { match: readMatch(given), times, phase, effect, given }
}

/** Longer conditions would take memory and time at each request. */
const longestWhere = 10_000

export function readMatch({ operation, team, where, nth }: Match): Match {
  if (JSON.stringify(where ?? {}).length > longestWhere)
    refuse(`where must be at most ${longestWhere} characters of JSON`)
  return defined({ operation, team, where, nth })
}

type Failure = Pick<FaultToAdd, 'delay' | 'status' | 'message' | 'retryAfter' | 'connection' | 'body'>

/** Refuses fields that exclude each other, with one sentence. */
export function readEffect({ delay, status, message, retryAfter, connection, body }: Failure): Effect {
  if (connection !== undefined && (status ?? body ?? message ?? retryAfter) !== undefined)
    refuse('a connection that ends carries no answer: give either connection, or status, message, retryAfter and body')
  if (status === undefined && message !== undefined) refuse('message needs a status, such as 500')
  if (retryAfter !== undefined && status !== 429 && status !== 503) refuse('retryAfter needs the status 429 or 503')
  if (status !== undefined && hasNoBody(status) && (message ?? body) !== undefined)
    refuse(`an answer with the status ${status} has no body, so it has neither message nor body`)
  const seconds = readRetryAfter(retryAfter ?? (status === 429 ? '1s' : undefined))
  return defined({ delay: readDelay(delay), status, message, retryAfter: seconds, connection, body })
}

/** Without the fields that are undefined. */
const defined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Fields]?: Exclude<Fields[Field], undefined>
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
  if (typeof delay !== 'object') {
    const time = readTime(delay, 'delay', longestDelay)
    return { from: time, to: time }
  }
  const from = readTime(delay.from, 'delay.from', longestDelay)
  const to = readTime(delay.to, 'delay.to', longestDelay)
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
