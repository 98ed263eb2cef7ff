import { NotAllowed } from '../client/errors.ts'
import type { Mint } from '../client/mint.ts'
import type { Input } from '../client/request.ts'
import { isWithin, type Target } from '../client/target/target.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { sends } from '../../spec/operation-groups.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { longestPause } from './side.ts'
import type { Step } from '../client/steps.ts'

export type ModelKind =
  | (
      | 'company'
      | 'product'
      | 'deal'
      | 'quote'
      | 'contact'
      | 'conversation'
      | 'message'
      | 'template'
      | 'whatsappTemplate'
    )
  | ('email' | 'phone')

/** The side that receives the steps. */
export type Real = (step: Step) => Promise<void>

interface ModelOptions {
  readonly target: Target
  readonly choices: WrittenChoices
  /** The most requests of a run. */
  readonly limit: number
  /** Whether the team has few enough templates to list them all. */
  readonly listsTemplates: boolean
  /** Whether all kinds of stories have the same share of a run. */
  readonly isBalanced: boolean
}

/** Beyond this machine, a run may send few messages. */
const mostSendsElsewhere = 4

/** The records that a run has created, if every request has succeeded. */
export class Model {
  readonly target: Target
  readonly mint = namingMint()
  /** The time that a bulk send and an approval take; `undefined` if that is too long to wait for. */
  readonly bulkPause: number | undefined
  readonly approvalPause: number | undefined
  /** The records and addresses of the story. */
  own: Partial<Record<ModelKind, string>> & { templateType?: unknown } = {}
  /** The requests of the story. */
  sent: { readonly operation: OperationId; readonly input: Input }[] = []
  readonly #options: ModelOptions
  readonly #known = new Map<ModelKind, string[]>()
  readonly #deleted = new Map<ModelKind, string[]>()
  readonly #stories = new Map<unknown, number>()
  #steps = 0
  #sends = 0

  constructor(options: ModelOptions) {
    const { target, choices } = options
    this.#options = options
    this.target = target
    this.bulkPause = pauseFor(choices.bulkDelivery)
    this.approvalPause = pauseFor(choices.whatsappApproval)
  }

  /** Whether a story may begin. In a balanced run, none of `kinds` kinds has more than its share. */
  mayBegin(kind: unknown, kinds: number): boolean {
    const all = [...this.#stories.values()].reduce((sum, count) => sum + count, 0)
    const isInTurn = (this.#stories.get(kind) ?? 0) * kinds <= all
    return this.#steps < this.#options.limit && (isInTurn || !this.#options.isBalanced)
  }

  begin(kind: unknown): void {
    this.#stories.set(kind, (this.#stories.get(kind) ?? 0) + 1)
    this.own = {}
    this.sent = []
  }

  /** Notes a record or an address of the story. */
  adopt(kind: ModelKind, id: string): void {
    this.own[kind] = id
    this.#known.set(kind, [id, ...(this.#known.get(kind) ?? [])])
  }

  remove(kind: ModelKind, id: string): void {
    const others = (this.#known.get(kind) ?? []).filter((one) => one !== id)
    this.#known.set(kind, others)
    this.#deleted.set(kind, [id, ...(this.#deleted.get(kind) ?? [])])
  }

  /** A known record or address, 0 for the latest. */
  pick = (kind: ModelKind, back = 0): string | undefined => {
    const known = this.#known.get(kind) ?? []
    return known[Math.min(back, known.length - 1)]
  }

  /** The record of the story, or the latest. */
  id(kind: ModelKind): string {
    return this.own[kind] ?? this.pick(kind) ?? this.mint.unknownId()
  }

  /** A record of the run, which may be deleted or unknown; from 0 for the latest to 9. */
  idBefore(kind: ModelKind, back: number): string {
    const deleted = back >= 8 ? this.#deleted.get(kind)?.[0] : undefined
    return deleted ?? this.pick(kind, Math.floor(back / 3)) ?? this.mint.unknownId()
  }

  /** An address that messages may be sent to. */
  recipient = (kind: 'email' | 'phone'): string => {
    if (this.target.loopback) return this.mint[kind]()
    if (this.target.recipients[kind].length === 0) throw new NotAllowed('missing', `needs a recipient: --${kind}-to`)
    return `«to ${kind}»`
  }

  /** A provider of the team, by its id or its address. */
  provider = (channel: 'email' | 'sms' | 'whatsapp', by?: 'id' | 'address'): string => {
    const known = this.target.providers[channel] ?? {}
    const way = (['id', 'address'] as const).find((one) => known[one] !== undefined && (by ?? one) === one)
    if (way === undefined) throw new NotAllowed('missing', `needs a provider: --${channel}-provider`)
    return `«provider ${channel} ${way}»`
  }

  /** Sends a request if the run may, and returns the number of the step. */
  async send(real: Real, operation: OperationId, input: Input): Promise<number | undefined> {
    const pause = this.#pauseAfter(operation, input)
    if (pause === undefined || !this.#may(operation)) return undefined
    if (isSend(operation)) this.#sends++
    this.sent.push({ operation, input })
    const n = ++this.#steps
    await real({ n, operation, input, pause })
    return n
  }

  #may(operation: OperationId): boolean {
    const { target, listsTemplates, limit } = this.#options
    const { effect, method } = operations[operation]
    if (this.#steps >= limit || !isWithin(effect, target.upTo)) return false
    if (target.upTo === 'read' && method !== 'get') return false
    if (operation === 'listTemplates' && !listsTemplates) return false
    return !isSend(operation) || target.loopback || this.#sends < mostSendsElsewhere
  }

  #pauseAfter(operation: OperationId, { body, form }: Input): number | undefined {
    if (operation === 'sendBulkMessages') return this.bulkPause ?? 0
    const { templateType } = (body ?? form ?? {}) as { templateType?: unknown }
    return /^(?:create|update)Template$/.test(operation) && templateType === 'whatsapp' ? this.approvalPause : 0
  }
}

export const from = (n: number, path: string) => `«from ${n} ${path}»`

const isSend = (operation: OperationId) => sends.some((id) => id === operation)

/** Returns names instead of values, such as `«email 3»`. */
function namingMint(): Mint {
  let count = 0
  const name = (kind: string) => `«${kind} ${++count}»`
  return {
    run: '«run»',
    letters: '«letters»',
    number: () => ++count,
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

/** Returns the milliseconds until an effect has surely happened; 0 if it happens at once or never. */
function pauseFor(written: string | undefined): number | undefined {
  const [, delay] = /^afterDelay:(\d+)$/.exec(written ?? '') ?? []
  if (delay === undefined) return 0
  const pause = Number(delay) * 1.25 + 100
  return pause <= longestPause ? pause : undefined
}
