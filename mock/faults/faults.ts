import { NotFound } from '../control/refusals.ts'
import { type Effect, millisecondsOf } from './effect.ts'
import { FaultFired } from './fault-fired.ts'
import type { Match, Met } from './match.ts'
import { type Rule, Rules } from './rules.ts'
import { Waits } from './waits.ts'

/** When a fault takes the place of what the sandbox would do. */
export const phases = ['onArrival', 'beforeCommit', 'afterCommit', 'inBody'] as const
export type Phase = (typeof phases)[number]

export interface NewFault extends Pick<Rule, 'match' | 'times'> {
  readonly phase: Phase
  readonly effect: Effect
  /** As it was asked for, to be shown. */
  readonly given: object
}

export interface Fault extends NewFault, Rule {}

/** The faults that were asked for. */
export class Faults {
  readonly #rules: Rules<Fault>
  readonly #waits = new Waits()

  constructor(changed: () => void) {
    this.#rules = new Rules('fault', changed)
  }

  add(fault: NewFault): Fault {
    return this.#rules.add((id) => ({ id, ...fault, matched: 0, fired: 0 }))
  }

  all(): readonly Fault[] {
    return this.#rules.all()
  }

  get(id: string): Fault {
    const fault = this.#rules.get(id)
    if (!fault) throw new NotFound()
    return fault
  }

  remove(id: string): void {
    this.#rules.remove([this.get(id)])
  }

  /** Removes all faults, or those of one team. Requests that wait, all or those of the team, lose their connection. */
  clear(team?: string): void {
    this.#rules.remove(this.all().filter(({ match }) => team === undefined || match.team === team))
    this.#waits.end(team)
  }

  hasLive(): boolean {
    return this.#rules.hasLive()
  }

  /** Whether the first of these phases could concern a request by its fields. */
  has(phase: Phase, choose: (match: Match) => boolean): boolean {
    return this.all().some((fault) => fault.phase === phase && choose(fault.match))
  }

  claim(phase: Phase, met: Met, choose: (match: Match) => boolean = () => true): Fault | undefined {
    return this.#rules.claim(met, (fault) => fault.phase === phase && choose(fault.match))
  }

  /** Waits as long as a fault asks for. */
  async wait({ id, effect: { delay } }: Pick<Fault, 'id' | 'effect'>, { team }: Met): Promise<void> {
    if (delay) await this.#waits.for(millisecondsOf(delay), team, () => new FaultFired(id, { connection: 'close' }))
  }
}
