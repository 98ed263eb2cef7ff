import type { World } from '../../fixtures/world.ts'
import { createSandbox, type Sandbox } from '../../mock/create-sandbox.ts'
import type { Clock } from '../../mock/core/clock.ts'
import { type Call, callerOf, type Told } from '../mock/harness.ts'
import type { Question } from './keys.ts'
import { start } from './start.ts'

const oneYear = 365 * 24 * 60 * 60

/** Wraps the calls of a sandbox so that they show a bug. */
export type Break = (call: Call) => Call

/** The sandbox that is compared with the model. */
export class Real {
  readonly #store: string
  readonly #broken: Break
  #clock: Clock = { now: () => 0 }
  #sandbox: Sandbox | undefined
  #call: Call = () => Promise.reject(new Error('It has not begun'))
  #isAsStarted = false
  #tokens = new Map<string, Promise<string>>()

  constructor(store: string, broken: Break = (call) => call) {
    this.#store = store
    this.#broken = broken
  }

  /** Starts a new sequence. A reset of a reopened sandbox would go back to its world then, so it is opened again. */
  async begin(clock: Clock): Promise<void> {
    this.#clock = clock
    if (!this.#isAsStarted) await this.#open(start)
    this.#isAsStarted = true
    await this.#opened().reset()
    this.#call = this.#broken(callerOf(this.#opened()))
    this.#tokens = new Map()
  }

  /** Closes the sandbox, and opens it again with its records. */
  async reopen(): Promise<void> {
    await this.#open(await this.#opened().world())
    this.#isAsStarted = false
    this.#tokens = new Map()
  }

  async ask(team: string, { id, asked: { by, ...ask }, key }: Question): Promise<Told> {
    const idempotency = key === undefined ? {} : { 'idempotency-key': key }
    if (by === 'key') return this.#call(id, { ...ask, key: `${team}-key`, headers: idempotency })
    const authorization = `Bearer ${await this.#tokenOf(team, by)}`
    return this.#call(id, { ...ask, key: null, headers: { authorization, ...idempotency } })
  }

  /** Decides over the control plane, as the messaging platform would. */
  async judge(templateId: string, teamId: string, verdict: 'approve' | 'reject'): Promise<number> {
    const { status } = await this.#control(`/templates/${encodeURIComponent(templateId)}/${verdict}`, { teamId })
    return status
  }

  async world() {
    return this.#opened().world()
  }

  async close(): Promise<void> {
    await this.#sandbox?.close()
  }

  async #open(world: World): Promise<void> {
    await this.#sandbox?.close()
    const clock = { now: () => this.#clock.now() }
    this.#sandbox = await createSandbox({ world, store: this.#store, clock })
    this.#call = this.#broken(callerOf(this.#sandbox))
  }

  #opened(): Sandbox {
    if (!this.#sandbox) throw new Error('It has not begun')
    return this.#sandbox
  }

  #tokenOf(teamId: string, role: string): Promise<string> {
    const userId = `${teamId}-${role}`
    const sign = async () => {
      const answer = await this.#control('/tokens', { teamId, userId, role, expiresIn: oneYear })
      const { data } = (await answer.json()) as { data: { token: string } }
      return data.token
    }
    const token = this.#tokens.get(userId) ?? sign()
    this.#tokens.set(userId, token)
    return token
  }

  #control(path: string, body: object): Promise<Response> {
    const headers = { 'content-type': 'application/json' }
    return this.#opened().fetch(`/_sandbox${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
}
