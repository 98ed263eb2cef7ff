import { Changes } from '../control/changes.ts'
import { refuse } from '../control/refusals.ts'
import { type Effect, fire } from './fault-fired.ts'
import type { MatchInput } from './match.ts'
import { type Rule, Rules } from './rules.ts'

/** A gate waits for its request and holds it; then the request continues, or fails. */
export const gateStates = ['waiting', 'held', 'released', 'failed', 'timedOut', 'dropped'] as const
type GateState = (typeof gateStates)[number]

export interface Gate extends Rule {
  /** After this many milliseconds a held request continues. */
  readonly timeout: number
  state: GateState
}

/** Each holds one request before its commit, so that a test decides what happens first. */
export class Gates extends Rules<Gate> {
  protected readonly word = 'gate'
  /** By the id of a gate. */
  readonly #changes = new Changes()

  /** Resolves when the gate holds its request or has done so, and at the latest when the time is over. */
  awaitRequest(id: string, milliseconds: number): Promise<Gate> {
    const read = () => this.get(id)
    return this.#changes.until(id, milliseconds, read, ({ state }) => state !== 'waiting')
  }

  /** Resumes the held request. A gate that holds no request yet will not hold one. */
  release(id: string): Gate {
    const gate = this.get(id)
    if (gate.state === 'held' || gate.state === 'waiting') this.#setState(gate, 'released')
    gate.times = gate.fired
    this.endWait(gate)
    return gate
  }

  /** Answers the held request with an error or ends its connection. The request changes nothing. */
  fail(id: string, effect: Effect): Gate {
    const gate = this.get(id)
    if (gate.state !== 'held') refuse(`${id} holds no request now, its state is ${gate.state}; wait for it first`)
    const fault = fire(id, effect)
    if (!fault) refuse('give a status or a connection, such as { "status": 500 }')
    this.#setState(gate, 'failed')
    this.endWait(gate, fault)
    return gate
  }

  override remove(id: string): void {
    this.release(id)
    super.remove(id)
  }

  override clear(team?: string): void {
    super.clear(team)
    this.#changes.notifyAll()
  }

  /** Resolves when the gate that holds the request lets it continue; undefined when none holds it. */
  hold(input: MatchInput): Promise<void> | undefined {
    const gate = this.claim(input)
    return gate && this.#hold(gate, input)
  }

  async #hold(gate: Gate, input: MatchInput): Promise<void> {
    this.#setState(gate, 'held')
    let state: GateState = 'dropped'
    try {
      await this.wait(gate, input, gate.timeout)
      state = 'timedOut'
    } finally {
      if (gate.state === 'held') this.#setState(gate, state)
    }
  }

  #setState(gate: Gate, state: GateState): void {
    gate.state = state
    this.#changes.notify(gate.id)
  }
}
