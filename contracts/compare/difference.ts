import { fieldsOf } from '../client/answer.ts'
import type { OperationId } from '../../spec/types.ts'
import type { TimeSeen } from './names.ts'
import type { Done, Trace } from './side.ts'
import { namesIn, type Step, type Steps } from '../client/steps.ts'

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

interface Traces {
  readonly server: Trace
  /** The same steps sent a second time: a response that differs is noise. */
  readonly again: Trace
  readonly sandbox: Trace
}

interface ComparingOptions {
  /** Differences that are reported already or are noise, so that the search finds the next one. */
  readonly known: ReadonlySet<string>
  /** Whether the texts of messages count. */
  readonly wording: boolean
  /** The names of fields that do not count; `null` for each field that is null. */
  readonly ignored: readonly string[]
}

/** Returns the first step at which the sandbox differs from both results of the server. */
export function firstDifference(steps: Steps, traces: Traces, options: ComparingOptions): Difference | undefined {
  for (const { n, operation, places } of newDifferences(steps, traces, options))
    if (places.length > 0) return { n, operation, places }
  return undefined
}

/** Whether a step was compared, and shows no new difference. */
export const isSameAt = (n: number, steps: Steps, traces: Traces, options: ComparingOptions): boolean =>
  [...newDifferences(steps, traces, options)].some((one) => one.n === n && !one.isDoubtful && one.places.length === 0)

function* newDifferences(
  steps: Steps,
  traces: Traces,
  options: ComparingOptions,
): Generator<Difference & { readonly isDoubtful: boolean }> {
  const { known } = options
  const doubtful = new Doubtful()
  for (const { step, places: all, isNoise } of compareSteps(steps, traces, options)) {
    const { n, operation } = step
    const places = all.filter((place) => !(isOneSided(place) && known.has(kindOf(operation, place))))
    const isKnown = places.every((place) => known.has(kindOf(operation, place)) || known.has(placeOf(operation, place)))
    const isDoubtful = isNoise || doubtful.concerns(step)
    yield { n, operation, places: isDoubtful || isKnown ? [] : places, isDoubtful }
    if (isNoise || (!isDoubtful && isKnown && places.length > 0)) doubtful.add(step)
  }
}

/** A step with responses that differ, and the kinds of their differences, whether they are known or not. */
export interface StepKinds {
  readonly step: Step
  readonly kinds: readonly string[]
}

export function* kindsOfSteps(steps: Steps, traces: Traces, options: ComparingOptions): Generator<StepKinds> {
  for (const { step, places, isNoise } of compareSteps(steps, traces, options))
    if (!isNoise && places.length > 0) yield { step, kinds: kindsOf({ operation: step.operation, places }) }
}

interface ComparedStep {
  readonly step: Step
  readonly places: readonly Place[]
  readonly isNoise: boolean
}

function* compareSteps(steps: Steps, traces: Traces, { wording, ignored }: ComparingOptions): Generator<ComparedStep> {
  const [toItself, toSandbox] = [new Pairs(wording), new Pairs(wording)]
  for (const step of steps) {
    const { n } = step
    const [server, again, sandbox] = [traces.server.get(n), traces.again.get(n), traces.sandbox.get(n)]
    // The run ended here, or the step was not sent.
    if (!server || !again || !sandbox) continue
    const noise = toItself.compare(step, server, again)
    const places = toSandbox
      .compare(step, server, sandbox)
      .filter((place) => !noise.some((one) => covers(one.path, place.path)) && !isIgnored(place, ignored))
    const isNoise =
      noise.some(({ path }) => path === 'status') || [server, again].some(({ outcome }) => outcome === 'unanswered')
    yield { step, places, isNoise }
  }
}

const isIgnored = (place: Place, ignored: readonly string[]) =>
  ignored.includes(ignoredAs(place)) ||
  (!isStatus(place) && place.path.split(/[.[]/).some((name) => ignored.includes(name)))

/** A field that only one side shows is one kind of difference in all operations, and so is null in place of no field. */
function kindOf(operation: OperationId, place: Place): string {
  if (isFurtherField(place)) return `with ${ignoredAs(place)}`
  return isOneSided(place) ? `without ${fieldOf(place)}` : placeOf(operation, place)
}

export const kindsOf = ({ operation, places }: Pick<Difference, 'operation' | 'places'>): readonly string[] =>
  places.map((place) => kindOf(operation, place))

/** The places of a difference, for any item of a list. */
export const placesOf = ({ operation, places }: Difference): readonly string[] =>
  places.map((place) => placeOf(operation, place))

const placeOf = (operation: OperationId, place: Place) =>
  isStatus(place)
    ? `${operation} ${String(place.server)} ${String(place.sandbox)}`
    : `${operation} ${place.path.replaceAll(/\[\d+\]/g, '[]')}`

/** A body may have a field of this name. */
const isStatus = ({ path, server, sandbox }: Place) =>
  path === 'status' && typeof server === 'number' && typeof sandbox === 'number'

/** The name of the field; empty for an item of a list. */
const fieldOf = ({ path }: Place) => /[^.\]]*$/.exec(path)?.[0] ?? ''

/** Neither the status nor an item of a list. */
export const isField = (place: Place): boolean => !isStatus(place) && fieldOf(place) !== ''

const isOneSided = (place: Place) => isField(place) && (place.server === undefined || place.sandbox === undefined)

/** Whether only the server shows the field. */
export const isFurtherField = (place: Place): boolean => isOneSided(place) && place.sandbox === undefined

/** The part of a difference that is not in the rest, if the rest is a part of it and has only further fields. */
export function withoutFurtherFields(difference: Difference, rest: Difference): Difference | undefined {
  const paths = new Set(rest.places.map(({ path }) => path))
  const places = difference.places.filter(({ path }) => !paths.has(path))
  const isPart = rest.n === difference.n && places.length === difference.places.length - paths.size
  return isPart && places.length > 0 && rest.places.every(isFurtherField) ? { ...difference, places } : undefined
}

/** The name that `--ignore` takes to leave out a place. */
export const ignoredAs = (place: Place): string =>
  place.server === null && place.sandbox === undefined ? 'null' : fieldOf(place)

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
const isOwn = (name: string) => /^(from|phone|key|number) /.test(name)

const originOf = (name: string) => name.replace(/^(from \d+) .*/, '$1')

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
