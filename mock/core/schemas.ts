import { type Static, type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox'
import { teamIdForm } from '../../fixtures/world.ts'

// A schema with a `title` is a named component of the document. `x-form` is the form of a value in the words of a refusal.

/** For objects that take no other fields. */
export const closed = { additionalProperties: false } as const

/** An object in a request, which takes no other fields. */
export const input = <Properties extends TProperties>(title: string, properties: Properties, description?: string) =>
  Type.Object(properties, { ...closed, ...described(description), title })

/** An object in an answer. */
export const output = <Properties extends TProperties>(title: string, properties: Properties, description?: string) =>
  Type.Object(properties, { ...described(description), title })

export const queryOf = <Properties extends TProperties>(properties: Properties) => Type.Object(properties, closed)

interface TextOptions {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly 'x-form'?: string
}
export const text = (description?: string, options: TextOptions = {}) =>
  Type.String({ ...described(description), ...options })
export const optionalText = (description?: string, options?: TextOptions) => Type.Optional(text(description, options))
export const moment = (description?: string) => Type.String({ ...described(description), format: 'date-time' })
export const flag = (description?: string) => Type.Boolean(described(description))
export const integer = (description?: string) => Type.Integer(described(description))
export const listOf = <Item extends TSchema>(item: Item, description?: string) =>
  Type.Array(item, described(description))
export const texts = (description?: string) => listOf(Type.String(), description)

export const oneOf = <Values extends string[]>(values: readonly [...Values], description?: string) =>
  Type.Enum(values, described(description))
/** An object with any names and one schema for its values. `Type.Record` would add 126 KB of TypeBox to the bundle. */
export const dictionaryOf = <Value extends TSchema>(value: Value, options: TSchemaOptions = {}) =>
  Type.Unsafe<Record<string, Static<Value>>>(Type.Object({}, { ...options, additionalProperties: value }))

/** An object with any fields. The form is for refusals. */
export const anyObject = <Value>(form: string, description: string, options: { minProperties?: number } = {}) =>
  Type.Unsafe<Value>(Type.Object({}, { ...options, additionalProperties: true, 'x-form': form, description }))

/** An optional whole number in a request. */
export const optionalInteger = (minimum: number, maximum: number, description: string) =>
  Type.Optional(
    Type.Integer({ minimum, maximum, description, 'x-form': `a whole number from ${minimum} to ${maximum}` }),
  )

const described = (description?: string): TSchemaOptions => (description === undefined ? {} : { description })

export const Nothing = input('Nothing', {}, 'No fields. It may be left out.')

const Id = Type.String({ ...teamIdForm, title: 'Id' })
export const optionalId = (description?: string) =>
  description === undefined ? Type.Optional(Id) : optionalText(description, teamIdForm)

export const OneTeam = input('OneTeam', { teamId: optionalId() }, 'Limits a request to one team.')
export const OfTeam = queryOf({ teamId: optionalId('The team; all teams by default.') })

/** All teams with their records, as in a file. */
export interface AnyWorld {
  readonly teams: readonly object[]
}

export const SentWorld = Type.Unsafe<AnyWorld>(
  Type.Object(
    {
      version: Type.Optional(Type.Integer()),
      teams: Type.Array(Type.Object({}, { additionalProperties: true }), { maxItems: 10_000 }),
    },
    { title: 'SentWorld', description: 'A world, as in a file. It is checked as one.' },
  ),
)
/** The body of a route that takes a world. */
export const ofWorld = { body: SentWorld, example: { teams: [] }, takesWorld: true } as const

export const ListedTeam = output('ListedTeam', { teamId: text(), name: text() }, 'A team, without its keys.')

export const Channel = Type.Enum(['chat', 'email', 'sms', 'whatsapp'], {
  title: 'Channel',
  description: 'The channel of a message.',
})

export const Duration = Type.Union([Type.String({ maxLength: 40 }), Type.Number()], {
  title: 'Duration',
  description: 'Such as `90s` or `2d`, or milliseconds.',
  'x-form': 'a duration such as 500ms, 90s, 15m, 12h, 2d or P1DT12H, or a number of milliseconds',
})
