import { refuse } from '../control/refusals.ts'
import { fits, type Match, type Met } from './match.ts'

/** A rule about some requests, which counts them. */
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

/** More rules than a test needs; each costs something at each request. */
const mostRules = 1_000

/** Rules in the order in which they were added. Those that are used up stay for a while, to be looked at. */
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
  claim(met: Met, mayApply: (rule: R) => boolean = () => true): R | undefined {
    const fitting = this.all().filter((rule) => isLive(rule) && mayApply(rule) && fits(rule.match, met))
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
