import { setTimeout } from 'node:timers/promises'
import { NotFound, refuse } from '../control/refusals.ts'
import { FaultFired } from './fault-fired.ts'
import { type Match, matches, type MatchInput } from './match.ts'

/** A rule that counts the requests it applies to. */
export interface Rule {
  readonly id: string
  /** As it was added. */
  readonly given: Match
  /** The first of the matching requests that it applies to. */
  readonly nth: number
  /** How many requests it applies to. */
  times: number
  /** How many requests matched so far. */
  matched: number
  /** How many of them it applied to. */
  fired: number
}

/** More than a test needs; each rule slows every request down. */
const mostRules = 1_000

/** Rules in the order of addition, and the requests that wait for one. Used rules stay in the list for a while. */
export abstract class Rules<R extends Rule> {
  protected abstract readonly word: string
  readonly #all = new Map<string, R>()
  readonly #waiting = new Set<{ readonly rule: R; readonly team: string | undefined; readonly end: AbortController }>()
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
    this.#all.delete(this.get(id).id)
  }

  /** Removes all rules, or the rules of one team, and closes the connections of its requests that wait. */
  clear(team?: string): void {
    const isMeant = (of: string | undefined) => team === undefined || of === team
    for (const { id, given } of this.all()) if (isMeant(given.team)) this.#all.delete(id)
    for (const { rule, team: of, end } of this.#waiting)
      if (isMeant(of)) end.abort(new FaultFired(rule.id, { connection: 'close' }))
  }

  /** Counts a request for every rule that it matches, and returns the first rule that applies to it. */
  protected claim(input: MatchInput, mayApply: (rule: R) => boolean = () => true): R | undefined {
    const matching = this.all().filter((rule) => isLive(rule) && mayApply(rule) && matches(rule.given, input))
    for (const rule of matching) rule.matched++
    const claimed = matching.find(({ nth, matched }) => matched >= nth)
    if (claimed) claimed.fired++
    return claimed
  }

  /** Lets a request wait. Rejects when the wait ends with a fault. */
  protected async wait(rule: R, { team }: MatchInput, milliseconds: number): Promise<void> {
    const end = new AbortController()
    const waiting = { rule, team, end }
    this.#waiting.add(waiting)
    await setTimeout(milliseconds, undefined, end).catch(() => undefined)
    this.#waiting.delete(waiting)
    if (end.signal.reason instanceof FaultFired) throw end.signal.reason
  }

  /** Ends the wait of the requests that wait for a rule. */
  protected endWait(rule: R, fault?: FaultFired): void {
    for (const waiting of this.#waiting) if (waiting.rule === rule) waiting.end.abort(fault)
  }

  #dropUsed(): void {
    const used = this.all().find((rule) => !isLive(rule))
    if (!used) refuse(`there are ${mostRules} ${this.word}s already; remove those that are not needed any more`)
    this.#all.delete(used.id)
  }
}

const isLive = ({ fired, times }: Rule) => fired < times
