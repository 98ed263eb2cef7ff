import type { Awaitable } from '../../../lib/async.ts'
import { ChangeSubscriptions } from '../../core/changes.ts'
import { reject } from '../../core/rejections.ts'
import { type Failure, fire, readTime } from './failure.ts'
import type { MatchInput } from './match.ts'
import { indexOf, Rules } from './rules.ts'
import type { Gate } from './schemas.ts'

/** With the failure of the held request, which the control plane does not show. */
export interface StoredGate extends Gate {
  failure?: Failure
}

/** Each holds one request before its commit, so that a test decides what happens first. */
export class Gates extends Rules<StoredGate> {
  /** By the id of a gate. */
  readonly changes = new ChangeSubscriptions()

  protected readonly word = 'gate'

  protected isLive({ state }: StoredGate): boolean {
    return state === 'waiting'
  }

  protected apply({ id, matched, ...gate }: StoredGate): Awaitable<StoredGate | undefined> {
    return this.change(gate as StoredGate, ({ rules }) => {
      const stored = rules.find((one) => one.id === id && this.isLive(one))
      if (stored) stored.state = 'held'
      return stored && { ...stored, matched }
    })
  }

  /** Resolves when the gate holds its request or has done so, and at the latest when the time is over. */
  awaitRequest(id: string, milliseconds: number): Promise<StoredGate> {
    const read = () => this.get(id)
    return this.changes.until(id, milliseconds, read, ({ state }) => state !== 'waiting')
  }

  /** Resumes the held request. A gate that holds no request yet will not hold one. */
  async release(id: string): Promise<StoredGate> {
    await this.#changeGate(id, (gate) => {
      if (gate.state === 'held' || gate.state === 'waiting') gate.state = 'released'
    })
    return this.get(id)
  }

  /** Answers the held request with an error or ends its connection. The request changes nothing. */
  async fail(id: string, failure: Failure): Promise<StoredGate> {
    await this.#changeGate(id, (gate) => {
      if (gate.state !== 'held') reject(`${id} holds no request now, its state is ${gate.state}; wait for it first`)
      if (!fire(id, failure)) reject('give a status or a connection, such as { "status": 500 }')
      Object.assign(gate, { state: 'failed', failure } as const)
    })
    return this.get(id)
  }

  #changeGate(id: string, work: (gate: StoredGate) => void): Awaitable<void> {
    return this.change(this.find(id), ({ rules }) => {
      const gate = rules[indexOf(this.word, id, rules)]
      if (gate) work(gate)
    })
  }

  override settle(changed: readonly (string | undefined)[]): void {
    super.settle(changed)
    const gates = this.waiting.size > 0 ? this.stored() : []
    for (const { id, end } of this.waiting) {
      const gate = gates.find((one) => one.id === id)
      if (gate?.state !== 'held') end.abort(gate?.failure && fire(id, gate.failure))
    }
    this.changes.notifyAll()
  }

  override async close(): Promise<void> {
    this.changes.close()
    const ids = [...this.waiting].map(({ id }) => id)
    await super.close()
    await this.#letGo(ids, 'dropped')
  }

  /** Resolves when the gate that holds the request lets it continue; undefined when none holds it. */
  hold(input: MatchInput): Promise<void> | undefined {
    const claimed = this.claim(input)
    return claimed && this.#hold(claimed, input)
  }

  async #hold(claimed: Awaitable<StoredGate | undefined>, input: MatchInput): Promise<void> {
    const gate = await claimed
    if (!gate) return
    let state: Gate['state'] = 'dropped'
    try {
      await this.wait(gate.id, input, timeoutOf(gate))
      state = 'timedOut'
    } finally {
      if (!this.isClosed) await this.#letGo([gate.id], state)
    }
  }

  /** Sets the state of those gates that hold a request still. */
  async #letGo(ids: readonly string[], state: Gate['state']): Promise<void> {
    for (const gate of this.stored())
      if (gate.state === 'held' && ids.includes(gate.id))
        await this.change(gate, ({ rules }) => {
          for (const one of rules) if (one.id === gate.id && one.state === 'held') one.state = state
        })
  }
}

/** After this many milliseconds a held request continues. */
export const timeoutOf = ({ timeout = '10s' }: Pick<Gate, 'timeout'>) => readTime(timeout, 'timeout', 5 * 60_000)
