import { NotAllowed } from '../../client/errors.ts'
import type { Mint } from '../../client/mint.ts'
import { type Bodies, createBodies } from '../../client/operations/index.ts'
import type { Target } from '../../client/target/target.ts'
import type { Ground } from '../../client/tools.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { longestPause } from './side.ts'
import { Pool } from './pool.ts'
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

/** Fields of a body, and how the value of each is made. */
export type Fields = Readonly<Record<string, () => unknown>>

/** Of each thing that is dealt, by its name: the places of what has not come yet. */
export type Decks = Map<string, number[]>

interface WalkerOptions {
  readonly target: Target
  readonly draw: Draw
  readonly choices: WrittenChoices
  readonly decks: Decks
}

/** Writes a walk, and keeps in mind what it has made, as if every request succeeded. */
export class Walker {
  readonly target: Target
  readonly draw: Draw
  readonly steps: Step[] = []
  readonly #decks: Decks
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

  constructor({ target, draw, choices, decks }: WalkerOptions) {
    this.target = target
    this.draw = draw
    this.#decks = decks
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
    const deck = this.#decks.get(name) ?? []
    if (deck.length === 0) deck.push(...values.keys())
    this.#decks.set(name, deck)
    const [at = 0] = deck.splice(this.draw(deck.length), 1)
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
  someOf(fields: Fields): Record<string, unknown> {
    return allOf(Object.fromEntries(Object.entries(fields).filter(() => this.chance(60))))
  }

  /** Up to a third of these fields, and each of them before one comes again. */
  fewOf(of: string, fields: Fields): Record<string, unknown> {
    const entries = Object.entries(fields)
    const length = 1 + this.draw(Math.ceil(entries.length / 3))
    return allOf(Object.fromEntries(Array.from({ length }, () => this.deal(of, entries))))
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

export const allOf = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, make]) => [name, make()]))

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
