import fc from 'fast-check'
import { fieldsOf } from '../../../client/answer.ts'
import { makes } from '../../../client/kinds.ts'
import { operations } from '../../../spec/operations.ts'
import type { OperationId } from '../../../spec/types.ts'
import { isRecognizable, type Model } from '../model.ts'
import type { StepInput } from '../steps.ts'

interface Sending {
  readonly operation: OperationId
  readonly input: StepInput
  readonly model: Model
  /** The latest Idempotency-Key of the story. */
  readonly key: string | undefined
}

/** Changes a request before it is sent. */
export type Twist = (sending: Sending) => {
  readonly input: StepInput
  /** Whether the request should still succeed. */
  readonly isGood: boolean
}

export const plain: Twist = ({ input }) => ({ input, isGood: true })

export const withKey: Twist = ({ operation, input, model }) => ({
  input: operations[operation].takesIdempotencyKey ? { ...input, key: model.mint.key() } : input,
  isGood: true,
})

/** The key of another request. */
const withKeyAgain: Twist = ({ operation, input, key }) =>
  key === undefined || !operations[operation].takesIdempotencyKey
    ? { input, isGood: true }
    : { input: { ...input, key }, isGood: false }

/** No other caller creates a record, since only the key of the team cleans up. */
const byAnother = fc.constantFrom('otherTeam', 'otherTeam', 'admin', 'agent').map(
  (caller): Twist =>
    ({ operation, input, model }) =>
      makes[operation] || !model.target.credentials[caller]
        ? { input, isGood: true }
        : { input: { ...input, caller }, isGood: caller === 'admin' },
)

interface Chosen {
  readonly model: Model
  readonly at: number
  readonly value: unknown
}

type Spoil = (input: StepInput, chosen: Chosen) => StepInput

const mistake = fc
  .record({
    way: fc.nat({ max: 999 }),
    at: fc.nat({ max: 99 }),
    value: fc.constantFrom<unknown>(undefined, undefined, null, '', 7, -7, true, [], {}, 'pigeon'),
  })
  .map(({ way, ...chosen }): Twist => ({ operation, input, model }) => {
    const ways = waysToSpoil(operation, input)
    const spoiled = ways[way % ways.length]?.(input, { ...chosen, model }) ?? input
    return isRecognizable(operation, spoiled) ? { input: spoiled, isGood: false } : { input, isGood: true }
  })

export const twist: fc.Arbitrary<Twist> = fc.oneof(
  { weight: 82, arbitrary: fc.constant(plain) },
  { weight: 8, arbitrary: fc.constant(withKey) },
  { weight: 2, arbitrary: fc.constant(withKeyAgain) },
  { weight: 3, arbitrary: byAnother },
  { weight: 5, arbitrary: mistake },
)

function waysToSpoil(operation: OperationId, { path, query, body }: StepInput): readonly Spoil[] {
  const { method, takesIdempotencyKey } = operations[operation]
  return [
    ...anywhere,
    ...(path ? inPath : []),
    ...(query ? [...inQuery, ...inQuery] : []),
    ...(body === undefined ? [] : [...inBody, ...inBody, ...ofBody]),
    ...(method === 'get' ? [] : [wrongMethod]),
    ...(takesIdempotencyKey ? [badKey] : []),
  ]
}

const anywhere: readonly Spoil[] = [
  (input) => ({ ...input, caller: 'nobody' }),
  (input, { model }) => ({ ...input, caller: { key: model.mint.key().replaceAll(/[«» ]/g, '-') } }),
  (input) => ({ ...input, hasSlash: true }),
  (input) => ({ ...input, query: { ...input.query, pigeon: 'grey' } }),
]

const wrongMethod: Spoil = ({ body, fields, key, ...input }) => ({ ...input, method: 'GET' })

const badKey: Spoil = (input, { at }) => ({ ...input, key: at % 2 === 0 ? '' : 'k'.repeat(256) })

const inPath: readonly Spoil[] = [
  (input, { model }) => withId(input, model.mint.unknownId()),
  (input, { model }) => withId(input, model.mint.unknownId()),
  (input) => withId(input, 'not an id'),
]

function withId({ path = {}, ...input }: StepInput, id: string): StepInput {
  return { ...input, path: Object.fromEntries(Object.keys(path).map((name) => [name, id])) }
}

const oddParameters = [0, -1, 101, 1.5, 'x', '', 'pigeon', 1_000_000]

const inQuery: readonly Spoil[] = [
  (input, { at }) => withParameter(input, at, oddParameters[at % oddParameters.length]),
  (input, { at }) => withParameter(input, at, undefined),
]

function withParameter({ query = {}, ...input }: StepInput, at: number, value?: string | number): StepInput {
  const names = Object.keys(query)
  const name = names[at % names.length] ?? 'page'
  const others = Object.entries(query).filter(([one]) => one !== name)
  return { ...input, query: Object.fromEntries(value === undefined ? others : [...others, [name, value]]) }
}

const inBody: readonly Spoil[] = [
  withField,
  withField,
  withField,
  withField,
  (input, { model }) => ({ ...input, body: { ...fieldsOf(input.body), pigeon: model.mint.name('grey') } }),
  (input, { model }) => ({ ...input, body: { ...fieldsOf(input.body), _id: model.mint.unknownId() } }),
]

function withField(input: StepInput, { at, value }: Chosen): StepInput {
  const isNone = value === undefined || value === null
  const fields = Object.keys(fieldsOf(input.body)).filter((field) => isNone || !mayBeUnique.test(field))
  const field = fields[at % fields.length]
  return field === undefined ? input : { ...input, body: { ...fieldsOf(input.body), [field]: value } }
}

/** A record of an earlier run may have a fixed value on the server, but not in the sandbox. */
const mayBeUnique = /^(?:email|phone|phoneNumber|sku|domain|uniqueName)$/

const badTexts = ['{"name": ', '[]', '"text"', 'null', '']

const ofBody: readonly Spoil[] = [
  ({ body, ...input }, { at }) => ({ ...input, text: badTexts[at % badTexts.length] ?? '' }),
  ({ body, ...input }) => input,
  ({ body, ...input }) => ({ ...input, text: JSON.stringify(body), contentType: 'text/plain' }),
  (input) => ({ ...input, contentType: null }),
]
