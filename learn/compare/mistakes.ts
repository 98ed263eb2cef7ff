import { fieldsOf } from '../../client/answer.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { isRecognizable } from './recognizable.ts'
import type { StepInput } from './walk.ts'
import type { Walker } from './walker.ts'

type Spoil = (walker: Walker, input: StepInput) => StepInput | undefined

/** A good request with something wrong in it, or merely unusual. */
export function spoil(walker: Walker, operation: OperationId, input: StepInput): StepInput {
  const { method, takesIdempotencyKey } = operations[operation]
  const ways: Spoil[] = [
    ...anywhere,
    ...(input.path ? inPath : []),
    ...(input.query ? [...inQuery, ...inQuery] : []),
    ...(input.body === undefined ? [] : [...inBody, ...inBody, ...ofBody]),
    ...(method === 'get' ? [] : [wrongMethod]),
    ...(takesIdempotencyKey ? [badKey] : []),
  ]
  const spoiled = walker.anyOf(ways)(walker, input) ?? input
  return isRecognizable(operation, spoiled) ? spoiled : input
}

const anywhere: readonly Spoil[] = [
  (_, input) => ({ ...input, caller: 'nobody' }),
  (walker, input) => ({ ...input, caller: { key: walker.mint.key().replaceAll(/[«» ]/g, '-') } }),
  (_, input) => ({ ...input, hasSlash: true }),
  (_, input) => ({ ...input, query: { ...input.query, pigeon: 'grey' } }),
]

const wrongMethod: Spoil = (_, { body, fields, key, ...input }) => ({ ...input, method: 'GET' })

const badKey: Spoil = (walker, input) => ({ ...input, key: walker.oneOf(['', 'k'.repeat(256)]) })

const inPath: readonly Spoil[] = [
  (walker, input) => withId(input, walker.mint.unknownId()),
  (walker, input) => withId(input, walker.mint.unknownId()),
  (_, input) => withId(input, 'not an id'),
]

function withId({ path = {}, ...input }: StepInput, id: string): StepInput {
  return { ...input, path: Object.fromEntries(Object.keys(path).map((name) => [name, id])) }
}

const inQuery: readonly Spoil[] = [
  (walker, input) => withParameter(walker, input, walker.oneOf([0, -1, 101, 1.5, 'x', ''])),
  (walker, input) => withParameter(walker, input, walker.oneOf(['pigeon', 1_000_000])),
  (walker, { query = {}, ...input }) => {
    const left = walker.oneOf(Object.keys(query).length === 0 ? ['page'] : Object.keys(query))
    return { ...input, query: Object.fromEntries(Object.entries(query).filter(([name]) => name !== left)) }
  },
]

function withParameter(walker: Walker, { query = {}, ...input }: StepInput, value: string | number): StepInput {
  const name = walker.oneOf(Object.keys(query).length === 0 ? ['page'] : Object.keys(query))
  return { ...input, query: { ...query, [name]: value } }
}

const inBody: readonly Spoil[] = [
  (walker, input) => withField(walker, input, undefined),
  (walker, input) => withField(walker, input, undefined),
  (walker, input) => withField(walker, input, null),
  (walker, input) => withField(walker, input, ''),
  (walker, input) => withField(walker, input, walker.anyOf<unknown>([7, -7, true, [], {}, 'pigeon'])),
  (walker, input) => ({ ...input, body: { ...fieldsOf(input.body), pigeon: walker.mint.name('grey') } }),
  (walker, input) => ({ ...input, body: { ...fieldsOf(input.body), _id: walker.mint.unknownId() } }),
]

function withField(walker: Walker, input: StepInput, value: unknown): StepInput {
  const isNone = value === undefined || value === null
  const fields = Object.keys(fieldsOf(input.body)).filter((field) => isNone || !mayBeUnique.test(field))
  return fields.length === 0 ? input : { ...input, body: { ...fieldsOf(input.body), [walker.oneOf(fields)]: value } }
}

/** What is not minted may be taken when it comes again: the server keeps the records of earlier walks, and the twin does not. */
const mayBeUnique = /^(?:email|phone|phoneNumber|sku|domain|uniqueName)$/

const ofBody: readonly Spoil[] = [
  (walker, { body, ...input }) => ({ ...input, text: walker.oneOf(['{"name": ', '[]', '"text"', 'null', '']) }),
  (_, { body, ...input }) => input,
  (_, { body, ...input }) => ({ ...input, text: JSON.stringify(body), contentType: 'text/plain' }),
  (_, input) => ({ ...input, contentType: null }),
]
