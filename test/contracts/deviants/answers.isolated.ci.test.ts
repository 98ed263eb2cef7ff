import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StartedTarget } from '../../../contracts/index.ts'
import type { Outcome } from '../../../contracts/judge/outcome.ts'
import { isSelected } from '../../../contracts/selection.ts'
import type { Incoming, Send } from '../../../contracts/client/transport.ts'
import { startOwnTarget } from '../../../cli/own-target.ts'
import { operations } from '../../../spec/operations.ts'
import { promise, promises, type PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { inTier, sampleOf } from '../../tier.ts'
import { operationAsked } from './deviant.ts'
import { brokenIn, checked, resultsOf, send } from './suite.ts'

// A server that does everything right except for one thing in the answers of one operation. A check about that
// operation has to notice.

let own: StartedTarget
const ids = Object.values(operations).map(({ id }) => id)
const samples = new Map<OperationId, Incoming[]>()

/** A correct server never fails, so the text of a failure is never seen. */
const usual: Readonly<Partial<Record<PromiseId, Outcome>>> = { 'error.serverErrorText': 'inconclusive' }

beforeAll(async () => {
  own = await startOwnTarget()
  const sampled: Send = async (request, timeout) => {
    const answer = await send(request, timeout)
    const operation = operationAsked(request)
    if (operation) samples.set(operation, [...(samples.get(operation) ?? []), answer])
    return answer
  }
  for await (const { promise, outcome, reason } of resultsOf(checked, own, sampled))
    expect({ promise, outcome, reason }).toMatchObject({ outcome: usual[promise] ?? 'kept' })
})

afterAll(async () => {
  await own.stop()
})

describe('Every change of an answer', () => {
  it.each(sampleOf(ids, inTier({ test: 1, nightly: ids.length })))('of %s is noticed', async (operation) => {
    const all = changesOf(operation, samples.get(operation) ?? [])
    const changes = sampleOf(all, inTier({ test: 40, nightly: all.length }))
    const survivors: string[] = []
    for (const change of changes) if (!(await isNoticed(operation, change))) survivors.push(change.name)
    if (survivors.length > 0) console.log(`${operation}: not noticed of ${changes.length}:`, survivors)
    expect(changes.length).toBeGreaterThan(30)
    expect(survivors.length / changes.length).toBeLessThanOrEqual(0.02)
  })
})

/** Whether a check reports a broken promise about this operation. */
async function isNoticed(operation: OperationId, { apply }: Change): Promise<boolean> {
  const changed: Send = async (request, timeout) => {
    const answer = await send(request, timeout)
    return operationAsked(request) === operation ? (apply(answer) ?? answer) : answer
  }
  const concerned = (id: PromiseId) => isSelected(promise(id), { only: [], operations: [operation] })
  for await (const result of resultsOf(checked.filter(concerned), own, changed)) {
    if (brokenIn(result).some(concerned)) return true
  }
  return false
}

/** A change of answers; `apply` returns nothing for an answer that it leaves as it is. */
interface Change {
  readonly name: string
  readonly apply: (answer: Incoming) => Incoming | undefined
}

/** Every change of the answers of an operation that contradicts its documentation. */
function changesOf(operation: OperationId, samples: readonly Incoming[]): readonly Change[] {
  const successes = samples.filter(({ status }) => status < 400)
  const refusals = [400, 401, 404].filter((status) => samples.some((sample) => sample.status === status))
  return [
    ...unique(successes.map(({ status }) => status)).flatMap(otherStatuses),
    ...writing('a success', isSuccess),
    ...envelopeOf(operation, successes),
    ...fieldsOf(operation, successes),
    ...refusals.flatMap(refusalsWith),
  ]
}

const isSuccess = ({ status }: Incoming) => status < 400

const otherStatuses = (status: number): Change[] =>
  [status === 200 ? 201 : 200, 202, 302].map((other) => ({
    name: `${status} becomes ${other}`,
    apply: (answer) => (answer.status === status ? { ...answer, status: other } : undefined),
  }))

function writing(what: string, concerns: (answer: Incoming) => boolean): Change[] {
  const html = { ...{ status: 200 }, headers: { 'content-type': 'text/html' }, text: '<html><body>Oops</body></html>' }
  const ways: Readonly<Record<string, (answer: Incoming) => Incoming>> = {
    'is a page of HTML': ({ status }) => ({ ...html, status }),
    'says that it is text': (answer) => ({ ...answer, headers: { 'content-type': 'text/plain' } }),
    'breaks off': (answer) => ({ ...answer, text: answer.text.slice(0, -2) }),
    'is empty': (answer) => ({ ...answer, text: '' }),
  }
  return Object.entries(ways).map(([way, apply]) => ({
    name: `${what} ${way}`,
    apply: (answer) => (concerns(answer) ? apply(answer) : undefined),
  }))
}

type Json = Record<string, unknown>

/** A change of the JSON of some answers. */
function rewriting(name: string, concerns: (answer: Incoming) => boolean, rewrite: (body: Json) => Json): Change {
  return {
    name,
    apply: (answer) => {
      if (!concerns(answer)) return undefined
      const before = JSON.parse(answer.text) as Json
      const text = JSON.stringify(rewrite(structuredClone(before)))
      return text === answer.text ? undefined : { ...answer, text }
    },
  }
}

/** Replaces fields of the envelope; an undefined field is missing. */
const replacing = (concerns: (answer: Incoming) => boolean, status: string) => (fields: Json) =>
  rewriting(`${status}: ${JSON.stringify(fields, (_, value: unknown) => value ?? 'missing')}`, concerns, (body) => ({
    ...body,
    ...fields,
  }))

function envelopeOf(operation: OperationId, successes: readonly Incoming[]): Change[] {
  const { data, pagination } = JSON.parse(successes[0]?.text ?? '{}') as Json
  const changed = replacing(isSuccess, 'a success')
  const rewritten = (name: string, rewrite: (body: Json) => Json) => rewriting(name, isSuccess, rewrite)
  const needsData = breaksTheDocument(operation, successes, [changed({ data: undefined })])
  const envelopes: Json[] = [{ success: false }, { success: 'true' }, { message: 7 }, { meta: 'meta' }]
  if (data === undefined) envelopes.push({ success: undefined }, { message: undefined }, { data: { _id: '1' } })
  else envelopes.push({ data: 'data' })
  if (needsData) envelopes.push({ data: undefined }, { data: null })
  if (pagination !== undefined) envelopes.push({ pagination: undefined })
  return [
    ...envelopes.map(changed),
    ...(data === undefined
      ? []
      : [rewritten('data is a list, or no list', (body) => ({ ...body, data: turned(body.data) }))]),
    ...(needsData
      ? [rewritten('the fields of data are beside it', ({ data, ...body }) => ({ ...body, ...(data as Json) }))]
      : []),
    ...(pagination === undefined
      ? []
      : [
          rewritten('pagination is in data', ({ pagination, data, ...body }) => ({
            ...body,
            data: { data, pagination },
          })),
        ]),
  ]
}

const turned = (data: unknown) => (Array.isArray(data) ? (data[0] ?? {}) : [data])

function refusalsWith(status: number): Change[] {
  const concerns = (answer: Incoming) => answer.status === status
  const withStatus = (other: number): Change => ({
    name: `${status} becomes ${other}`,
    apply: (answer) => (concerns(answer) ? { ...answer, status: other } : undefined),
  })
  const envelopes: Json[] = [
    { success: undefined },
    { success: true },
    { success: 'false' },
    { message: undefined },
    { message: 7 },
    { message: '' },
    { message: status === 404 ? 'Unauthorized' : 'Resource not found' },
    { data: { _id: '1' } },
  ]
  return [
    ...[200, 500, { 400: 422, 401: 403, 404: 410 }[status] ?? 418, ...(status === 404 ? [403] : [])].map(withStatus),
    ...writing(`a ${status}`, concerns),
    ...envelopes.map(replacing(concerns, String(status))),
  ]
}

/** Replaces a value; the others are values of the same field. */
type Way = (value: unknown, others: readonly unknown[]) => unknown
const dropped = Symbol('dropped')

const ways: Readonly<Record<string, Way>> = {
  'is missing': () => dropped,
  'is null': () => null,
  'has another type': (value) => (typeof value === 'string' ? 7 : typeof value === 'number' ? String(value) : 'text'),
  'is that of another record': (value, others) =>
    others.find((other) => JSON.stringify(other) !== JSON.stringify(value)),
  'is another': anotherValue,
}

function anotherValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : ['one more']
  if (typeof value !== 'string') return undefined
  return isTime(value) ? new Date(Date.parse(value) - twoDays).toISOString() : `${value}x`
}

/** One day is not enough: in some time zone the date may be the same. */
const twoDays = 2 * 86_400_000

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT/.test(text)

/** A path into JSON; `[]` means every item of a list. */
type Path = readonly string[]

/** A server may drop custom fields without a definition. */
const mayBe = (path: Path, wayName: string) =>
  path.at(-1) === 'additionalFields' && ['is missing', 'is null'].includes(wayName)

/** Fields that may be missing are left out, since what they show is left open. */
function fieldsOf(operation: OperationId, successes: readonly Incoming[]): Change[] {
  const bodies = successes.map(({ text }) => JSON.parse(text) as Json)
  const paths = new Map(
    bodies.flatMap(({ data, pagination }) => pathsIn({ data, pagination })).map((path) => [nameOf(path), path]),
  )
  return [...paths].flatMap(([name, path]) => {
    const known = bodies.flatMap((body) => valuesAt(body, path))
    const applicable = Object.entries(ways).filter(
      ([wayName, way]) => !mayBe(path, wayName) && known.some((value) => way(value, known) !== undefined),
    )
    const changes = applicable.map(([wayName, way]) =>
      rewriting(`${name} ${wayName}`, isSuccess, (body) => {
        replaceAt(body, path, (value) => way(value, known))
        return body
      }),
    )
    return isPromised(operation, path) || breaksTheDocument(operation, successes, changes) ? changes : []
  })
}

/** Whether a promise about what this operation shows names the field. */
function isPromised(operation: OperationId, path: Path): boolean {
  const [field = ''] = path.slice(-1)
  return promises.some((entry) => {
    const isShown = !/takes|requires|refuse/i.test(entry.id)
    return isShown && isSelected(entry, { only: [], operations: [operation] }) && entry.fields?.includes(field) === true
  })
}

/** Whether the document requires the field, which is missing after the first of these changes. */
function breaksTheDocument(operation: OperationId, successes: readonly Incoming[], [missing]: Change[]): boolean {
  return successes.some((success) => {
    const changed = missing?.apply(success)
    return changed && operations[operation].response(changed.status)?.check(JSON.parse(changed.text)) !== undefined
  })
}

const nameOf = (path: Path) => path.join('.').replaceAll('.[]', '[]')

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return []
  const steps = Array.isArray(value)
    ? value.map((item: unknown) => ['[]', item] as const)
    : Object.entries(value).filter(([, field]) => field !== undefined)
  return steps.flatMap(([step, inside]) => [
    ...(step === '[]' || path.length === 0 ? [] : [[...path, step]]),
    ...pathsIn(inside, [...path, step]),
  ])
}

function valuesAt(value: unknown, [step, ...rest]: Path): unknown[] {
  if (step === undefined) return value === undefined ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return step === '[]'
    ? Object.values(value).flatMap((item) => valuesAt(item, rest))
    : valuesAt((value as Json)[step], rest)
}

function replaceAt(value: unknown, [step = '', ...rest]: Path, by: (value: unknown) => unknown): void {
  if (typeof value !== 'object' || value === null) return
  const inside = value as Json
  const names = step === '[]' ? Object.keys(inside) : Object.hasOwn(inside, step) ? [step] : []
  for (const name of names) {
    if (rest.length > 0) replaceAt(inside[name], rest, by)
    else {
      const other = by(inside[name])
      if (other === dropped) Reflect.deleteProperty(inside, name)
      else if (other !== undefined) inside[name] = other
    }
  }
}

const unique = <Value>(values: readonly Value[]) => [...new Set(values)]
