import { fieldsOf } from '../../client/answer.ts'
import { makes } from '../../client/kinds.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { isRecognizable, type Plan, type StepInput } from './plan.ts'

interface Sending {
  readonly operation: OperationId
  readonly input: StepInput
  readonly plan: Plan
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

export const withKey: Twist = ({ operation, input, plan }) => ({
  input: operations[operation].takesIdempotencyKey ? { ...input, key: plan.mint.key() } : input,
  isGood: true,
})

/** Sends the key of an earlier request of the story. */
const withUsedKey: Twist = ({ operation, input, key }) =>
  key === undefined || !operations[operation].takesIdempotencyKey
    ? { input, isGood: true }
    : { input: { ...input, key }, isGood: false }

/** Only the team creates records, since only its key deletes them, and lists templates, since the sandbox has those alone. */
export const byCaller =
  (caller: 'otherTeam' | 'admin' | 'agent'): Twist =>
  ({ operation, input, plan }) =>
    makes[operation] || !plan.target.credentials[caller] || (operation === 'listTemplates' && caller === 'otherTeam')
      ? { input, isGood: true }
      : { input: { ...input, caller }, isGood: caller === 'admin' }

const withMistake: Twist = (sending) => {
  const { operation, input, plan } = sending
  const wrong = plan.pick(mistakes(sending))()
  return isRecognizable(operation, wrong) ? { input: wrong, isGood: false } : { input, isGood: true }
}

export function pickTwist(plan: Plan): Twist {
  return plan.pickWeighted([
    [82, plain],
    [8, withKey],
    [2, withUsedKey],
    [3, byCaller(plan.pick(['otherTeam', 'otherTeam', 'admin', 'agent']))],
    [5, withMistake],
  ])
}

/** A fixed value may be taken on the server, which has the records of earlier runs, and free in the sandbox. */
const mayBeUnique = /^(?:email|phone|phoneNumber|sku|domain|uniqueName)$/

const wrongValues = [undefined, undefined, null, '', 7, -7, true, [], {}, 'pigeon']
const wrongParameters = [undefined, 0, -1, 101, 1.5, 'x', '', 'pigeon', 1_000_000]
const wrongTexts = ['{"name": ', '[]', '"text"', 'null', '']

/** Requests with one mistake; a mistake that occurs several times is more likely. */
function mistakes({ operation, input, plan }: Sending): readonly (() => StepInput)[] {
  const { method, takesIdempotencyKey } = operations[operation]
  const { path = {}, query = {}, body, fields: _, key: __, ...rest } = input
  const withId = (id: string) => () => ({
    ...input,
    path: Object.fromEntries(Object.keys(path).map((name) => [name, id])),
  })
  const withFields = (added: () => object) => () => ({ ...input, body: { ...fieldsOf(body), ...added() } })
  const withWrongValue = withFields(() => {
    const value = plan.pick(wrongValues)
    const names = Object.keys(fieldsOf(body)).filter(
      (name) => value === undefined || value === null || !mayBeUnique.test(name),
    )
    return names.length === 0 ? {} : { [plan.pick(names)]: value }
  })
  const withWrongParameter = () => {
    const value = plan.pick(wrongParameters)
    const names = Object.keys(query)
    const name = names.length === 0 ? 'page' : plan.pick(names)
    const { [name]: ___, ...others } = query
    return { ...input, query: value === undefined ? others : { ...others, [name]: value } }
  }
  const withoutBody = { ...rest, path, query }
  return [
    () => ({ ...input, caller: 'nobody' }),
    () => ({ ...input, caller: { key: plan.mint.key().replaceAll(/[«» ]/g, '-') } }),
    () => ({ ...input, hasSlash: true }),
    () => ({ ...input, query: { ...query, pigeon: 'grey' } }),
    ...(input.path ? [withId(plan.mint.unknownId()), withId(plan.mint.unknownId()), withId('not an id')] : []),
    ...(input.query ? Array.from({ length: 4 }, () => withWrongParameter) : []),
    ...(body === undefined
      ? []
      : [
          ...Array.from({ length: 8 }, () => withWrongValue),
          withFields(() => ({ pigeon: plan.mint.name('grey') })),
          withFields(() => ({ _id: plan.mint.unknownId() })),
          () => ({ ...withoutBody, text: plan.pick(wrongTexts) }),
          () => withoutBody,
          () => ({ ...withoutBody, text: JSON.stringify(body), contentType: 'text/plain' }),
          () => ({ ...input, contentType: null }),
        ]),
    ...(method === 'get' ? [] : [() => ({ ...withoutBody, method: 'GET' as const })]),
    ...(takesIdempotencyKey ? [() => ({ ...input, key: plan.pick(['', 'k'.repeat(256)]) })] : []),
  ]
}
