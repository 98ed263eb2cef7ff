import { setTimeout } from 'node:timers/promises'
import { NotFound, refuse } from '../control/refusals.ts'
import type { Shared } from '../control/shared-settings.ts'
import { FaultFired } from './fault-fired.ts'
import { type Match, matches, type MatchInput } from './match.ts'

/** A rule that counts the requests it applies to. */
export interface Rule {
  readonly id: string
  /** As it was added. */
  readonly given: Match
  /** The first of the matching requests that it applies to. */
  readonly nth: number
  /** How many requests it applies to; all when undefined. */
  times?: number | undefined
  /** How many requests matched so far. */
  matched: number
  /** How many of them it applied to. */
  fired: number
}

/** Rules in the order of addition. All processes on the store have the same. */
export interface RuleList<R extends Rule> {
  rules: R[]
  /** The number of rules so far. */
  added: number
  /** The number of clears so far, and the teams of the latest; null is all teams. */
  cleared: number
  clearedTeams: (string | null)[]
}

export const noRules = () => ({ rules: [], added: 0, cleared: 0, clearedTeams: [] })

/** Removes all rules, or the rules of one team; the requests that wait for them lose their connection. */
export function clearRules<R extends Rule>(list: RuleList<R>, team?: string): void {
  list.rules = list.rules.filter(({ given }) => team !== undefined && given.team !== team)
  list.cleared++
  list.clearedTeams = [...list.clearedTeams, team ?? null].slice(-clearsKept)
}

/** More than happen between two polls. */
const clearsKept = 100

/** More than a test needs; each rule slows every request down. */
const mostRules = 1_000

type Promised<Result> = Result | Promise<Result>

/** Rules, and the requests of this process that wait for one. Used rules stay in the list for a while. */
export abstract class Rules<R extends Rule> {
  protected abstract readonly word: string
  protected readonly list: Shared<RuleList<R>>
  readonly #waiting = new Set<Waiting>()
  #cleared = 0
  #isClosed = false

  constructor(list: Shared<RuleList<R>>) {
    this.list = list
  }

  all(): readonly R[] {
    return this.list.now.rules
  }

  get(id: string): R {
    return find(id, this.list.now)
  }

  hasLive(): boolean {
    for (const rule of this.list.now.rules) if (isLive(rule)) return !this.#isClosed
    return false
  }

  add(rule: Omit<R, 'id' | 'matched' | 'fired'>): Promised<R> {
    return this.list.change((list) => {
      if (list.rules.length >= mostRules) this.#dropUsed(list)
      const added = { ...rule, id: `${this.word}-${++list.added}`, matched: 0, fired: 0 } as R
      list.rules.push(added)
      return added
    })
  }

  remove(id: string): Promised<void> {
    return this.list.change((list) => {
      list.rules.splice(list.rules.indexOf(find(id, list)), 1)
    })
  }

  clear(): Promised<void> {
    return this.list.change((list) => {
      clearRules(list)
    })
  }

  /** Applies changes to the requests that wait in this process. */
  settle(): void {
    const { cleared, clearedTeams } = this.list.now
    const teams = cleared > this.#cleared ? clearedTeams.slice(this.#cleared - cleared) : []
    this.#cleared = cleared
    if (teams.length > 0) this.#close(({ team }) => teams.includes(null) || teams.includes(team ?? null))
  }

  /** Applies no rule any more, in this process. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#close(() => true)
  }

  protected get isClosed(): boolean {
    return this.#isClosed
  }

  /** Counts a request for every rule that it matches, and returns the first rule that applies to it. */
  protected claim(
    input: MatchInput,
    mayApply: (rule: R) => boolean = () => true,
    apply: (rule: R) => void = () => undefined,
  ): Promised<R | undefined> {
    const matchingIn = ({ rules }: RuleList<R>) =>
      rules.filter((rule) => isLive(rule) && mayApply(rule) && matches(rule.given, input))
    if (this.#isClosed || matchingIn(this.list.now).length === 0) return undefined
    return this.list.change((list) => {
      const matching = matchingIn(list)
      for (const rule of matching) rule.matched++
      const claimed = matching.find(({ nth, matched }) => matched >= nth)
      if (claimed) {
        claimed.fired++
        apply(claimed)
      }
      return claimed
    })
  }

  /** Lets a request wait. Rejects when the wait ends with a fault. */
  protected async wait({ id }: R, { team }: MatchInput, milliseconds: number): Promise<void> {
    const end = new AbortController()
    const waiting = { id, team, end }
    this.#waiting.add(waiting)
    if (this.#isClosed) this.#close(() => true)
    else this.settle()
    await setTimeout(milliseconds, undefined, end).catch(() => undefined)
    this.#waiting.delete(waiting)
    if (end.signal.reason instanceof FaultFired) throw end.signal.reason
  }

  protected get waiting(): Iterable<Waiting> {
    return this.#waiting
  }

  #close(isMeant: (waiting: Waiting) => boolean): void {
    for (const waiting of this.#waiting)
      if (isMeant(waiting)) waiting.end.abort(new FaultFired(waiting.id, { connection: 'close' }))
  }

  #dropUsed({ rules }: RuleList<R>): void {
    const used = rules.findIndex((rule) => !isLive(rule))
    if (used === -1) refuse(`there are ${mostRules} ${this.word}s already; remove those that are not needed any more`)
    rules.splice(used, 1)
  }
}

/** A request that waits for a rule. */
interface Waiting {
  readonly id: string
  readonly team: string | undefined
  readonly end: AbortController
}

export function find<R extends Rule>(id: string, { rules }: RuleList<R>): R {
  const rule = rules.find((one) => one.id === id)
  if (!rule) throw new NotFound()
  return rule
}

const isLive = ({ fired, times = Infinity }: Rule) => fired < times
