import { setTimeout } from 'node:timers/promises'
import { FaultFired, type Effect } from './fault-fired.ts'
import { type Match, type MatchInput, type Rule, Rules } from './rules.ts'

/** The phases in which a fault can occur. */
export type Phase = 'onArrival' | 'beforeCommit' | 'afterCommit' | 'inBody'

export interface NewFault extends Pick<Rule, 'match' | 'times'> {
  readonly phase: Phase
  readonly effect: Effect
  /** The fault as it was added, for the control plane. */
  readonly given: object
}

export interface Fault extends NewFault, Rule {}

/** The active faults, and the requests that they delay. */
export class Faults extends Rules<Fault> {
  protected readonly word = 'fault'
  readonly #delays = new Map<AbortController, string | undefined>()

  /** Removes all faults, or the faults of one team, and closes the connections of its delayed requests. */
  clear(team?: string): void {
    this.delete(this.all().filter(({ match }) => team === undefined || match.team === team))
    for (const [delay, delayed] of this.#delays) if (team === undefined || delayed === team) delay.abort()
  }

  has(phase: Phase, choose: (match: Match) => boolean): boolean {
    return this.all().some((fault) => fault.phase === phase && choose(fault.match))
  }

  claimIn(phase: Phase, input: MatchInput, choose: (match: Match) => boolean = () => true): Fault | undefined {
    return this.claim(input, (fault) => fault.phase === phase && choose(fault.match))
  }

  /** Waits as long as a fault asks for; throws when the faults are cleared before. */
  async delay({ id, effect: { delay } }: Fault, { team }: MatchInput): Promise<void> {
    if (!delay) return
    const controller = new AbortController()
    this.#delays.set(controller, team)
    const { from, to } = delay
    try {
      await setTimeout(from + Math.random() * (to - from), undefined, { signal: controller.signal })
    } catch {
      throw new FaultFired(id, { connection: 'close' })
    } finally {
      this.#delays.delete(controller)
    }
  }
}
