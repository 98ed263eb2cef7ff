import { NotFound, refuse } from '../control/refusals.ts'
import type { OperationId } from '../../spec/types.ts'

/** A rule that counts the requests it applies to. */
export interface Rule {
  readonly id: string
  readonly match: Match
  /** How many requests it applies to. */
  times: number
  /** How many requests matched so far. */
  matched: number
  /** How many of them it applied to. */
  fired: number
}

/** More than a test needs; each rule slows every request down. */
const mostRules = 1_000

/** Rules in the order of addition. Used rules stay in the list for a while. */
export abstract class Rules<R extends Rule> {
  protected abstract readonly word: string
  readonly #all = new Map<string, R>()
  #added = 0

  all(): readonly R[] {
    return [...this.#all.values()]
  }

  get(id: string): R {
    const rule = this.#all.get(id)
    if (!rule) throw new NotFound()
    return rule
  }

  hasLive(): boolean {
    for (const rule of this.#all.values()) if (isLive(rule)) return true
    return false
  }

  add(rule: Omit<R, 'id' | 'matched' | 'fired'>): R {
    if (this.#all.size >= mostRules) this.#dropUsed()
    const added = { ...rule, id: `${this.word}-${++this.#added}`, matched: 0, fired: 0 } as R
    this.#all.set(added.id, added)
    return added
  }

  remove(id: string): void {
    this.delete([this.get(id)])
  }

  protected delete(rules: Iterable<R>): void {
    for (const { id } of rules) this.#all.delete(id)
  }

  /** Counts a request for every rule that it matches, and returns the first rule that applies to it. */
  protected claim(input: MatchInput, mayApply: (rule: R) => boolean = () => true): R | undefined {
    const matching = this.all().filter((rule) => isLive(rule) && mayApply(rule) && matches(rule.match, input))
    for (const rule of matching) rule.matched++
    const claimed = matching.find(({ match: { nth = 1 }, matched }) => matched >= nth)
    if (claimed) claimed.fired++
    return claimed
  }

  #dropUsed(): void {
    const used = this.all().find((rule) => !isLive(rule))
    if (!used) refuse(`there are ${mostRules} ${this.word}s already; remove those that are not needed any more`)
    this.#all.delete(used.id)
  }
}

const isLive = ({ fired, times }: Rule) => fired < times

/** The requests that a fault or a gate applies to; without fields, every request. */
export interface Match {
  readonly operation?: OperationId | readonly OperationId[]
  /** The id of a team. */
  readonly team?: string
  /** Fields of the body, the path or the query, with the values that they must have. */
  readonly where?: Readonly<Record<string, unknown>>
  /** Only from the nth of these requests on. */
  readonly nth?: number
}

/** The known facts of a request in some phase. */
export interface MatchInput {
  readonly operation: OperationId
  readonly team: string | undefined
  /** The body, the path parameters and the query. */
  readonly fields: readonly unknown[]
}

function matches({ operation, team, where = {} }: Match, input: MatchInput): boolean {
  if (operation !== undefined && ![operation].flat().includes(input.operation)) return false
  if (team !== undefined && team !== input.team) return false
  return Object.entries(where).every(([name, value]) => input.fields.some((fields) => holds(fields, name, value)))
}

function holds(fields: unknown, name: string, expected: unknown): boolean {
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, name)) return false
  return isLike((fields as Record<string, unknown>)[name], expected)
}

/** Of an object only the expected fields count. */
function isLike(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected
  if (!Array.isArray(expected)) return Object.entries(expected).every(([name, part]) => holds(value, name, part))
  return (
    Array.isArray(value) && value.length === expected.length && expected.every((part, at) => isLike(value[at], part))
  )
}
