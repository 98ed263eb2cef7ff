import { quoteUnlessPlain } from '../../shared/printable.ts'
import { refuse } from '../core/refusals.ts'

/** Reads one field of a body; refuses what it cannot read, in a sentence that begins with the field. */
export type Read<Value> = (value: unknown, field: string) => Value

type Fields<Readers> = { readonly [Field in keyof Readers]: Readers[Field] extends Read<infer Value> ? Value : never }

/** A reader of whole bodies: each field by its reader, and no field beyond these. A body that is not there is empty. */
export function fields<const Readers extends Readonly<Record<string, Read<unknown>>>>(readers: Readers) {
  return (body: unknown): Fields<Readers> => {
    const sent = body ?? {}
    if (typeof sent !== 'object' || Array.isArray(sent)) refuse('the body must be a JSON object')
    const stray = Object.keys(sent).find((field) => !Object.hasOwn(readers, field))
    if (stray !== undefined) refuse(strayField(stray, Object.keys(readers)))
    const values = new Map(Object.entries(sent))
    const read = Object.entries(readers).map(([field, reader]) => [field, reader(values.get(field), field)])
    return Object.fromEntries(read) as Fields<Readers>
  }
}

function strayField(stray: string, known: readonly string[]): string {
  return `${quoteUnlessPlain(stray)} is not a field of this request, which takes ${known.length > 0 ? known.join(', ') : 'none'}`
}

export function optional<Value>(read: Read<Value>): Read<Value | undefined> {
  return (value, field) => (value === undefined ? undefined : read(value, field))
}

export function required<Value>(read: Read<Value>): Read<Value> {
  return (value, field) => (value === undefined ? refuse(`${field} is required`) : read(value, field))
}

/** Text of a form; the words say which. */
export function text(form: RegExp, words: string): Read<string> {
  return (value, field) => (typeof value === 'string' && form.test(value) ? value : refuse(`${field} must be ${words}`))
}

export function oneOf<const Value extends string>(...values: readonly Value[]): Read<Value> {
  return (value, field) => values.find((known) => known === value) ?? refuse(`${field} must be ${values.join(' or ')}`)
}

export function wholeNumber(lowest: number, highest: number): Read<number> {
  return (value, field) =>
    typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest
      ? value
      : refuse(`${field} must be a whole number from ${lowest} to ${highest}`)
}

export const id = text(/^[\w.:@-]{1,100}$/, '1 to 100 letters, digits, dots, dashes, underscores, colons or @')
