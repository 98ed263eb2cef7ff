import { type Static, Type } from 'typebox'
import type { OperationId } from '../../../spec/types.ts'
import {
  anyObject,
  closed,
  dictionaryOf,
  Duration,
  flag,
  input,
  integer,
  oneOf,
  optionalText,
  output,
  text,
} from '../../core/schemas.ts'

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
      'Fields of the body, parameters of the path or of the query, with the values that they must have. A dot leads into a field. An object in a field must hold at least what is given, a list must be the same. At most 50 fields.',
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

const responseFields = {
  delay: Type.Optional(
    Type.Union([text('', { maxLength: 40 }), Type.Number(), Type.Object({ from: Duration, to: Duration }, closed)], {
      description: 'How long to wait first. With `from` and `to`, some time between the two.',
      'x-form': 'a duration, such as "2s", or { "from": "100ms", "to": "2s" }',
    }),
  ),
  ...Failure.properties,
  body: Type.Optional(
    Type.Unsafe<'cut' | 'notJson' | object>(
      Type.Union([Type.Enum(['cut', 'notJson']), Type.Object({}), Type.Array(Type.Unknown())], {
        'x-form': '"cut", "notJson", a JSON object or a list',
        description:
          'The body of the answer: your own, as JSON; `cut`, JSON that ends in its middle; or `notJson`, a page of HTML.',
      }),
    ),
  ),
  merge: Type.Optional(
    flag('Merges the body into that of the real answer, as a JSON Merge Patch: null removes a field.'),
  ),
  headers: Type.Optional(
    dictionaryOf(Type.String(), {
      'x-form': 'an object of names and texts, such as { "x-ratelimit-remaining": "0" }',
      description: 'Headers of the answer, in addition to its own.',
    }),
  ),
}

const FaultResponse = input('FaultResponse', responseFields, 'The effect on one request; without fields, none.')

export const FaultToAdd = input('FaultToAdd', {
  ...matchFields('From the nth of the requests on, at this phase.'),
  times: count('How many requests it applies to. By default all, and with `nth` one.'),
  phase: Type.Optional(
    oneOf(
      ['onArrival', 'beforeCommit', 'afterCommit', 'inBody'],
      'By default on arrival, before any check, or with `merge` after the commit; when the work is done and not yet committed, which undoes the work; after the commit; or when half of the body is sent.',
    ),
  ),
  ...responseFields,
  responses: Type.Optional(
    Type.Array(FaultResponse, {
      minItems: 1,
      maxItems: 100,
      'x-form': 'a list of 1 to 100 responses, such as [{ "status": 429 }, { "status": 500 }]',
      description: 'One for each request, in this order. After the last one the fault is used up.',
    }),
  ),
})
export type FaultToAdd = Static<typeof FaultToAdd>
export type FaultResponse = Static<typeof FaultResponse>
/** The phases in which a fault can occur. */
export type Phase = NonNullable<FaultToAdd['phase']>

export const Fault = output(
  'Fault',
  {
    id: text(),
    ...FaultToAdd.properties,
    matched: integer('How many requests it matched.'),
    fired: integer('How many of them it applied to.'),
    usedUp: flag('Whether it applies to no more requests.'),
  },
  'A fault as it was added, and how often it applied.',
)
export type Fault = Static<typeof Fault>
/** Whether it is used up follows from its counts. */
export type StoredFault = Omit<Fault, 'usedUp'>

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
    matched: integer('How many requests it matched.'),
  },
  'A gate as it was added, and what became of it.',
)
export type Gate = Static<typeof Gate>
