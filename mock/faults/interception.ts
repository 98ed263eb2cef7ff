import type { IncomingHttpHeaders } from 'node:http'
import type { Operation } from '../../spec/operations.ts'
import type { Answered, AnsweredAtLength } from '../core/answered.ts'
import { Paused } from '../core/paused.ts'
import { FaultFired, fire } from './fault-fired.ts'
import { Faults, type Phase } from './faults.ts'
import { Gates } from './gates.ts'
import type { Match, Met } from './match.ts'
import { preferredError } from './preference.ts'

/** What the pipeline calls at each phase of a request that a fault or a gate may meet. */
export class Interception {
  readonly faults = new Faults(() => {
    this.#look()
  })
  readonly gates = new Gates(() => {
    this.#look()
  })
  /** False while there is no fault and no gate. */
  isOn = false
  readonly #byHeader: boolean

  constructor(byHeader: boolean) {
    this.#byHeader = byHeader
  }

  /** Whether a request that arrives may meet a fault: a rule's, or one that it asks for itself. */
  mayMeet({ prefer }: IncomingHttpHeaders): boolean {
    return this.isOn || (this.#byHeader && prefer !== undefined)
  }

  /** Before anything is looked at. */
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

  /** Before anything is looked at but the credential and the form of the body, for faults that depend on its fields. */
  onBody(met: Met): Promise<void> {
    return this.#fire('onArrival', met, (match) => !needsNoBody(match))
  }

  /** For a turn to call when its work is done. What it throws undoes the work. */
  beforeCommit(met: Met): () => void {
    let steps: Generator<Error, undefined> | undefined // goes on where it was when the turn runs again
    return () => {
      steps ??= this.#stepsBeforeCommit(met)
      const { value } = steps.next()
      if (value) throw value
    }
  }

  /** When everything is kept. */
  async afterCommit(met: Met, answered: AnsweredAtLength): Promise<AnsweredAtLength> {
    const whole = { ...answered, body: await wholeOf(answered) }
    await this.#fire('afterCommit', met, any, whole)
    const fault = this.faults.claim('inBody', met)
    if (!fault) return whole
    const { connection } = fault.effect
    const pause = () => this.faults.wait(fault, met)
    throw new FaultFired(fault.id, { answered: whole, inMiddle: { pause }, connection })
  }

  clear(team?: string): void {
    this.faults.clear(team)
    this.gates.clear(team)
  }

  async #fire(phase: Phase, met: Met, choose: Choose, answered?: Answered): Promise<void> {
    const fault = this.faults.claim(phase, met, choose)
    if (!fault) return
    await this.faults.wait(fault, met)
    const fired = fire(fault.id, fault.effect, answered)
    if (fired) throw fired
  }

  *#stepsBeforeCommit(met: Met): Generator<Error, undefined> {
    const held = this.gates.hold(met)
    if (held) yield new Paused(held)
    const fault = this.faults.claim('beforeCommit', met)
    if (!fault) return
    if (fault.effect.delay) yield new Paused(this.faults.wait(fault, met))
    const fired = fire(fault.id, fault.effect)
    // However often a store runs the turn.
    while (fired) yield fired
  }

  #look(): void {
    this.isOn = this.faults.hasLive() || this.gates.hasLive()
  }
}

type Choose = (match: Match) => boolean

const any: Choose = () => true
const needsNoBody: Choose = ({ where }) => where === undefined

async function wholeOf({ body }: AnsweredAtLength): Promise<string> {
  if (typeof body === 'string') return body
  let whole = ''
  for await (const part of body) whole += part
  return whole
}
