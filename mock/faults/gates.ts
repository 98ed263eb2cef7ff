import { NotFound, refuse } from '../control/refusals.ts'
import { Signal } from '../control/signal.ts'
import { FaultFired, fire, type Effect } from './fault-fired.ts'
import { Rules, type MatchInput, type Rule } from './rules.ts'

/** A gate waits for its request and holds it; then the request goes on, or fails. */
type GateState = 'waiting' | 'held' | 'released' | 'failed' | 'timedOut' | 'dropped'

export interface NewGate extends Pick<Rule, 'match'> {
  /** After this many milliseconds a held request goes on by itself. */
  readonly timeout: number
  /** The gate as it was added, for the control plane. */
  readonly given: object
}

export interface Gate extends NewGate, Rule {
  state: GateState
}

/** The request that a gate holds. */
interface Held {
  readonly team: string | undefined
  readonly goOn: () => void
  readonly fail: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** Each holds one request before its commit, so that a test decides what happens first. */
export class Gates {
  readonly #rules: Rules<Gate>
  readonly #held = new Map<Gate, Held>()
  readonly #arrivals = new Signal()

  constructor(changed: () => void) {
    this.#rules = new Rules('gate', changed)
  }

  add(gate: NewGate): Gate {
    return this.#rules.add((id) => ({ id, ...gate, times: 1, matched: 0, fired: 0, state: 'waiting' }))
  }

  all(): readonly Gate[] {
    return this.#rules.all()
  }

  get(id: string): Gate {
    const gate = this.#rules.get(id)
    if (!gate) throw new NotFound()
    return gate
  }

  hasLive(): boolean {
    return this.#rules.hasLive()
  }

  /** Resolves when the gate holds its request or has done so, and at the latest when the time is over. */
  wait(id: string, milliseconds: number): Promise<Gate> {
    return this.#arrivals.until(
      () => this.get(id),
      ({ state }) => state !== 'waiting',
      milliseconds,
    )
  }

  /** Resumes the held request. A gate that holds no request yet will not hold one. */
  release(id: string): Gate {
    const gate = this.get(id)
    this.#end(gate, 'released')?.goOn()
    return gate
  }

  /** Answers the held request with an error or ends its connection. The request changes nothing. */
  fail(id: string, effect: Effect): Gate {
    const gate = this.get(id)
    if (gate.state !== 'held') refuse(`${id} holds no request now, its state is ${gate.state}; wait for it first`)
    const error = fire(id, effect)
    if (!error) refuse('give a status or a connection, such as { "status": 500 }')
    this.#end(gate, 'failed')?.fail(error)
    return gate
  }

  remove(id: string): void {
    this.#rules.remove([this.release(id)])
  }

  /** Removes all gates, or the gates of one team, and closes the connections of held requests, which change nothing. */
  clear(team?: string): void {
    const gates = this.all().filter(({ match }) => team === undefined || match.team === team)
    const holding = this.all().filter((gate) => this.#held.get(gate)?.team === team)
    for (const gate of new Set([...gates, ...holding]))
      this.#end(gate, 'dropped')?.fail(new FaultFired(gate.id, { connection: 'close' }))
    this.#rules.remove(gates)
  }

  /** As long as a gate holds the request; undefined when none does. */
  hold(input: MatchInput): Promise<void> | undefined {
    const gate = this.#rules.claim(input)
    if (!gate) return undefined
    return new Promise((goOn, fail) => {
      const timer = setTimeout(() => this.#end(gate, 'timedOut')?.goOn(), gate.timeout)
      this.#held.set(gate, { team: input.team, goOn, fail, timer })
      this.#become(gate, 'held')
    })
  }

  /** Gives the request that was held. */
  #end(gate: Gate, state: GateState): Held | undefined {
    if (gate.state !== 'held' && gate.state !== 'waiting') return undefined
    const held = this.#held.get(gate)
    this.#held.delete(gate)
    clearTimeout(held?.timer)
    this.#rules.useUp(gate)
    this.#become(gate, state)
    return held
  }

  #become(gate: Gate, state: GateState): void {
    gate.state = state
    this.#arrivals.tell()
  }
}
