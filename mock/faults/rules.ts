import { refuse } from '../control/refusals.ts'
import type { OperationId } from '../../spec/types.ts'

/** A rule that counts the requests it applies to. */
export interface Rule {
  readonly id: string
  readonly match: Match
  /** To how many requests it applies. */
  times: number
  /** How many requests it was about so far. */
  matched: number
  /** To how many of them it applied. */
  fired: number
}

/** More rules than a test needs; each one slows every request down. */
const mostRules = 1_000

/** Rules in the order of addition. Used rules stay in the list for a while. */
export class Rules<R extends Rule> {
  readonly #word: string
  readonly #all = new Map<string, R>()
  readonly #changed: () => void
  #added = 0

  constructor(word: string, changed: () => void) {
    this.#word = word
    this.#changed = changed
  }

  add(ruleOf: (id: string) => R): R {
    this.#makeRoom()
    const rule = ruleOf(`${this.#word}-${++this.#added}`)
    this.#all.set(rule.id, rule)
    this.#changed()
    return rule
  }

  get(id: string): R | undefined {
    return this.#all.get(id)
  }

  all(): readonly R[] {
    return [...this.#all.values()]
  }

  remove(rules: Iterable<R>): void {
    for (const { id } of rules) this.#all.delete(id)
    this.#changed()
  }

  /** Applies to no more requests. */
  useUp(rule: R): void {
    rule.times = rule.fired
    this.#changed()
  }

  hasLive(): boolean {
    return this.all().some(isLive)
  }

  /** Counts a request for every rule that it fits, and gives the first one that applies to it. */
  claim(input: MatchInput, mayApply: (rule: R) => boolean = () => true): R | undefined {
    const fitting = this.all().filter((rule) => isLive(rule) && mayApply(rule) && fits(rule.match, input))
    for (const rule of fitting) rule.matched++
    const claimed = fitting.find(({ match: { nth = 1 }, matched }) => matched >= nth)
    if (claimed) claimed.fired++
    if (claimed && !isLive(claimed)) this.#changed()
    return claimed
  }

  #makeRoom(): void {
    if (this.#all.size < mostRules) return
    const usedUp = this.all().find((rule) => !isLive(rule))
    if (!usedUp) refuse(`there are ${mostRules} ${this.#word}s already; remove those that are not needed any more`)
    this.#all.delete(usedUp.id)
  }
}

const isLive = ({ fired, times }: Rule) => fired < times

/** The requests that a fault or a gate applies to; without fields, every request. */
export interface Match {
  readonly operation?: OperationId | readonly OperationId[]
  /** The id of a team. */
  readonly team?: string
  /** Fields of the body, parameters of the path or of the query, with the values that they must have. */
  readonly where?: Readonly<Record<string, unknown>>
  /** Only from the nth of these requests on. */
  readonly nth?: number
}

/** A request, as far as it is known at the moment. */
export interface MatchInput {
  readonly operation: OperationId
  readonly team: string | undefined
  /** Where its fields are looked up, the first place first. */
  readonly fields: readonly unknown[]
}

export function fits({ operation, team, where = {} }: Match, input: MatchInput): boolean {
  if (operation !== undefined && ![operation].flat().includes(input.operation)) return false
  if (team !== undefined && team !== input.team) return false
  return Object.entries(where).every(([name, value]) => input.fields.some((fields) => holds(fields, name, value)))
}

function holds(fields: unknown, name: string, expected: unknown): boolean {
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, name)) return false
  return isLike((fields as Record<string, unknown>)[name], expected)
}

/** Whether a value is the expected one. Of an object only the expected fields count. */
function isLike(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected
  if (!Array.isArray(expected)) return Object.entries(expected).every(([name, part]) => holds(value, name, part))
  return (
    Array.isArray(value) && value.length === expected.length && expected.every((part, at) => isLike(value[at], part))
  )
}
