import { fieldsOf } from '../../client/answer.ts'
import type { Difference } from './difference.ts'
import { isRecognizable } from './recognizable.ts'
import { namesIn, type Step, stepsBefore, type Walk } from './walk.ts'

/** A walk, and the difference that it ends with. */
export interface Found {
  readonly walk: Walk
  readonly difference: Difference
}

/** Takes a walk on both sides, and returns the first difference. */
type Try = (walk: Walk) => Promise<Difference | undefined>

/** How many walks are tried to shorten one. */
const mostTries = 120

/** Leaves out of a walk whatever its difference does not need: steps first, then fields. */
export async function shrink(found: Found, attempt: Try): Promise<Found> {
  return new Shrinker(attempt).shrink(found)
}

class Shrinker {
  readonly #attempt: Try
  #tries = 0

  constructor(attempt: Try) {
    this.#attempt = attempt
  }

  async shrink(found: Found): Promise<Found> {
    const begun = endAtDifference(found)
    const related =
      (await this.#tryWalk(findNeeded(begun), begun)) ?? (await this.#tryWalk(aboutTheSame(begun), begun)) ?? begun
    const parts = await this.#byParts(await this.#withSmallerPages(related))
    // The parts may have led to another list.
    const short = await this.#oneByOne(await this.#withSmallerPages(parts))
    // Without a field that names another record, that record is not needed either.
    return this.#oneByOne(await this.#withFewerFields(short))
  }

  /** Halves, quarters and so on, as long as the walk is long. */
  async #byParts(found: Found): Promise<Found> {
    let shortest = found
    for (let size = Math.ceil(found.walk.length / 2); size > 1; size = Math.ceil(size / 2)) {
      for (let from = shortest.walk.length - size; from > -size; from -= size) {
        const part = new Set(shortest.walk.slice(Math.max(from, 0), from + size).map(({ n }) => n))
        shortest = (await this.#tryWalk(without(shortest, part), shortest)) ?? shortest
      }
    }
    return shortest
  }

  /** So that fewer records are more than a page. */
  async #withSmallerPages(found: Found): Promise<Found> {
    const { n } = found.difference
    if (found.walk.at(-1)?.input.query?.limit === undefined) return found
    for (const limit of [1, 2, 3]) {
      const walk = found.walk.map((step) => (step.n === n ? withLimit(step, limit) : step))
      const other = await this.#tryWalk(walk, found, true)
      if (other) return other
    }
    return found
  }

  async #oneByOne(found: Found): Promise<Found> {
    for (const { n } of found.walk.toReversed()) {
      const shorter = await this.#tryWalk(without(found, new Set([n])), found)
      if (shorter) return this.#oneByOne(shorter)
    }
    return found
  }

  async #withFewerFields(found: Found): Promise<Found> {
    let simplest = found
    for (const { n } of found.walk) {
      for (const simplify of simplifications(found.walk.find((step) => step.n === n))) {
        const walk = simplest.walk.map((step) => (step.n === n ? simplify(step) : step))
        if (walk.some(hasLostItsMark(simplest.walk))) continue
        simplest = (await this.#tryWalk(walk, simplest, true)) ?? simplest
      }
    }
    return simplest
  }

  /** The shorter walk, if there is still a difference. */
  async #tryWalk(walk: Walk, { walk: before, difference }: Found, isAsLong = false): Promise<Found | undefined> {
    if (walk.length === 0 || (walk.length >= before.length && !isAsLong) || this.#tries >= mostTries) return undefined
    this.#tries++
    const other = await this.#attempt(walk)
    if (!other || (isAsLong && !isSameStep(other, difference))) return undefined
    return endAtDifference({ walk, difference: other })
  }
}

/** Whether a step makes something that can no longer be recognized. */
const hasLostItsMark = (before: Walk) => (step: Step, at: number) =>
  !isRecognizable(step.operation, step.input) && isRecognizable(step.operation, before[at]?.input ?? step.input)

/** With the same kind of difference: another might be one that fewer fields have made. */
function isSameStep(one: Difference, other: Difference): boolean {
  const isStatus = ({ places }: Difference) => places.some(({ path }) => path === 'status')
  return one.n === other.n && isStatus(one) === isStatus(other)
}

function withLimit(step: Step, limit: number): Step {
  const { query } = step.input
  return typeof query?.limit === 'number' && query.limit > limit
    ? { ...step, input: { ...step.input, query: { ...query, limit } } }
    : step
}

function endAtDifference({ walk, difference }: Found): Found {
  return { walk: walk.slice(0, walk.findIndex(({ n }) => n === difference.n) + 1), difference }
}

/** The last step, and those whose answers it takes something from. */
function findNeeded({ walk, difference }: Found): Walk {
  const wanted = new Set([difference.n])
  for (const step of walk.toReversed()) if (wanted.has(step.n)) for (const n of stepsBefore(step)) wanted.add(n)
  return walk.filter(({ n }) => wanted.has(n))
}

/** Besides these, the steps that name something which they name too. */
function aboutTheSame(found: Found): Walk {
  const names = new Set(findNeeded(found).flatMap((step) => [...namesIn(step), `from ${step.n}`].map(originOf)))
  const wanted = new Set(
    found.walk.filter((step) => namesIn(step).some((name) => names.has(originOf(name)))).map(({ n }) => n),
  )
  for (const step of found.walk.toReversed()) if (wanted.has(step.n)) for (const n of stepsBefore(step)) wanted.add(n)
  return found.walk.filter(({ n }) => wanted.has(n) || n === found.difference.n)
}

const originOf = (name: string) => name.replace(/^(from \d+) .*/, '$1')

/** Without some steps, and without those that take something from their answers. */
function without({ walk, difference }: Found, left: ReadonlySet<number>): Walk {
  const gone = new Set(left)
  for (const step of walk) if (stepsBefore(step).some((n) => gone.has(n))) gone.add(step.n)
  return gone.has(difference.n) ? [] : walk.filter(({ n }) => !gone.has(n))
}

/** Ways to make a step simpler. */
function simplifications(step: Step | undefined): ((step: Step) => Step)[] {
  if (!step) return []
  const { body, key, query } = step.input
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : []
  return [
    ...(key === undefined ? [] : [(one: Step) => ({ ...one, input: leaveOut(one.input, 'key') })]),
    ...fields.map((name) => (one: Step) => ({
      ...one,
      input: { ...one.input, body: leaveOut(fieldsOf(one.input.body), name) },
    })),
    ...Object.keys(query ?? {}).map((name) => (one: Step) => ({
      ...one,
      input: { ...one.input, query: leaveOut(one.input.query ?? {}, name) },
    })),
  ]
}

function leaveOut<Fields extends object>(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name)) as Fields
}
