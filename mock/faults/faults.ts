import { NotFound } from '../control/refusals.ts'
import { FaultFired, millisecondsOf, type Effect } from './fault-fired.ts'
import { Rules, type Match, type MatchInput, type Rule } from './rules.ts'

/** The phases in which a fault can occur. */
export const phases = ['onArrival', 'beforeCommit', 'afterCommit', 'inBody'] as const
export type Phase = (typeof phases)[number]

export interface NewFault extends Pick<Rule, 'match' | 'times'> {
  readonly phase: Phase
  readonly effect: Effect
  /** The fault as it was added, for the control plane. */
  readonly given: object
}

export interface Fault extends NewFault, Rule {}

/** The active faults. */
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

  /** Removes all faults, or the faults of one team, and closes the connections of their waiting requests. */
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

  claim(phase: Phase, input: MatchInput, choose: (match: Match) => boolean = () => true): Fault | undefined {
    return this.#rules.claim(input, (fault) => fault.phase === phase && choose(fault.match))
  }

  /** Waits as long as a fault asks for. */
  async wait({ id, effect: { delay } }: Pick<Fault, 'id' | 'effect'>, { team }: MatchInput): Promise<void> {
    if (delay) await this.#waits.for(millisecondsOf(delay), team, () => new FaultFired(id, { connection: 'close' }))
  }
}

/** Waits that a reset or the closing of the sandbox ends early. */
export class Waits {
  /** With the team that waits, if it is known. */
  readonly #ends = new Map<() => void, string | undefined>()

  /** Resolves after this time; rejects with `reason()` when it is ended before. */
  for(milliseconds: number, team: string | undefined, reason: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => () => {
        clearTimeout(timer)
        this.#ends.delete(end)
        settle()
      }
      const timer = setTimeout(done(resolve), milliseconds)
      const end = done(() => {
        reject(reason())
      })
      this.#ends.set(end, team)
    })
  }

  /** Ends all waits, or the waits of one team. */
  end(team?: string): void {
    for (const [end, waiting] of [...this.#ends]) if (team === undefined || waiting === team) end()
  }
}
