import { setTimeout } from 'node:timers/promises'
import { type Awaitable, andThen } from '../../../lib/async.ts'
import { newPause } from '../../../lib/pause.ts'
import { UnknownName, reject } from '../../core/rejections.ts'
import type { Part } from '../../core/shared-settings.ts'
import type { Tallies, TallyName } from '../../store/port.ts'
import { bytesOf, type MemoryBudget } from '../../store/retention.ts'
import { FaultFired } from './failure.ts'
import { isAbout, type Match, matches, type MatchInput } from './match.ts'

/** A fault or a gate: a rule that applies to some requests. */
export interface Rule extends Match {
  readonly id: string
  /** The first of the matching requests that it applies to; 1 by default. */
  readonly nth?: number
  /** How many requests matched so far. The settings have 0, since the tallies count. */
  readonly matched: number
}

/** Rules for all teams, or for one. All processes on the store have the same. */
export interface RuleList<R extends Rule> {
  rules: R[]
  /** The number of clears so far. */
  cleared: number
}

export const noRules = () => ({ rules: [], cleared: 0 })

/** Removes and returns all rules of a list; the requests that wait for them lose their connection. */
export function clearRules<R extends Rule>(list: RuleList<R>): R[] {
  list.cleared++
  return list.rules.splice(0)
}

/** More than a test needs; each rule slows every request down. */
const mostRules = 1_000

/** Rules, and the requests of this process that wait for one. Used rules stay in the list for a while. */
export abstract class Rules<R extends Rule> {
  protected abstract readonly word: string
  protected readonly tallies: Tallies
  protected readonly waiting = new Set<Waiting>()
  readonly #lists: Part<RuleList<R>>
  readonly #memory: MemoryBudget
  readonly #sizes = new WeakMap<R, number>()
  /** Those that are about an operation, or about all. */
  readonly #ofOperation = new Map<MatchInput['operation'], readonly R[]>()
  #isClosed = false

  constructor(lists: Part<RuleList<R>>, tallies: Tallies, memory: MemoryBudget) {
    this.#lists = lists
    this.tallies = tallies
    this.#memory = memory
  }

  get bytes(): number {
    return this.#bytesOf(this.stored())
  }

  /** Whether a rule can still apply, as far as this process knows. */
  protected abstract isLive(rule: R): boolean

  /** Applies a rule to a request. Returns the rule as it is then, or undefined if it applies to no more requests. */
  protected abstract apply(rule: R): Awaitable<R | undefined>

  /** The rule with its counts. */
  protected counted(rule: R, tallies: ReadonlyMap<string, number>): R {
    return { ...rule, matched: tallies.get(matchesOf(rule).name) ?? 0 }
  }

  /** In the order of addition, with their counts. */
  async list(): Promise<R[]> {
    const tallies = await this.tallies.all()
    return this.stored().map((rule) => this.counted(rule, tallies))
  }

  async get(id: string): Promise<R> {
    return this.counted(this.find(id), await this.tallies.all())
  }

  hasLive(): boolean {
    if (this.#isClosed) return false
    for (const [, { rules }] of this.#lists.entries()) if (rules.some((rule) => this.isLive(rule))) return true
    return false
  }

  async add(rule: Omit<R, 'id' | 'matched'>): Promise<R> {
    if (this.stored().length >= mostRules)
      await this.#dropUsed(`there are ${mostRules} ${this.word}s already; remove those that are not needed any more`)
    const bytes = bytesOf(rule)
    while (this.#memory.used.rules + bytes > this.#memory.mostOf('rules'))
      await this.#dropUsed(
        'the faults and gates take all memory that there is for them; remove those that are not needed any more, or start the sandbox with a larger --memory',
      )
    const [number] = await this.tallies.add([{ team: undefined, name: this.word }])
    const added = { id: `${this.word}-${number}`, ...rule, matched: 0 } as R
    await this.#lists.change(rule.team, ({ rules }) => rules.push(added))
    return added
  }

  async remove(id: string): Promise<void> {
    const rule = this.find(id)
    await this.change(rule, ({ rules }) => rules.splice(indexOf(this.word, id, rules), 1))
    await this.forget([rule])
  }

  async clear(): Promise<void> {
    for (const [teamId, { rules }] of this.#lists.entries())
      if (teamId === undefined || rules.length > 0) await this.forget(await this.#lists.change(teamId, clearRules))
  }

  /** Removes the counts of rules that are in no list any more. */
  async forget(rules: readonly Rule[]): Promise<void> {
    if (rules.length > 0) await this.tallies.remove(rules.flatMap((rule) => [matchesOf(rule), firingsOf(rule)]))
  }

  /** Applies changes of the settings of these teams to the requests that wait in this process. */
  settle(changed: readonly (string | undefined)[]): void {
    this.#ofOperation.clear()
    const isRemoved = (team: string | undefined) =>
      team !== undefined && changed.includes(team) && !this.#lists.of(team)
    this.#end(({ team, cleared }) => cleared !== this.#clearsOf(team) || isRemoved(team))
  }

  /** Ends the requests that wait in this process, and applies no rule from then on. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#end(() => true)
  }

  protected get isClosed(): boolean {
    return this.#isClosed
  }

  /** In the order of addition, without their counts. */
  protected stored(): R[] {
    return [...this.#lists.entries()].flatMap(([, { rules }]) => rules).sort(byNumber)
  }

  protected find(id: string): R {
    const rule = this.stored().find((one) => one.id === id)
    if (!rule) throw new UnknownName(this.word, id)
    return rule
  }

  /** Changes the list of this rule. */
  protected change<Result>({ team }: Rule, work: (list: RuleList<R>) => Result): Awaitable<Result> {
    return this.#lists.change(team, work)
  }

  /** Counts a request for every rule that it matches, and returns the first rule that applies to it, as it is then. */
  claim(input: MatchInput, mayApply: (rule: R) => boolean = () => true): Awaitable<R | undefined> {
    if (this.#isClosed) return undefined
    let rules = this.#ofOperation.get(input.operation)
    if (!rules) {
      rules = this.stored().filter((rule) => isAbout(rule, input.operation))
      this.#ofOperation.set(input.operation, rules)
    }
    const isOfTeam = ({ team }: R) => team === undefined || team === input.team
    const open = rules.filter((rule) => isOfTeam(rule) && this.isLive(rule) && mayApply(rule))
    const isLong = this.#bytesOf(open) > comparedAtOnce
    return andThen(isLong ? matchingInSteps(open, input) : open.filter((rule) => matches(rule, input)), (matching) => {
      if (matching.length === 0) return undefined
      return andThen(this.tallies.add(matching.map(matchesOf)), (counts) =>
        this.#firstOf(matching.map((rule, at) => ({ ...rule, matched: counts[at] ?? 0 }))),
      )
    })
  }

  #bytesOf(rules: readonly R[]): number {
    let sum = 0
    for (const rule of rules) {
      const bytes = this.#sizes.get(rule) ?? bytesOf(rule)
      this.#sizes.set(rule, bytes)
      sum += bytes
    }
    return sum
  }

  /** The first rule that applies to a request, which has matched all of them. */
  #firstOf([rule, ...others]: readonly R[]): Awaitable<R | undefined> {
    if (!rule) return undefined
    if (rule.matched < (rule.nth ?? 1)) return this.#firstOf(others)
    return andThen(this.apply(rule), (applied) => applied ?? this.#firstOf(others))
  }

  /** Lets a request wait for a rule. Rejects when the wait ends with a fault. */
  async wait(id: string, { team }: MatchInput, milliseconds: number): Promise<void> {
    const end = new AbortController()
    const waiting = { id, team, cleared: this.#clearsOf(team), end }
    this.waiting.add(waiting)
    if (this.#isClosed) this.#end(() => true)
    else this.settle([])
    await setTimeout(milliseconds, undefined, end).catch(() => undefined)
    this.waiting.delete(waiting)
    if (end.signal.reason instanceof FaultFired) throw end.signal.reason
  }

  /** Ends the connection of requests that wait. */
  #end(isMeant: (waiting: Waiting) => boolean): void {
    for (const waiting of this.waiting)
      if (isMeant(waiting)) waiting.end.abort(new FaultFired(waiting.id, { connection: 'close' }))
  }

  /** How often the rules of a team, and those for all teams, were cleared. */
  #clearsOf(team: string | undefined): string {
    const ofTeam = team === undefined ? undefined : this.#lists.of(team)
    return `${this.#lists.of(undefined)?.cleared} ${ofTeam?.cleared ?? 0}`
  }

  /** Removes the oldest that is used up. Refuses with the sentence when there is none. */
  async #dropUsed(sentence: string): Promise<void> {
    const used = (await this.list()).find((rule) => !this.isLive(rule))
    await this.remove((used ?? reject(sentence)).id)
  }
}

/** The bytes of rules that are compared with a request before others run. */
const comparedAtOnce = 256 * 1024

async function matchingInSteps<R extends Rule>(rules: readonly R[], input: MatchInput): Promise<R[]> {
  const pause = newPause()
  const matching: R[] = []
  for (const rule of rules) {
    const paused = pause(1 + bytesOf(rule.where ?? {}) / 250)
    if (paused) await paused
    if (matches(rule, input)) matching.push(rule)
  }
  return matching
}

/** A request that waits for a rule. */
interface Waiting {
  readonly id: string
  readonly team: string | undefined
  readonly cleared: string
  readonly end: AbortController
}

/** Counts the requests that a rule has matched. */
const matchesOf = ({ id, team }: Rule): TallyName => ({ team, name: `${id} matched` })

/** Counts the requests that a rule has applied to. */
export const firingsOf = ({ id, team }: Rule): TallyName => ({ team, name: `${id} fired` })

const byNumber = (one: Rule, other: Rule) => numberOf(one) - numberOf(other)

const numberOf = ({ id }: Rule) => Number(id.slice(id.lastIndexOf('-') + 1))

export function indexOf(word: string, id: string, rules: readonly Rule[]): number {
  const at = rules.findIndex((one) => one.id === id)
  if (at === -1) throw new UnknownName(word, id)
  return at
}

/** Tallies of this process alone. */
export class OwnTallies implements Tallies {
  readonly #counts = new Map<string, number>()

  add(tallies: readonly TallyName[], most = Infinity): (number | undefined)[] {
    return tallies.map(({ name }) => {
      const count = (this.#counts.get(name) ?? 0) + 1
      if (count > most) return undefined
      this.#counts.set(name, count)
      return count
    })
  }

  all(): ReadonlyMap<string, number> {
    return this.#counts
  }

  remove(tallies: readonly TallyName[]): void {
    for (const { name } of tallies) this.#counts.delete(name)
  }
}
