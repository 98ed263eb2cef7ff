import type { IncomingHttpHeaders } from 'node:http'
import type { Operation } from '../../spec/operations.ts'
import type { ServiceResponse, StreamableResponse } from '../core/operation.ts'
import { Paused } from '../core/execute.ts'
import type { Shared } from '../control/shared-settings.ts'
import { FaultFired, fire, preferredError } from './fault-fired.ts'
import { type Fault, Faults, type Phase } from './faults.ts'
import { type Gate, Gates } from './gates.ts'
import type { MatchInput } from './match.ts'
import type { RuleList } from './rules.ts'

/** The hooks for each phase of a request that a fault or a gate can interrupt. */
export class Interception {
  readonly faults: Faults
  readonly gates: Gates
  readonly #byHeader: boolean

  constructor(byHeader: boolean, faults: Shared<RuleList<Fault>>, gates: Shared<RuleList<Gate>>) {
    this.faults = new Faults(faults)
    this.gates = new Gates(gates)
    this.#byHeader = byHeader
  }

  /** False while there is no active fault and no active gate. */
  get isOn(): boolean {
    return this.faults.hasLive() || this.gates.hasLive()
  }

  /** Whether a fault may concern a new request: an active fault, or one that its own header asks for. */
  mayMeet({ prefer }: IncomingHttpHeaders): boolean {
    return this.isOn || (this.#byHeader && prefer !== undefined)
  }

  /** Before authentication. */
  async onArrival(
    operation: Operation,
    headers: IncomingHttpHeaders,
    teamOf: () => Promise<string | undefined>,
  ): Promise<void> {
    const preferred = this.#byHeader ? preferredError(headers.prefer, operation) : undefined
    if (preferred) throw preferred
    if (this.isOn)
      await this.#fire('onArrival', { operation: operation.id, team: await teamOf(), fields: [] }, needsNoBody)
  }

  /** After authentication and parsing, for faults that depend on fields. */
  async onBody(input: MatchInput): Promise<void> {
    await this.#fire('onArrival', input, (fault) => !needsNoBody(fault))
  }

  /** The callback for the end of a transaction's work. It undoes the work to wait for a gate, or for a fault. */
  beforeCommit(input: MatchInput): () => void {
    let isDone = false
    return () => {
      if (isDone) return
      isDone = true
      const held = this.gates.hold(input)?.then(() => this.#fire('beforeCommit', input))
      const paused = held ?? this.#fire('beforeCommit', input)
      if (paused) throw new Paused(paused)
    }
  }

  /** After the commit. */
  async afterCommit(input: MatchInput, answered: StreamableResponse): Promise<StreamableResponse> {
    const whole = { ...answered, body: await wholeOf(answered) }
    await this.#fire('afterCommit', input, undefined, whole)
    const fault = await this.faults.claimIn('inBody', input)
    if (!fault) return whole
    const { connection } = fault.effect
    const pause = () => this.faults.delay(fault, input)
    throw new FaultFired(fault.id, { answered: whole, inMiddle: { pause }, connection })
  }

  /** Applies changes to the requests that wait. */
  settle(): void {
    this.faults.settle()
    this.gates.settle()
  }

  /** Ends the requests that wait in this process. */
  async close(): Promise<void> {
    await this.faults.close()
    await this.gates.close()
  }

  /** Applies the first fault that matches; undefined when none does. */
  #fire(
    phase: Phase,
    input: MatchInput,
    choose?: (fault: Fault) => boolean,
    answered?: ServiceResponse,
  ): Promise<void> | undefined {
    const claimed = this.faults.claimIn(phase, input, choose)
    return claimed && this.#apply(claimed, input, answered)
  }

  async #apply(
    claimed: Fault | Promise<Fault | undefined>,
    input: MatchInput,
    answered: ServiceResponse | undefined,
  ): Promise<void> {
    const fault = await claimed
    if (!fault) return
    await this.faults.delay(fault, input)
    const fired = fire(fault.id, fault.effect, answered)
    if (fired) throw fired
  }
}

const needsNoBody = ({ given: { where } }: Fault) => where === undefined

async function wholeOf({ body }: StreamableResponse): Promise<string> {
  if (typeof body === 'string') return body
  let whole = ''
  for await (const part of body) whole += part
  return whole
}
