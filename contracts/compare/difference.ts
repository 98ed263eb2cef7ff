import { fieldsOf } from '../client/answer.ts'
import type { OperationId } from '../../spec/types.ts'
import type { TimeSeen } from './names.ts'
import type { Done, Trace } from './side.ts'
import { namesIn, type Step, type Steps } from './steps.ts'

/** The places where the responses to a step differ. */
export interface Difference {
  readonly n: number
  readonly operation: OperationId
  /** `status`, or a path into the body such as `data[0].name`. */
  readonly places: readonly Place[]
}

interface Place {
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

interface Traces {
  readonly server: Trace
  /** The same steps sent a second time: a response that differs is noise. */
  readonly again: Trace
  readonly sandbox: Trace
}

interface ComparingOptions {
  readonly known: readonly Known[]
  /** Whether the texts of messages count. */
  readonly wording: boolean
}

/** Returns the first step at which the sandbox differs from both results of the server. */
export function firstDifference(
  steps: Steps,
  traces: Traces,
  { known, wording }: ComparingOptions,
): Difference | undefined {
  const [toItself, toSandbox, doubtful] = [new Pairs(wording), new Pairs(wording), new Doubtful()]
  for (const step of steps) {
    const { n, operation } = step
    const [server, again, sandbox] = [traces.server.get(n), traces.again.get(n), traces.sandbox.get(n)]
    // The run ended here, or the step was not sent.
    if (!server || !again || !sandbox) continue
    const noise = toItself.compare(step, server, again)
    const places = toSandbox
      .compare(step, server, sandbox)
      .filter(({ path }) => !noise.some((one) => covers(one.path, path)))
    const isNoise =
      noise.some(({ path }) => path === 'status') || [server, again].some(({ outcome }) => outcome === 'unanswered')
    const difference = { n, operation, places }
    const isKnown = known.some((one) => isKnownAs(one, difference))
    const isNew = !isNoise && places.length > 0 && !doubtful.concerns(step)
    if (isNew && !isKnown) return difference
    if (isNoise || (isNew && isKnown)) doubtful.add(step)
  }
  return undefined
}

export function toKnown({ operation, places }: Difference): Known {
  return { operation, places: new Set(places.map(generalPlace)) }
}

/** Whether a difference has only the places of a known one. */
const isKnownAs = ({ operation, places }: Known, difference: Difference) =>
  difference.operation === operation && difference.places.every((place) => places.has(generalPlace(place)))

const generalPlace = ({ path, server, sandbox }: Place) =>
  path === 'status' ? `status ${String(server)} ${String(sandbox)}` : path.replaceAll(/\[\d+\]/g, '[]')

const covers = (outer: string, inner: string) =>
  outer === 'status' ||
  inner === outer ||
  inner.startsWith(`${outer}.`) ||
  inner.startsWith(`${outer}[`) ||
  outer.startsWith(inner)

/** Steps with responses that depend on a known difference: the search ignores them. */
class Doubtful {
  readonly #names = new Set<string>()
  readonly #lists = new Set<OperationId>()

  add(step: Step): void {
    for (const name of [...namesIn(step), `from ${step.n}`]) if (isOwn(name)) this.#names.add(originOf(name))
    if (step.operation.endsWith('Template')) this.#lists.add('listTemplates')
  }

  concerns(step: Step): boolean {
    return this.#lists.has(step.operation) || namesIn(step).some((name) => this.#names.has(originOf(name)))
  }
}

/** Whether two steps share this name only if they concern the same record or address. */
const isOwn = (name: string) => /^(from|email|phone|spaced|key|slug) /.test(name)

const originOf = (name: string) => name.replace(/^(from \d+) .*/, '$1').replace(/^spaced/, 'phone')

/** Compares responses of two sides, and requires that each id of one side corresponds to one id of the other. */
class Pairs {
  readonly #wording: boolean
  readonly #there = new Map<string, string>()
  readonly #back = new Map<string, string>()

  constructor(wording: boolean) {
    this.#wording = wording
  }

  compare({ operation }: Step, one: Done, other: Done): Place[] {
    if (one.outcome !== other.outcome) return [{ path: 'status', server: one.status, sandbox: other.status }]
    const status = one.status === other.status ? [] : [{ path: 'status', server: one.status, sandbox: other.status }]
    const [{ message, ...first }, { message: otherMessage, ...second }] = [fieldsOf(one.body), fieldsOf(other.body)]
    // A success and a refusal have no fields in common.
    if (status.length > 0 && one.status < 400 !== other.status < 400) return status
    const isBody = typeof one.body === 'object' && typeof other.body === 'object'
    const bodies = isBody ? this.#compareFields(first, second, '') : this.#compareValues(one.body, other.body, 'body')
    return [...status, ...this.#compareMessages(operation, message, otherMessage), ...bodies]
  }

  /** The specification promises no wording, except the count of deleted contacts. */
  #compareMessages(operation: OperationId, one: unknown, other: unknown): Place[] {
    const essence = (message: unknown) => {
      if (typeof message !== 'string' || this.#wording) return message
      return operation === 'deleteContactsByEmail' ? (/\d+/.exec(message)?.[0] ?? 'a text') : 'a text'
    }
    return essence(one) === essence(other) ? [] : [{ path: 'message', server: one, sandbox: other }]
  }

  #compareFields(one: object, other: object, path: string): Place[] {
    const [fields, others] = [fieldsOf(one), fieldsOf(other)]
    const names = new Set([...Object.keys(fields), ...Object.keys(others)])
    return [...names].sort().flatMap((name) => {
      const inside = path === '' ? name : `${path}.${name}`
      return this.#compareValues(fields[name], others[name], inside)
    })
  }

  #compareValues(one: unknown, other: unknown, path: string): Place[] {
    if (isId(one) && isId(other)) return this.#match(one.id, other.id) ? [] : [{ path, server: one, sandbox: other }]
    if (isTime(one) && isTime(other)) return isSameTime(one, other) ? [] : [{ path, server: one, sandbox: other }]
    if (Array.isArray(one) && Array.isArray(other)) return this.#compareItems(one, other, path)
    if (isFields(one) && isFields(other)) return this.#compareFields(one, other, path)
    return one === other ? [] : [{ path, server: one, sandbox: other }]
  }

  #compareItems(one: readonly unknown[], other: readonly unknown[], path: string): Place[] {
    const length = Math.max(one.length, other.length)
    const items = Array.from({ length }, (_, at) => this.#compareValues(one[at], other[at], `${path}[${at}]`))
    return items.flat()
  }

  #match(one: string, other: string): boolean {
    const [there, back] = [this.#there.get(one), this.#back.get(other)]
    if (there === undefined && back === undefined) {
      this.#there.set(one, other)
      this.#back.set(other, one)
      return true
    }
    return there === other && back === one
  }
}

const isFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isId(value) && !isTime(value)

const isId = (value: unknown): value is { id: string } => hasOnly(value, 'id')
const isTime = (value: unknown): value is TimeSeen => hasOnly(value, 'time')

const hasOnly = (value: unknown, name: string) =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).join() === name &&
  typeof fieldsOf(value)[name] === 'string'

const isSameTime = ({ time }: TimeSeen, { time: other }: TimeSeen) =>
  time === other || time === 'inexact' || other === 'inexact'
