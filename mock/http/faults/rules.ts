import { setTimeout } from 'node:timers/promises'
import { UnknownName, reject } from '../../core/rejections.ts'
import type { Shared } from '../../core/shared-settings.ts'
import { FaultFired } from './failure.ts'
import { type Match, matches, type MatchInput } from './match.ts'

/** A fault or a gate: a rule that applies to some requests. */
interface Rule extends Match {
  readonly id: string
  /** The first of the matching requests that it applies to; 1 by default. */
  readonly nth?: number
  /** How many requests matched so far. */
  matched: number
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
  list.rules = list.rules.filter((rule) => team !== undefined && rule.team !== team)
  list.cleared++
  list.clearedTeams = [...list.clearedTeams, team ?? null].slice(-clearsKept)
}

/** More than happen between two polls. */
const clearsKept = 100

/** More than a test needs; each rule slows every request down. */
const mostRules = 1_000

type Promised<Result> = Result | Promise<Result>

/** What faults and gates do differently. */
interface RuleKind<R> {
  readonly word: string
  /** Whether a rule can still apply. */
  readonly isLive: (rule: R) => boolean
  /** Whether a rule applies to the request that it has just matched; by default it does. */
  readonly isDue?: (rule: R) => boolean
  /** Counts that a rule applies to a request. */
  readonly apply: (rule: R) => void
}

/** Rules, and the requests of this process that wait for one. Used rules stay in the list for a while. */
export class Rules<R extends Rule> {
  protected readonly list: Shared<RuleList<R>>
  protected readonly waiting = new Set<Waiting>()
  readonly #kind: RuleKind<R>
  #cleared = 0
  #isClosed = false

  constructor(list: Shared<RuleList<R>>, kind: RuleKind<R>) {
    this.list = list
    this.#kind = kind
  }

  all(): R[] {
    return this.list.now.rules
  }

  get(id: string): R {
    return find(this.#kind.word, id, this.list.now)
  }

  hasLive(): boolean {
    return !this.#isClosed && this.all().some(this.#kind.isLive)
  }

  add(rule: Omit<R, 'id' | 'matched'>): Promised<R> {
    const { word } = this.#kind
    return this.list.change((list) => {
      if (list.rules.length >= mostRules) this.#dropUsed(list)
      const added = { id: `${word}-${++list.added}`, ...rule, matched: 0 } as R
      list.rules.push(added)
      return added
    })
  }

  async remove(id: string): Promise<void> {
    await this.list.change((list) => list.rules.splice(list.rules.indexOf(find(this.#kind.word, id, list)), 1))
  }

  async clear(): Promise<void> {
    await this.list.change((list) => clearRules(list))
  }

  /** Applies changes to the requests that wait in this process. */
  settle(): void {
    const { cleared, clearedTeams } = this.list.now
    const teams = cleared > this.#cleared ? clearedTeams.slice(this.#cleared - cleared) : []
    this.#cleared = cleared
    if (teams.length > 0) this.#end(({ team }) => teams.includes(null) || teams.includes(team ?? null))
  }

  /** Applies no rule any more, in this process. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#end(() => true)
  }

  protected get isClosed(): boolean {
    return this.#isClosed
  }

  /** Counts a request for every rule that it matches, and returns a copy of the first rule that applies to it. */
  claim(input: MatchInput, mayApply: (rule: R) => boolean = () => true): Promised<R | undefined> {
    const { isLive, isDue = () => true, apply } = this.#kind
    const matchingIn = ({ rules }: RuleList<R>) =>
      rules.filter((rule) => isLive(rule) && mayApply(rule) && matches(rule, input))
    if (this.#isClosed || matchingIn(this.list.now).length === 0) return undefined
    return this.list.change((list) => {
      const matching = matchingIn(list)
      for (const rule of matching) rule.matched++
      const claimed = matching.find((rule) => rule.matched >= (rule.nth ?? 1) && isDue(rule))
      if (claimed) apply(claimed)
      return claimed && { ...claimed }
    })
  }

  /** Lets a request wait for a rule. Rejects when the wait ends with a fault. */
  async wait(id: string, { team }: MatchInput, milliseconds: number): Promise<void> {
    const end = new AbortController()
    const waiting = { id, team, end }
    this.waiting.add(waiting)
    if (this.#isClosed) this.#end(() => true)
    else this.settle()
    await setTimeout(milliseconds, undefined, end).catch(() => undefined)
    this.waiting.delete(waiting)
    if (end.signal.reason instanceof FaultFired) throw end.signal.reason
  }

  /** Ends the connection of requests that wait. */
  #end(isMeant: (waiting: Waiting) => boolean): void {
    for (const waiting of this.waiting)
      if (isMeant(waiting)) waiting.end.abort(new FaultFired(waiting.id, { connection: 'close' }))
  }

  #dropUsed({ rules }: RuleList<R>): void {
    const { word, isLive } = this.#kind
    const used = rules.findIndex((rule) => !isLive(rule))
    if (used === -1) reject(`there are ${mostRules} ${word}s already; remove those that are not needed any more`)
    rules.splice(used, 1)
  }
}

/** A request that waits for a rule. */
interface Waiting {
  readonly id: string
  readonly team: string | undefined
  readonly end: AbortController
}

export function find<R extends Rule>(word: string, id: string, { rules }: RuleList<R>): R {
  const rule = rules.find((one) => one.id === id)
  if (!rule) throw new UnknownName(word, id)
  return rule
}
