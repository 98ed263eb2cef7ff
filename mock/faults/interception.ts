import type { IncomingHttpHeaders } from 'node:http'
import type { Operation } from '../../spec/operations.ts'
import type { ServiceResponse, StreamableResponse } from '../core/operation.ts'
import { Paused } from '../core/execute.ts'
import { FaultFired, fire, preferredError } from './fault-fired.ts'
import { Faults, type Phase } from './faults.ts'
import { Gates } from './gates.ts'
import type { Match, MatchInput } from './rules.ts'

/** The hooks for each phase of a request that a fault or a gate can interrupt. */
export class Interception {
  readonly faults = new Faults()
  readonly gates = new Gates()
  readonly #byHeader: boolean

  constructor(byHeader: boolean) {
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
    if (!this.faults.has('onArrival', needsNoBody)) return
    const team = this.faults.has('onArrival', ({ team }) => team !== undefined) ? await teamOf() : undefined
    await this.#fire('onArrival', { operation: operation.id, team, fields: [] }, needsNoBody)
  }

  /** After authentication and parsing, for faults that depend on fields. */
  onBody(input: MatchInput): Promise<void> {
    return this.#fire('onArrival', input, (match) => !needsNoBody(match))
  }

  /** The callback for the end of a transaction's work. An error that it throws rolls the transaction back. */
  beforeCommit(input: MatchInput): () => void {
    let steps: Generator<Error, undefined> | undefined // continues when the transaction runs again
    return () => {
      steps ??= this.#stepsBeforeCommit(input)
      const { value } = steps.next()
      if (value) throw value
    }
  }

  /** After the commit. */
  async afterCommit(input: MatchInput, answered: StreamableResponse): Promise<StreamableResponse> {
    const whole = { ...answered, body: await wholeOf(answered) }
    await this.#fire('afterCommit', input, any, whole)
    const fault = this.faults.claimIn('inBody', input)
    if (!fault) return whole
    const { connection } = fault.effect
    const pause = () => this.faults.delay(fault, input)
    throw new FaultFired(fault.id, { answered: whole, inMiddle: { pause }, connection })
  }

  clear(team?: string): void {
    this.faults.clear(team)
    this.gates.clear(team)
  }

  async #fire(phase: Phase, input: MatchInput, choose: Choose, answered?: ServiceResponse): Promise<void> {
    const fault = this.faults.claimIn(phase, input, choose)
    if (!fault) return
    await this.faults.delay(fault, input)
    const fired = fire(fault.id, fault.effect, answered)
    if (fired) throw fired
  }

  *#stepsBeforeCommit(input: MatchInput): Generator<Error, undefined> {
    const held = this.gates.hold(input)
    if (held) yield new Paused(held)
    const fault = this.faults.claimIn('beforeCommit', input)
    if (!fault) return
    if (fault.effect.delay) yield new Paused(this.faults.delay(fault, input))
    const fired = fire(fault.id, fault.effect)
    // The store may run the transaction several times.
    while (fired) yield fired
  }
}

type Choose = (match: Match) => boolean

const any: Choose = () => true
const needsNoBody: Choose = ({ where }) => where === undefined

async function wholeOf({ body }: StreamableResponse): Promise<string> {
  if (typeof body === 'string') return body
  let whole = ''
  for await (const part of body) whole += part
  return whole
}
