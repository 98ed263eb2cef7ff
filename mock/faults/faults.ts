import type { Effect } from './fault-fired.ts'
import type { MatchInput } from './match.ts'
import { type Rule, Rules } from './rules.ts'

/** The phases in which a fault can occur. */
export type Phase = 'onArrival' | 'beforeCommit' | 'afterCommit' | 'inBody'

export interface NewFault extends Pick<Rule, 'given' | 'nth' | 'times'> {
  readonly phase: Phase
  readonly effect: Effect
}

export interface Fault extends NewFault, Rule {}

/** The active faults, and the requests that they delay. */
export class Faults extends Rules<Fault> {
  protected readonly word = 'fault'

  claimIn(
    phase: Phase,
    input: MatchInput,
    choose: (fault: Fault) => boolean = () => true,
  ): Fault | undefined | Promise<Fault | undefined> {
    return this.claim(input, (fault) => fault.phase === phase && choose(fault))
  }

  /** Waits as long as a fault asks for. */
  async delay(fault: Fault, input: MatchInput): Promise<void> {
    const { delay } = fault.effect
    if (delay) await this.wait(fault, input, delay.from + Math.random() * (delay.to - delay.from))
  }
}
