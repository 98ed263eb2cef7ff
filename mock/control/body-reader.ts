import { quoteUnlessPlain } from '../../shared/printable.ts'
import { refuse } from './refusals.ts'

/** Reads one field of a body. Refuses an invalid value with a sentence that begins with the name of the field. */
type FieldReader<Value> = (value: unknown, field: string) => Value

type Values<Readers> = {
  readonly [Field in keyof Readers]: Readers[Field] extends FieldReader<infer Value> ? Value : never
}

/** Makes a reader of whole bodies, which refuses fields that are not listed. A missing body counts as an empty one. */
export function bodyReader<const Readers extends Readonly<Record<string, FieldReader<unknown>>>>(readers: Readers) {
  return (body: unknown): Values<Readers> => {
    const sent = body ?? {}
    if (typeof sent !== 'object' || Array.isArray(sent)) refuse('the body must be a JSON object')
    const unlisted = Object.keys(sent).find((field) => !Object.hasOwn(readers, field))
    if (unlisted !== undefined) refuseUnlisted(unlisted, Object.keys(readers))
    const values = new Map(Object.entries(sent))
    const read = Object.entries(readers).map(([field, reader]) => [field, reader(values.get(field), field)])
    return Object.fromEntries(read) as Values<Readers>
  }
}

function refuseUnlisted(field: string, listed: readonly string[]): never {
  const takes = listed.length > 0 ? listed.join(', ') : 'none'
  refuse(`${quoteUnlessPlain(field)} is not a field of this request, which takes ${takes}`)
}

export function optional<Value>(read: FieldReader<Value>): FieldReader<Value | undefined> {
  return (value, field) => (value === undefined ? undefined : read(value, field))
}

export function required<Value>(read: FieldReader<Value>): FieldReader<Value> {
  return (value, field) => (value === undefined ? refuse(`${field} is required`) : read(value, field))
}

export function text(pattern: RegExp, description: string): FieldReader<string> {
  return (value, field) =>
    typeof value === 'string' && pattern.test(value) ? value : refuse(`${field} must be ${description}`)
}

export function oneOf<const Value extends string>(...values: readonly Value[]): FieldReader<Value> {
  return (value, field) => values.find((known) => known === value) ?? refuse(`${field} must be ${values.join(' or ')}`)
}

export function wholeNumber(lowest: number, highest: number): FieldReader<number> {
  return (value, field) =>
    typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest
      ? value
      : refuse(`${field} must be a whole number from ${lowest} to ${highest}`)
}

export const id = text(/^[\w.:@-]{1,100}$/, '1 to 100 letters, digits, dots, dashes, underscores, colons or @')

/** For routes that may be limited to one team. */
export const readTeamId = bodyReader({ teamId: optional(id) })
