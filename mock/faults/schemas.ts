import { type Static, Type } from 'typebox'
import type { OperationId } from '../../spec/types.ts'
import { anyObject, closed, Duration, input, integer, oneOf, optionalText, output, text } from '../control/schemas.ts'

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }))

/** The requests that a fault or a gate is about. */
const matchFields = (nth: string) => ({
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

export const Failure = input('Failure', {
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
})

export const FaultToAdd = input('FaultToAdd', {
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
  ...Failure.properties,
  body: Type.Optional(
    oneOf(['cut', 'notJson'], 'The body of the answer is JSON that ends in its middle, or a page of HTML.'),
  ),
})
export type FaultToAdd = Static<typeof FaultToAdd>
/** The phases in which a fault can occur. */
export type Phase = NonNullable<FaultToAdd['phase']>

export const Fault = output(
  'Fault',
  {
    id: text(),
    ...FaultToAdd.properties,
    matched: integer('How many requests it fitted.'),
    fired: integer('How many of them it applied to.'),
  },
  'A fault as it was added, and how often it applied.',
)
export type Fault = Static<typeof Fault>

export const GateToAdd = input('GateToAdd', {
  ...matchFields('The nth of the requests; the first by default.'),
  timeout: Type.Optional(Duration),
})

export const Gate = output(
  'Gate',
  {
    id: text(),
    ...GateToAdd.properties,
    state: oneOf(
      ['waiting', 'held', 'released', 'failed', 'timedOut', 'dropped'],
      'It waits for its request, holds it, or what became of it.',
    ),
    matched: integer('How many requests it fitted.'),
  },
  'A gate as it was added, and what became of it.',
)
export type Gate = Static<typeof Gate>
