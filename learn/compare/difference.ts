import { fieldsOf } from '../../client/answer.ts'
import type { OperationId } from '../../spec/types.ts'
import { namesIn, type TimeSeen } from './names.ts'
import type { Step } from './plan.ts'
import type { Result } from './side.ts'

/** The places where the responses to a step differ. */
export interface Difference {
  readonly n: number
  readonly operation: OperationId
  readonly places: readonly Place[]
}

interface Place {
  /** `status`, or a path into the body such as `data[0].name`. */
  readonly path: string
  readonly server: unknown
  readonly sandbox: unknown
}

/** A difference that is reported already or is noise, so that the search finds the next one. */
export interface Known {
  readonly operation: OperationId
  /** The places, for any item of a list. */
  readonly places: ReadonlySet<string>
}

interface ResultsOfStep {
  readonly server: Result | undefined
  /** The same step sent to the server a second time: what differs then is noise. */
  readonly again: Result | undefined
  readonly sandbox: Result
}

/** Returns a function that compares the results of one step after the other. */
export function compareSteps(known: readonly Known[], hasWording: boolean) {
  const toItself = new Pairs(hasWording)
  const toSandbox = new Pairs(hasWording)
  /** Names and lists that depend on a known difference or on noise. */
  const doubtful = new Set<string>()
  const addDoubt = (step: Step) => {
    for (const name of ownNames(step)) doubtful.add(name)
    if (step.operation.endsWith('Template')) doubtful.add('listTemplates')
  }
  return (step: Step, { server, again, sandbox }: ResultsOfStep): Difference | undefined => {
    if (!server || !again) return undefined
    const noise = toItself.compare(step, server, again)
    const isNoisy =
      noise.some(({ path }) => path === 'status') || [server, again].some((one) => one.outcome === 'unanswered')
    const places = toSandbox
      .compare(step, server, sandbox)
      .filter(({ path }) => !noise.some((one) => covers(one.path, path)))
    const isDoubtful = doubtful.has(step.operation) || ownNames(step).some((name) => doubtful.has(name))
    if (isNoisy) addDoubt(step)
    if (isNoisy || places.length === 0 || isDoubtful) return undefined
    const difference = { n: step.n, operation: step.operation, places }
    if (!known.some((one) => isKnown(difference, one))) return difference
    addDoubt(step)
    return undefined
  }
}

export const toKnown = ({ operation, places }: Difference): Known => ({
  operation,
  places: new Set(places.map(generalPlace)),
})

/** Whether a difference has only the places of a known one. */
const isKnown = (difference: Difference, { operation, places }: Known) =>
  difference.operation === operation && difference.places.every((place) => places.has(generalPlace(place)))

export const isSimilar = (one: Difference, other: Difference) =>
  one.operation === other.operation && one.places.some((place) => toKnown(other).places.has(generalPlace(place)))

const generalPlace = ({ path, server, sandbox }: Place) =>
  path === 'status' ? `status ${String(server)} ${String(sandbox)}` : path.replaceAll(/\[\d+\]/g, '[]')

const covers = (outer: string, inner: string) =>
  outer === 'status' ||
  inner === outer ||
  inner.startsWith(`${outer}.`) ||
  inner.startsWith(`${outer}[`) ||
  outer.startsWith(inner)

/** Returns the names of records and addresses in a step, which it shares with the steps about the same records. */
export const ownNames = (step: Step): string[] =>
  [...namesIn(step), `from ${step.n}`]
    .filter((name) => /^(from|email|phone|spaced|key|slug) /.test(name))
    .map((name) => name.replace(/^(from \d+) .*/, '$1').replace(/^spaced/, 'phone'))

/** Compares responses of two sides, and requires that each id of one side corresponds to one id of the other. */
class Pairs {
  readonly #hasWording: boolean
  readonly #there = new Map<string, string>()
  readonly #back = new Map<string, string>()

  constructor(hasWording: boolean) {
    this.#hasWording = hasWording
  }

  compare({ operation }: Step, one: Result, other: Result): Place[] {
    const status = [{ path: 'status', server: one.status, sandbox: other.status }]
    // A success and a refusal have no fields in common.
    if (one.outcome !== other.outcome || one.status < 400 !== other.status < 400) return status
    const isBody = typeof one.body === 'object' && typeof other.body === 'object'
    const [{ message, ...first }, { message: otherMessage, ...second }] = [fieldsOf(one.body), fieldsOf(other.body)]
    const isSameMessage = this.#essence(operation, message) === this.#essence(operation, otherMessage)
    return [
      ...(one.status === other.status ? [] : status),
      ...(isSameMessage ? [] : [{ path: 'message', server: message, sandbox: otherMessage }]),
      ...(isBody ? this.#compareFields(first, second, '') : this.#compareValues(one.body, other.body, 'body')),
    ]
  }

  /** The specification promises no wording, except the count of deleted contacts. */
  #essence(operation: OperationId, message: unknown): unknown {
    if (typeof message !== 'string' || this.#hasWording) return message
    return operation === 'deleteContactsByEmail' ? (/\d+/.exec(message)?.[0] ?? 'a text') : 'a text'
  }

  #compareFields(one: object, other: object, path: string): Place[] {
    const [fields, others] = [fieldsOf(one), fieldsOf(other)]
    const names = new Set([...Object.keys(fields), ...Object.keys(others)])
    return [...names]
      .sort()
      .flatMap((name) => this.#compareValues(fields[name], others[name], path === '' ? name : `${path}.${name}`))
  }

  #compareValues(one: unknown, other: unknown, path: string): Place[] {
    if (Array.isArray(one) && Array.isArray(other)) {
      const length = Math.max(one.length, other.length)
      return Array.from({ length }, (_, at) => this.#compareValues(one[at], other[at], `${path}[${at}]`)).flat()
    }
    if (isFields(one) && isFields(other)) return this.#compareFields(one, other, path)
    return this.#isSame(one, other) ? [] : [{ path, server: one, sandbox: other }]
  }

  #isSame(one: unknown, other: unknown): boolean {
    if (isId(one) && isId(other)) return this.#match(one.id, other.id)
    if (isTime(one) && isTime(other)) return one.time === other.time || [one.time, other.time].includes('inexact')
    return one === other
  }

  #match(one: string, other: string): boolean {
    const [there, back] = [this.#there.get(one), this.#back.get(other)]
    if (there !== undefined || back !== undefined) return there === other && back === one
    this.#there.set(one, other)
    this.#back.set(other, one)
    return true
  }
}

const isFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isId(value) && !isTime(value)

const isId = (value: unknown): value is { id: string } => hasOnly(value, 'id')
const isTime = (value: unknown): value is TimeSeen => hasOnly(value, 'time')

const hasOnly = (value: unknown, name: string) =>
  typeof value === 'object' && Object.keys(fieldsOf(value)).join() === name && typeof fieldsOf(value)[name] === 'string'
