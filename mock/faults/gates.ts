import { Changes } from '../control/changes.ts'
import { refuse } from '../control/refusals.ts'
import { type Effect, fire } from './fault-fired.ts'
import type { MatchInput } from './match.ts'
import { find, type Rule, type RuleList, Rules } from './rules.ts'

/** A gate waits for its request and holds it; then the request continues, or fails. */
export const gateStates = ['waiting', 'held', 'released', 'failed', 'timedOut', 'dropped'] as const
type GateState = (typeof gateStates)[number]

export interface Gate extends Rule {
  /** After this many milliseconds a held request continues. */
  readonly timeout: number
  state: GateState
  /** How the held request failed. */
  failure?: Effect
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
  release(id: string): Gate | Promise<Gate> {
    return this.list.change((list) => {
      const gate = find(id, list)
      if (gate.state === 'held' || gate.state === 'waiting') gate.state = 'released'
      gate.times = gate.fired
      return gate
    })
  }

  /** Answers the held request with an error or ends its connection. The request changes nothing. */
  fail(id: string, effect: Effect): Gate | Promise<Gate> {
    return this.list.change((list) => {
      const gate = find(id, list)
      if (gate.state !== 'held') refuse(`${id} holds no request now, its state is ${gate.state}; wait for it first`)
      if (!fire(id, effect)) refuse('give a status or a connection, such as { "status": 500 }')
      gate.state = 'failed'
      gate.failure = effect
      return gate
    })
  }

  override settle(): void {
    super.settle()
    for (const { id, end } of this.waiting) {
      const gate = this.all().find((one) => one.id === id)
      if (gate?.state !== 'held') end.abort(gate?.failure && fire(id, gate.failure))
    }
    this.#changes.notifyAll()
  }

  override async close(): Promise<void> {
    const ids = new Set([...this.waiting].map(({ id }) => id))
    await super.close()
    if (ids.size > 0)
      await this.list.change(({ rules }) => {
        for (const gate of rules) if (ids.has(gate.id) && gate.state === 'held') gate.state = 'dropped'
      })
  }

  /** Resolves when the gate that holds the request lets it continue; undefined when none holds it. */
  hold(input: MatchInput): Promise<void> | undefined {
    const claimed = this.claim(input, undefined, (gate) => {
      gate.state = 'held'
    })
    return claimed && this.#hold(claimed, input)
  }

  async #hold(claimed: Gate | Promise<Gate | undefined>, input: MatchInput): Promise<void> {
    const gate = await claimed
    if (!gate) return
    let state: GateState = 'dropped'
    try {
      await this.wait(gate, input, gate.timeout)
      state = 'timedOut'
    } finally {
      const setState = (list: RuleList<Gate>) => {
        const held = list.rules.find(({ id }) => id === gate.id)
        if (held?.state === 'held') held.state = state
      }
      const isHeld = this.all().some(({ id, state }) => id === gate.id && state === 'held')
      if (isHeld && !this.isClosed) await this.list.change(setState)
    }
  }
}
