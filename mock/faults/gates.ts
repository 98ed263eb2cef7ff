import { Changes } from '../control/changes.ts'
import { refuse } from '../control/refusals.ts'
import { FaultFired, fire, type Effect } from './fault-fired.ts'
import { Rules, type MatchInput, type Rule } from './rules.ts'

/** A gate waits for its request and holds it; then the request continues, or fails. */
export const gateStates = ['waiting', 'held', 'released', 'failed', 'timedOut', 'dropped'] as const
type GateState = (typeof gateStates)[number]

export interface NewGate extends Pick<Rule, 'match'> {
  /** After this many milliseconds a held request continues. */
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
  readonly resume: () => void
  readonly fail: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** Each holds one request before its commit, so that a test decides what happens first. */
export class Gates extends Rules<Gate> {
  protected readonly word = 'gate'
  readonly #held = new Map<Gate, Held>()
  /** By the id of a gate. */
  readonly #changes = new Changes()

  override add(gate: NewGate): Gate {
    return super.add({ ...gate, times: 1, state: 'waiting' })
  }

  /** Resolves when the gate holds its request or has done so, and at the latest when the time is over. */
  wait(id: string, milliseconds: number): Promise<Gate> {
    const read = () => this.get(id)
    return this.#changes.until(id, milliseconds, read, ({ state }) => state !== 'waiting')
  }

  /** Resumes the held request. A gate that holds no request yet will not hold one. */
  release(id: string): Gate {
    const gate = this.get(id)
    this.#end(gate, 'released')?.resume()
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

  override remove(id: string): void {
    this.release(id)
    super.remove(id)
  }

  /** Removes all gates, or the gates of one team, and closes the connections of held requests, which change nothing. */
  clear(team?: string): void {
    const gates = this.all().filter(({ match }) => team === undefined || match.team === team)
    const holding = this.all().filter((gate) => this.#held.get(gate)?.team === team)
    for (const gate of new Set([...gates, ...holding]))
      this.#end(gate, 'dropped')?.fail(new FaultFired(gate.id, { connection: 'close' }))
    this.delete(gates)
  }

  /** Resolves when the gate that holds the request lets it continue; undefined when none holds it. */
  hold(input: MatchInput): Promise<void> | undefined {
    const gate = this.claim(input)
    if (!gate) return undefined
    return new Promise((resume, fail) => {
      const timer = setTimeout(() => this.#end(gate, 'timedOut')?.resume(), gate.timeout)
      this.#held.set(gate, { team: input.team, resume, fail, timer })
      this.#setState(gate, 'held')
    })
  }

  /** Returns the request that was held. */
  #end(gate: Gate, state: GateState): Held | undefined {
    if (gate.state !== 'held' && gate.state !== 'waiting') return undefined
    const held = this.#held.get(gate)
    this.#held.delete(gate)
    clearTimeout(held?.timer)
    gate.times = gate.fired
    this.#setState(gate, state)
    return held
  }

  #setState(gate: Gate, state: GateState): void {
    gate.state = state
    this.#changes.notify(gate.id)
  }
}
