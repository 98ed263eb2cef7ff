import fc from 'fast-check'
import { fieldsOf } from '../client/answer.ts'
import type { Input } from '../client/request.ts'
import type { Caller } from '../client/target/credentials.ts'
import { makes } from '../client/kinds.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Model } from './model.ts'

/** Changes a request before it is sent; returns `undefined` where it has nothing to change. */
export type Twist = (
  input: Input,
  about: { readonly operation: OperationId; readonly model: Model },
) => { readonly input: Input; readonly isGood: boolean } | undefined

export const withKey: Twist = (input, { operation, model }) =>
  operations[operation].takesIdempotencyKey ? { input: { ...input, key: model.mint.key() }, isGood: true } : undefined

/** The key of another request. */
const withKeyAgain: Twist = (input, { operation, model }) => {
  const key = model.sent.findLast((one) => one.input.key)?.input.key
  return key && operations[operation].takesIdempotencyKey ? { input: { ...input, key }, isGood: false } : undefined
}

/** No other caller creates a record, since only the key of the team cleans up. */
export const by =
  (caller: 'otherTeam' | 'admin' | 'agent'): Twist =>
  (input, { operation, model }) =>
    makes[operation] || !model.target.credentials[caller]
      ? undefined
      : { input: { ...input, caller }, isGood: caller === 'admin' }

interface Place {
  readonly model: Model
  readonly at: number
  readonly value: unknown
}

/** Each returns `undefined` for a request that cannot have this mistake. */
const mistakes: readonly ((input: Input, place: Place) => Input | undefined)[] = [
  ...[withField, withField, withField, withParameter],
  (input) => ({ ...input, caller: 'nobody' }),
  (input, { model }) => ({ ...input, caller: { key: model.mint.key().replaceAll(/[«» ]/g, '-') } as Caller }),
  (input) => ({ ...input, hasSlash: true }),
  (input) => ({ ...input, query: { ...input.query, pigeon: 'grey' } }),
  (input, { model }) => withId(input, model.mint.unknownId()),
  (input) => withId(input, 'not an id'),
  (input, { model }) => withFields(input, { pigeon: model.mint.name('grey') }),
  (input, { model }) => withFields(input, { _id: model.mint.unknownId() }),
  ({ body, ...input }, { at }) => (body ? { ...input, text: badTexts[at % badTexts.length] ?? '' } : undefined),
  ({ body, ...input }) => (body ? { ...input, text: JSON.stringify(body), contentType: 'text/plain' } : undefined),
  (input) => (input.body ? { ...input, contentType: null } : undefined),
  ({ body, key, ...input }) => (body ? { ...input, method: 'GET' as const } : undefined),
  (input, { at }) => (input.body ? { ...input, key: at % 2 === 0 ? '' : 'k'.repeat(256) } : undefined),
]

const badTexts = ['{"name": ', '[]', '"text"', 'null', '']

const mistake = fc
  .record({
    of: fc.constantFrom(...mistakes),
    at: fc.nat({ max: 99 }),
    value: fc.constantFrom<unknown>(undefined, undefined, null, '', 7, -7, true, [], {}, 'pigeon'),
  })
  .map(({ of, ...place }): Twist => (input, { operation, model }) => {
    const spoiled = of(input, { ...place, model })
    return spoiled && isRecognizable(operation, spoiled) ? { input: spoiled, isGood: false } : undefined
  })

/** Whether the created record contains a generated value, which the clean-up needs. */
const isRecognizable = (operation: OperationId, { body, text, form }: Input) =>
  makes[operation] === undefined || /«(?:email|phone|spaced|name|slug) /i.test(JSON.stringify([body, text, form]))

/** Few requests have a twist, since a refused one hides the effect of those before it. */
export const twist: fc.Arbitrary<Twist | null> = fc.oneof(
  { weight: 84, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: fc.constant(withKey) },
  { weight: 2, arbitrary: fc.constant(withKeyAgain) },
  { weight: 3, arbitrary: fc.constantFrom('otherTeam', 'otherTeam', 'admin', 'agent').map(by) },
  { weight: 5, arbitrary: mistake },
)

function withId({ path, ...input }: Input, id: string): Input | undefined {
  return path && { ...input, path: Object.fromEntries(Object.keys(path).map((name) => [name, id])) }
}

const oddParameters = [undefined, 0, -1, 101, 1.5, 'x', '', 1_000_000]

function withParameter({ query, ...input }: Input, { at }: Place): Input | undefined {
  if (!query) return undefined
  const [name = 'page'] = Object.keys(query).slice(at % Object.keys(query).length)
  const { [name]: _, ...others } = query
  const value = oddParameters[at % oddParameters.length]
  return { ...input, query: value === undefined ? others : { ...others, [name]: value } }
}

function withField(input: Input, { at, value }: Place): Input | undefined {
  const isNone = value === undefined || value === null
  const fields = Object.keys(fieldsOf(input.body)).filter((field) => isNone || !mayBeUnique.test(field))
  const field = fields[at % fields.length]
  return field === undefined ? undefined : withFields(input, { [field]: value })
}

/** A record of an earlier run may have a fixed value on the server, but not in the sandbox. */
const mayBeUnique = /^(?:email|phone|phoneNumber|sku|domain|uniqueName)$/

const withFields = (input: Input, fields: object): Input | undefined =>
  input.body ? { ...input, body: { ...input.body, ...fields } } : undefined
