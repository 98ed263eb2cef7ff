import { NotAllowed } from '../../client/errors.ts'
import type { Mint } from '../../client/mint.ts'
import { type Bodies, createBodies } from '../../client/operations/index.ts'
import type { Target } from '../../client/target/target.ts'
import type { Ground } from '../../client/tools.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { longestPause } from './side.ts'
import type { Draw, Step, StepInput } from './walk.ts'

/** A person whom a walk knows, with names for the id and the addresses. */
export interface Person {
  readonly id: string
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

export interface Conversation {
  readonly id: string
  readonly person?: Person
}

export interface KnownTemplate {
  readonly id: string
  readonly type: 'sms' | 'email' | 'whatsapp'
}

interface WalkerOptions {
  readonly target: Target
  readonly draw: Draw
  readonly choices: WrittenChoices
}

/** Writes a walk, and keeps in mind what it has made, as if every request succeeded. */
export class Walker {
  readonly target: Target
  readonly draw: Draw
  readonly steps: Step[] = []
  /** Of what was chosen from by its name: the places that have not come yet. */
  readonly #rests = new Map<string, number[]>()
  readonly mint: Mint
  readonly some: Bodies
  readonly people: Pool<Person>
  readonly conversations: Pool<Conversation>
  readonly templates: Pool<KnownTemplate>
  readonly messages: Pool<{ readonly id: string }>
  readonly records: Readonly<Record<'company' | 'product' | 'deal' | 'quote', Pool<{ readonly id: string }>>>
  /** How long a bulk send, and an approval, take; `undefined` when that is not waited for. */
  readonly bulkPause: number | undefined
  readonly approvalPause: number | undefined

  constructor({ target, draw, choices }: WalkerOptions) {
    this.target = target
    this.draw = draw
    this.mint = namingMint()
    this.some = createBodies(this.#ground())
    this.people = new Pool(draw)
    this.conversations = new Pool(draw)
    this.templates = new Pool(draw)
    this.messages = new Pool(draw)
    this.records = { company: new Pool(draw), product: new Pool(draw), deal: new Pool(draw), quote: new Pool(draw) }
    this.bulkPause = pauseFor(choices.bulkDelivery)
    this.approvalPause = pauseFor(choices.whatsappApproval)
  }

  add(operation: OperationId, input: StepInput, pause = 0): number {
    const n = this.steps.length + 1
    this.steps.push({ n, operation, input, ...(pause > 0 ? { pause } : {}) })
    return n
  }

  /** Whether something happens that happens so often, in percent. */
  chance(percent: number): boolean {
    return this.draw(100) < percent
  }

  /** One of these, and each of them before one comes again. */
  oneOf<Value extends string | number>(values: readonly Value[]): Value {
    return this.deal(values.join('|'), values)
  }

  /** The same for a list of any kind, by its name. */
  deal<Value>(name: string, values: readonly Value[]): Value {
    const rest = this.#rests.get(name) ?? []
    if (rest.length === 0) rest.push(...values.keys())
    this.#rests.set(name, rest)
    const [at = 0] = rest.splice(this.draw(rest.length), 1)
    const value = values[at]
    if (value === undefined) throw new RangeError(`there is nothing to choose from: ${name}`)
    return value
  }

  /** Any of these, whatever came before. */
  anyOf<Value>(values: readonly Value[]): Value {
    const value = values[this.draw(values.length)]
    if (value === undefined) throw new RangeError('there is nothing to choose from')
    return value
  }

  /** Some of these fields, each more often than not. */
  someOf(fields: Readonly<Record<string, () => unknown>>): Record<string, unknown> {
    const chosen = Object.entries(fields).filter(() => this.chance(60))
    return Object.fromEntries(chosen.map(([name, make]) => [name, make()]))
  }

  email(): string {
    const known = this.people.pick()?.email
    if (known === undefined || this.chance(50)) return this.mint.email()
    return this.chance(12) ? known.replace('email', 'EMAIL') : known
  }

  phone(): string {
    const known = this.people.pick()?.phone
    if (known === undefined || this.chance(70))
      return this.chance(5) ? this.mint.phone().replace('phone', 'spaced') : this.mint.phone()
    return known
  }

  /** A provider of the team, by its id or its address. */
  provider(channel: 'email' | 'sms' | 'whatsapp', by?: 'id' | 'address'): string {
    const known = this.target.providers[channel] ?? {}
    const ways = (['id', 'address'] as const).filter((way) => known[way] !== undefined && (by ?? way) === way)
    if (ways.length === 0) throw new NotAllowed(`needs a provider: --${channel}-provider`)
    return `«provider ${channel} ${this.oneOf(ways)}»`
  }

  #ground(): Ground {
    const { target } = this
    const recipient = (kind: 'email' | 'phone') => {
      if (target.loopback) return this[kind]()
      if (target.recipients[kind].length === 0)
        throw new NotAllowed(`needs a person who may be written to: --${kind}-to`)
      return `«to ${kind}»`
    }
    return {
      mint: this.mint,
      target: { ...target, places: { ...target.places, pipeline: '«pipeline»', stage: '«stage»' } },
      recipient: { email: () => recipient('email'), phone: () => recipient('phone') },
      provider: (channel, by) => this.provider(channel, by),
    }
  }
}

/** Records that a walk knows. It comes back to the latest ones, and now and then to one that it has deleted. */
export class Pool<Item extends object> {
  readonly #draw: Draw
  readonly #live: Item[] = []
  readonly #dead: Item[] = []

  constructor(draw: Draw) {
    this.#draw = draw
  }

  /** How many of them are not deleted. */
  get size(): number {
    return this.#live.length
  }

  add(item: Item): void {
    this.#live.push(item)
  }

  /** The latest of them most often. */
  pick(): Item | undefined {
    const latest = this.#draw(10) < 7 ? Math.min(3, this.#live.length) : this.#live.length
    return this.#live[this.#live.length - 1 - this.#draw(Math.max(latest, 1))]
  }

  /** Perhaps one that is deleted. */
  pickAny(): Item | undefined {
    return this.#dead.length > 0 && this.#draw(100) < 8 ? this.#dead[this.#dead.length - 1] : this.pick()
  }

  lastDead(): Item | undefined {
    return this.#dead.at(-1)
  }

  remove(isGone: (item: Item) => boolean): void {
    const gone = this.#live.filter(isGone)
    this.#dead.push(...gone)
    for (const item of gone) this.#live.splice(this.#live.indexOf(item), 1)
  }
}

/** Makes names in place of values, such as `«email 3»`. */
function namingMint(): Mint {
  let count = 0
  const name = (kind: string) => `«${kind} ${++count}»`
  return {
    run: '«run»',
    email: () => name('email'),
    phone: () => name('phone'),
    name: (noun) => `${noun} ${name('name')}`,
    slug: (noun) => `${noun}_${name('slug')}`,
    unknownId: () => name('unknown'),
    key: () => name('key'),
    marks: () => true,
  }
}

/** Milliseconds until something has surely happened; 0 when it happens at once or never. */
function pauseFor(written: string | undefined): number | undefined {
  const [, delay] = /^afterDelay:(\d+)$/.exec(written ?? '') ?? []
  if (delay === undefined) return 0
  const pause = Number(delay) * 1.25 + 100
  return pause <= longestPause ? pause : undefined
}
