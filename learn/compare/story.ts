import { NotAllowed } from '../../client/errors.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Kind, Plan, StepInput } from './plan.ts'
import { plain, type Twist } from './twists.ts'

/** One or more requests about the records of a story. */
export type Act = (story: Story) => unknown

/** A value of a field. */
export type Value = (story: Story) => unknown
export type Fields = Readonly<Record<string, Value>>

/** A few related requests, and the records that they are about. */
export class Story {
  readonly plan: Plan
  readonly own: Partial<Record<Kind | 'email' | 'phone', string>> & { templateType?: 'sms' | 'email' | 'whatsapp' } = {}
  readonly #sent: { readonly operation: OperationId; readonly input: StepInput }[] = []
  #twist: Twist = plain
  #key: string | undefined

  constructor(plan: Plan) {
    this.plan = plan
  }

  /** Plans the requests of an act; an act that the operator does not allow is left out. */
  play(act: Act, twist: Twist = plain): void {
    this.#twist = twist
    try {
      act(this)
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error
    }
  }

  /** Plans a request, and returns its number if it should succeed. */
  send(operation: OperationId, given: StepInput): number | undefined {
    const { input, isGood } = this.#twist({ operation, input: given, plan: this.plan, key: this.#key })
    this.#twist = plain
    if (operations[operation].takesIdempotencyKey) this.#key = input.key ?? this.#key
    const n = this.plan.add(operation, input)
    if (n !== undefined) this.#sent.push({ operation, input })
    return isGood ? n : undefined
  }

  /** Plans an earlier request of the story again, with its key. */
  repeat(back: number): void {
    const earlier = this.#sent.at(-1 - Math.min(back, this.#sent.length - 1))
    if (earlier) this.send(earlier.operation, earlier.input)
  }

  id(kind: Kind): string {
    return this.own[kind] ?? this.plan.anyId(kind)
  }

  /** Makes the record that a step creates the record of the story. */
  adopt(kind: Kind, n: number, path = 'data._id'): void {
    this.own[kind] = from(n, path)
    this.plan.addKnown(kind, from(n, path))
  }

  fill(fields: Fields, names: readonly string[] = Object.keys(fields)): Record<string, unknown> {
    return Object.fromEntries(names.map((name) => [name, fields[name]?.(this)]))
  }

  /** Mostly a few fields, so that a change shows which others were lost; sometimes nearly all. */
  fillSome(fields: Fields, least: 0 | 1 = 0): Record<string, unknown> {
    const { plan } = this
    const names = Object.keys(fields)
    const few = () =>
      Array.from({ length: least + plan.number(Math.ceil(names.length / 3) - least) }, () => plan.pick(names))
    return this.fill(fields, plan.chance(67) ? few() : names.filter(() => plan.chance(83)))
  }
}

export const from = (n: number, path: string) => `«from ${n} ${path}»`

export const path = (kind: Kind, id: string) => ({ path: { [`${kind}Id`]: id } })

export const oneOf =
  (...values: readonly unknown[]): Value =>
  ({ plan }) =>
    plan.pickInTurn(values)

/** Servers may trim, cut or escape these texts, or drop characters beyond ASCII. */
const unusual: readonly ((text: string) => string)[] = [
  (text) => `${text} ${'and so on '.repeat(60)}.`,
  (text) => ` ${text} `,
  (text) => `${text} – “naïve” 😀`,
  (text) => `${text} <b>bold</b> & 'quoted' "twice"`,
  (text) => `${text}\nsecond line`,
]
const same = (text: string) => text

export function text(noun: string): Value {
  const forms = [same, ...unusual]
  return ({ plan }) => plan.pickInTurn(forms)(plan.mint.name(noun))
}
