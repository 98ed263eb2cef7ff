import fc from 'fast-check'
import { type Bodies, createBodies } from '../../client/bodies.ts'
import { NotAllowed } from '../../client/errors.ts'
import { makes } from '../../client/kinds.ts'
import type { Mint } from '../../client/mint.ts'
import type { Input } from '../../client/request.ts'
import { isWithin, type Target } from '../../client/target/target.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { sends } from '../../spec/operation-groups.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'

/**
 * A request for both sides. A value that differs between the sides is a name, such as `«email 3»`, or `«from 5 data._id»`
 * for the id in the response to step 5.
 */
export interface Step {
  readonly n: number
  readonly operation: OperationId
  readonly input: StepInput
  /** Milliseconds to wait after a success. */
  readonly pause: number
}

/** The input of a call, with the fields of a form in `fields`. */
export type StepInput = Omit<Input, 'form'> & { readonly fields?: Readonly<Record<string, string>> }

export type RecordKind = 'company' | 'product' | 'deal' | 'quote'
export type Kind = RecordKind | 'contact' | 'conversation' | 'message' | 'template' | 'whatsappTemplate'

export interface PlanOptions {
  readonly target: Target
  readonly choices: WrittenChoices
  readonly limit: number
  /** Whether the team has few enough templates to list them all. */
  readonly listsTemplates: boolean
  readonly seed: number
  /** The next place in each list that plans pick from in turn. */
  readonly turns?: Map<readonly unknown[], number>
}

/** Beyond this machine, a run may send few messages. */
const mostSendsElsewhere = 4

const longestPause = 2_000

/** Random requests, and the records that exist if every request succeeds. The same seed gives the same requests. */
export class Plan {
  readonly steps: Step[] = []
  readonly target: Target
  readonly mint = createNamingMint()
  readonly bodies: Bodies
  /** The time that a bulk send and an approval take; `undefined` if that is too long to wait for. */
  readonly bulkPause: number | undefined
  readonly approvalPause: number | undefined
  readonly #options: PlanOptions
  readonly #random: fc.GeneratorValue
  readonly #turns: Map<readonly unknown[], number>
  readonly #known = new Map<string, string[]>()
  readonly #deleted = new Map<string, string>()
  #sent = 0

  constructor(options: PlanOptions) {
    const { target, choices, seed } = options
    this.#options = options
    this.#random = fc.sample(fc.gen(), { seed, numRuns: 1 })[0] as fc.GeneratorValue
    this.#turns = options.turns ?? new Map()
    this.target = target
    this.bodies = createBodies({
      mint: this.mint,
      target: { ...target, places: { ...target.places, pipeline: '«pipeline»', stage: '«stage»' } },
      recipient: { email: () => this.recipient('email'), phone: () => this.recipient('phone') },
      provider: (channel, by) => this.#provider(channel, by),
    })
    this.bulkPause = pauseFor(choices.bulkDelivery)
    this.approvalPause = pauseFor(choices.whatsappApproval)
  }

  get isFull(): boolean {
    return this.steps.length >= this.#options.limit
  }

  /** A random whole number from 0 to `max`. */
  number(max: number): number {
    return this.#random(fc.nat, { max })
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.number(values.length - 1)] as Value
  }

  /** Picks from a list one value after the other, beginning anywhere, so that a run has them all. */
  pickInTurn<Value>(values: readonly Value[]): Value {
    const turn = this.#turns.get(values) ?? this.number(values.length - 1)
    this.#turns.set(values, turn + 1)
    return values[turn % values.length] as Value
  }

  pickWeighted<Value>(weighted: readonly (readonly [weight: number, value: Value])[]): Value {
    return this.pick(weighted.flatMap(([weight, value]) => Array<Value>(weight).fill(value)))
  }

  chance(percent: number): boolean {
    return this.number(99) < percent
  }

  addKnown(kind: Kind | 'email' | 'phone', id: string): void {
    this.#known.set(kind, [id, ...(this.#known.get(kind) ?? [])])
  }

  remove(kind: Kind, id: string): void {
    const others = (this.#known.get(kind) ?? []).filter((one) => one !== id)
    this.#known.set(kind, others)
    this.#deleted.set(kind, id)
  }

  /** A known record or address, 0 for the latest. */
  known(kind: Kind | 'email' | 'phone', back = 0): string | undefined {
    const known = this.#known.get(kind) ?? []
    return known[Math.min(back, known.length - 1)]
  }

  /** The id of a random record, which may be deleted or unknown. */
  anyId(kind: Kind): string {
    const back = this.number(9)
    const deleted = back >= 8 ? this.#deleted.get(kind) : undefined
    return deleted ?? this.known(kind, Math.floor(back / 3)) ?? this.mint.unknownId()
  }

  /** An address that may receive messages. */
  recipient(kind: 'email' | 'phone'): string {
    if (this.target.loopback) return this.mint[kind]()
    if (this.target.recipients[kind].length > 0) return `«to ${kind}»`
    throw new NotAllowed(`needs a person who may be written to: --${kind}-to`)
  }

  #provider(channel: 'email' | 'sms' | 'whatsapp', by?: 'id' | 'address'): string {
    const known = this.target.providers[channel] ?? {}
    const way = (['id', 'address'] as const).find((one) => known[one] !== undefined && (by ?? one) === one)
    if (way === undefined) throw new NotAllowed(`needs a provider: --${channel}-provider`)
    return `«provider ${channel} ${way}»`
  }

  /** Adds a request if the operator allows it, and returns the number of the step. */
  add(operation: OperationId, input: StepInput): number | undefined {
    if (!this.#isAllowed(operation)) return undefined
    if (isSend(operation)) this.#sent++
    const n = this.steps.length + 1
    this.steps.push({ n, operation, input, pause: this.#pauseAfter(operation, input) })
    return n
  }

  #isAllowed(operation: OperationId): boolean {
    const { target, listsTemplates } = this.#options
    const { effect, method } = operations[operation]
    if (this.isFull || !isWithin(effect, target.upTo) || (target.upTo === 'read' && method !== 'get')) return false
    if (operation === 'listTemplates' && !listsTemplates) return false
    return !isSend(operation) || target.loopback || this.#sent < mostSendsElsewhere
  }

  #pauseAfter(operation: OperationId, { body, fields }: StepInput): number {
    if (operation === 'sendBulkMessages') return this.bulkPause ?? 0
    const { templateType } = (body ?? fields ?? {}) as { templateType?: unknown }
    return /^(?:create|update)Template$/.test(operation) && templateType === 'whatsapp' ? (this.approvalPause ?? 0) : 0
  }
}

const isSend = (operation: OperationId) => sends.some((id) => id === operation)

/** Whether a created record carries a generated value, without which the run could not delete it. */
export function isRecognizable(operation: OperationId, { body, text, fields }: StepInput): boolean {
  const isMarked = /«(?:email|phone|spaced|name|slug) /i.test(JSON.stringify([body, text, fields]))
  return makes[operation] === undefined || isMarked
}

/** Returns names instead of values, such as `«email 3»`. */
function createNamingMint(): Mint {
  let count = 0
  const name = (kind: string) => `«${kind} ${++count}»`
  return {
    run: '«run»',
    email: () => name('email'),
    phone: () => name('phone'),
    name: (noun) => `${noun} ${name('name')}`,
    surname: (noun) => `${noun} ${name('name')}`,
    slug: (noun) => `${noun}_${name('slug')}`,
    unknownId: () => name('unknown'),
    key: () => name('key'),
    marks: () => true,
  }
}

/** Milliseconds until an effect has surely happened; 0 if it happens at once or never. */
function pauseFor(written: string | undefined): number | undefined {
  const [, delay] = /^afterDelay:(\d+)$/.exec(written ?? '') ?? []
  if (delay === undefined) return 0
  const pause = Number(delay) * 1.25 + 100
  return pause <= longestPause ? pause : undefined
}
