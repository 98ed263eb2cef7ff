import fc from 'fast-check'
import { NotAllowed } from '../../../client/errors.ts'
import { operations } from '../../../spec/operations.ts'
import type { OperationId } from '../../../spec/types.ts'
import { from, type Model, type Real } from '../model.ts'
import type { StepInput } from '../steps.ts'
import { plain, type Twist } from './twists.ts'

/** One or more requests about the records of a story. */
export type Act = (scene: Scene) => Promise<unknown>

/** A value of a request, or a function that returns it once the records are known. */
export type Value = string | number | boolean | object | undefined | ((scene: Scene) => unknown)
export type Fields = Readonly<Record<string, fc.Arbitrary<Value>>>
type Filled = readonly (readonly [name: string, value: Value])[]

/** The records that a story is about, and its requests so far. */
export class Scene {
  readonly model: Model
  readonly own: Partial<Record<'contact' | 'conversation' | 'message' | 'template' | 'email' | 'phone', string>> &
    Partial<Record<RecordName, string>> & { templateType?: 'sms' | 'email' | 'whatsapp' } = {}
  readonly #real: Real
  readonly #sent: { readonly operation: OperationId; readonly input: StepInput }[] = []
  #twist: Twist = plain
  #key: string | undefined

  constructor(model: Model, real: Real) {
    this.model = model
    this.#real = real
  }

  async play(act: Act, twist: Twist = plain): Promise<void> {
    this.#twist = twist
    try {
      await act(this)
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error
    }
  }

  /** Sends a request, and returns its number if it should succeed. */
  async send(operation: OperationId, given: StepInput): Promise<number | undefined> {
    const { takesIdempotencyKey } = operations[operation]
    const { input, isGood } = this.#twist({ operation, input: given, model: this.model, key: this.#key })
    this.#twist = plain
    if (takesIdempotencyKey) this.#key = input.key ?? this.#key
    const n = await this.model.send(this.#real, operation, input)
    if (n !== undefined) this.#sent.push({ operation, input })
    return isGood ? n : undefined
  }

  /** Sends an earlier request of the story again, with its key. */
  async repeat(back: number): Promise<void> {
    const earlier = this.#sent.at(-1 - Math.min(back, this.#sent.length - 1))
    if (earlier) await this.send(earlier.operation, earlier.input)
  }

  id(kind: 'contact' | 'conversation' | 'template' | 'company' | 'product' | 'deal' | 'quote'): string {
    return this.own[kind] ?? this.model.id(kind)
  }

  /** Notes the record that a step has created. */
  adopt(kind: 'contact' | 'conversation' | 'message' | 'template' | RecordName, n: number, path = 'data._id'): void {
    this.own[kind] = from(n, path)
    this.model.add(kind, from(n, path))
  }

  fill(fields: Filled): Record<string, unknown> {
    return Object.fromEntries(fields.map(([name, value]) => [name, typeof value === 'function' ? value(this) : value]))
  }
}

type RecordName = 'company' | 'product' | 'deal' | 'quote'

export type ActAndRead = readonly [act: Act, twist: Twist, read: Act | null]

type Ending = readonly [removal: ActAndRead, read: Act]

/** A kind of story. */
export interface Kind {
  readonly weight: number
  /** Creates the record of the story. */
  readonly opening: fc.Arbitrary<Act>
  /** The requests that may follow, each with how often it does. */
  readonly acts: readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<Act> }[]
  /** Requests that show the effect of the others, and how often one of them follows, in percent. */
  readonly reads: readonly Act[]
  readonly readsInPercent?: number
  readonly removals: readonly Act[]
}

/** A model command: creates a record, and sends further requests about it. */
export class Story implements fc.AsyncCommand<Model, Real> {
  readonly #opening: Act
  readonly #acts: readonly ActAndRead[]
  readonly #ending: Ending | null
  readonly #kind: string
  readonly #oneIn: number

  constructor(
    { kind, oneIn }: { readonly kind: string; readonly oneIn: number },
    opening: Act,
    acts: readonly ActAndRead[],
    ending: Ending | null = null,
  ) {
    this.#kind = kind
    this.#oneIn = oneIn
    this.#opening = opening
    this.#acts = acts
    this.#ending = ending
  }

  check(model: Readonly<Model>): boolean {
    return model.mayRun(this.#kind, this.#oneIn)
  }

  async run(model: Model, real: Real): Promise<void> {
    const scene = new Scene(model, real)
    model.noteStory(this.#kind)
    await scene.play(this.#opening)
    const [removal, lastRead] = this.#ending ?? []
    for (const [act, twist, read] of removal ? [...this.#acts, removal] : this.#acts) {
      await scene.play(act, twist)
      if (read) await scene.play(read)
    }
    if (lastRead) await scene.play(lastRead)
  }

  toString(): string {
    return this.#kind
  }
}

/** A few of these fields, so that a change shows which others were lost. */
const few = (fields: Fields): fc.Arbitrary<Filled> => {
  const entries = Object.entries(fields).map(([name, value]) => fc.tuple(fc.constant(name), value))
  const most = Math.ceil(entries.length / 3)
  return fc.array(fc.oneof(...entries), { maxLength: most, size: 'max' })
}

const most = (fields: Fields): fc.Arbitrary<Filled> =>
  fc.record(fields, { requiredKeys: [] }).map((filled) => Object.entries(filled))

/** Mostly a few fields, sometimes nearly all. */
export const some = (fields: Fields): fc.Arbitrary<Filled> =>
  fc.oneof({ weight: 2, arbitrary: few(fields) }, { weight: 1, arbitrary: most(fields) })

/** A record that another story may have created or deleted, or an unknown one. */
export const any = (kind: 'contact' | 'company' | 'template' | 'deal') =>
  fc.nat({ max: 9 }).map(
    (back): Value =>
      ({ model }: Scene) =>
        model.id(kind, back),
  )

export const computed = (make: (scene: Scene) => unknown): fc.Arbitrary<Value> => fc.constant(make)

export const oneOf = (...values: readonly (string | number | boolean | readonly unknown[])[]): fc.Arbitrary<Value> =>
  fc.constantFrom(...values)

/** Servers may trim, cut or escape these texts, or lose characters outside ASCII. */
const unusual: readonly ((text: string) => string)[] = [
  (text) => `${text} ${'and so on '.repeat(60)}.`,
  (text) => ` ${text} `,
  (text) => `${text} – “naïve” 😀`,
  (text) => `${text} <b>bold</b> & 'quoted' "twice"`,
  (text) => `${text}\nsecond line`,
]

const same = (text: string) => text

export const text = (noun: string): fc.Arbitrary<Value> =>
  fc.constantFrom(same, same, ...unusual).map(
    (change) =>
      ({ model }: Scene) =>
        change(model.mint.name(noun)),
  )

export const textOrNothing = (noun: string): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 7, arbitrary: text(noun) }, { weight: 1, arbitrary: fc.constant('') })

/** Servers store these in different ways: none, whole, with several decimals, and large. */
export const price = oneOf(250.25, 0, 1, 19.999, 0.1, 1_250_000.5, 1e9)

export const count = oneOf(12, 31, 0, 2_500_000)

export const customFields: fc.Arbitrary<Value> = fc.record(
  {
    pigeons: fc.constantFrom(12, 0, 2_500_000),
    colour: fc.constantFrom('blue', '', 'grün'),
    tags: fc.constant(['a', 'b']),
    isKnown: fc.boolean(),
  },
  { requiredKeys: [] },
)

export const path = (parameter: string, id: string) => ({ path: { [parameter]: id } })
