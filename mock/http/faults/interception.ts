import type { IncomingHttpHeaders } from 'node:http'
import { type Awaitable, andThen } from '../../../lib/async.ts'
import type { Operation } from '../../../spec/operations.ts'
import type { ChangeSubscriptions } from '../../core/changes.ts'
import type { LongText } from '../../core/long-json.ts'
import type { Part } from '../../core/shared-settings.ts'
import type { Hold, Tallies } from '../../store/port.ts'
import type { MemoryBudget } from '../../store/retention.ts'
import { Paused } from '../../core/execute.ts'
import type { ServiceResponse, StreamableResponse } from '../../core/operation.ts'
import { delayOf, FaultFired, fire, phaseOf, preferredError } from './failure.ts'
import { Gates, type StoredGate } from './gates.ts'
import type { MatchInput } from './match.ts'
import { firingsOf, type Rule, type RuleList, Rules } from './rules.ts'
import type { FaultResponse, Phase, StoredFault } from './schemas.ts'

interface RuleSettings {
  readonly changes: ChangeSubscriptions
  part(name: 'faults'): Part<RuleList<StoredFault>>
  part(name: 'gates'): Part<RuleList<StoredGate>>
}

/** Takes memory until the response has ended, or throws. */

/** The hooks for each phase of a request that a fault or a gate can interrupt. */
export class Interception {
  readonly faults: Faults
  readonly gates: Gates
  /** Whether there is an active fault or an active gate. A field, since every request reads it. */
  isOn = false
  readonly #byHeader: boolean
  readonly #changes: ChangeSubscriptions
  readonly #memory: MemoryBudget

  constructor(byHeader: boolean, settings: RuleSettings, tallies: Tallies, memory: MemoryBudget) {
    this.faults = new Faults(settings.part('faults'), tallies, memory)
    this.gates = new Gates(settings.part('gates'), tallies, memory)
    this.#memory = memory
    this.#byHeader = byHeader
    this.#changes = settings.changes
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

  /** After the commit. A long response is collected only for a fault that changes it. */
  async afterCommit(input: MatchInput, response: StreamableResponse, hold: Hold): Promise<StreamableResponse> {
    const fault = await this.#claim('afterCommit', input)
    if (fault) await this.#apply(fault, input, await originalFor(responseOf(fault), response, hold))
    const inBody = await this.#claim('inBody', input)
    if (!inBody) return response
    const { id } = inBody
    const { connection } = responseOf(inBody)
    const whole = { ...response, body: await collect(response.body, hold) }
    throw new FaultFired(id, { response: whole, pause: () => this.#delay(inBody, input), connection })
  }

  /** Applies changes to the requests that wait. */
  settle(changed: readonly (string | undefined)[]): void {
    this.faults.settle(changed)
    this.gates.settle(changed)
    this.#memory.used.rules = this.faults.bytes + this.gates.bytes
    this.isOn = this.faults.hasLive() || this.gates.hasLive()
  }

  /** Removes the counts of rules that are in no list any more. */
  forget(rules: readonly Rule[]): Promise<void> {
    return this.faults.forget(rules)
  }

  /** Ends the requests that wait in this process. */
  async close(): Promise<void> {
    await this.faults.close()
    await this.gates.close()
    this.isOn = false
  }

  /** Applies the first fault that matches; undefined when none does. */
  #fire(phase: Phase, input: MatchInput, mayApply?: (fault: StoredFault) => boolean): Promise<void> | undefined {
    const claimed = this.#claim(phase, input, mayApply)
    return claimed && Promise.resolve(claimed).then((fault) => fault && this.#apply(fault, input))
  }

  #claim(phase: Phase, input: MatchInput, mayApply: (fault: StoredFault) => boolean = () => true) {
    return andThen(
      this.faults.claim(input, (fault) => phaseOf(fault) === phase && mayApply(fault)),
      (fault) => {
        if (!fault) return undefined
        this.isOn = this.faults.hasLive() || this.gates.hasLive()
        this.#changes.notifyAll()
        return fault
      },
    )
  }

  async #apply(fault: StoredFault, input: MatchInput, original?: ServiceResponse): Promise<void> {
    await this.#delay(fault, input)
    const fired = fire(fault.id, responseOf(fault), original)
    if (fired) throw fired
  }

  async #delay(fault: StoredFault, input: MatchInput): Promise<void> {
    const response = responseOf(fault)
    if (response.delay !== undefined) await this.faults.wait(fault.id, input, delayOf(response))
  }
}

class Faults extends Rules<StoredFault> {
  protected readonly word = 'fault'
  /** The ids of faults that apply to no more requests. */
  readonly #usedUp = new Set<string>()

  protected isLive({ id }: StoredFault): boolean {
    return !this.#usedUp.has(id)
  }

  protected apply(fault: StoredFault): Awaitable<StoredFault | undefined> {
    const most = mostOf(fault)
    return andThen(this.tallies.add([firingsOf(fault)], most), ([fired]) => {
      this.#note({ ...fault, fired: fired ?? most })
      return fired === undefined ? undefined : { ...fault, fired }
    })
  }

  protected override counted(fault: StoredFault, tallies: ReadonlyMap<string, number>): StoredFault {
    const counted = { ...super.counted(fault, tallies), fired: tallies.get(firingsOf(fault).name) ?? 0 }
    this.#note(counted)
    return counted
  }

  override async forget(rules: readonly Rule[]): Promise<void> {
    for (const { id } of rules) this.#usedUp.delete(id)
    await super.forget(rules)
  }

  #note(fault: StoredFault): void {
    if (isUsedUp(fault)) this.#usedUp.add(fault.id)
  }
}

/** With `responses` a fault applies once for each of them, with `nth` once. */
const mostOf = ({ nth, responses, times }: StoredFault) =>
  times ?? responses?.length ?? (nth === undefined ? Infinity : 1)

export const isUsedUp = (fault: StoredFault) => fault.fired >= mostOf(fault)

/** The effect on the request that the fault has just been applied to. */
const responseOf = (fault: StoredFault): FaultResponse => fault.responses?.[fault.fired - 1] ?? fault

const needsNoBody = ({ where }: StoredFault) => where === undefined

/** The response to change; without the body, where a fault takes nothing of it. */
async function originalFor(
  { connection, status, body, merge, headers }: FaultResponse,
  original: StreamableResponse,
  hold: Hold,
): Promise<ServiceResponse> {
  const changesIt =
    connection === undefined && (merge === true || (status === undefined && (body ?? headers) !== undefined))
  return { ...original, body: changesIt ? await collect(original.body, hold, merge ? timesOfValues : 2) : '' }
}

/** JSON and its values take this many times the bytes of the JSON. */
const timesOfValues = 6

async function collect(body: string | LongText, hold: Hold, times = 2): Promise<string> {
  if (typeof body === 'string') return body
  const parts: Buffer[] = []
  for await (const part of body) {
    hold(part.length * times)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
