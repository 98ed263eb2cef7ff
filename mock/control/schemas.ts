import { type Static, Type } from 'typebox'

// Schemas that several nouns share. A schema with a `title` is a named component of the document. `x-form` is the form of
// a value in the words of a refusal.

/** For objects that take no other fields. */
export const closed = { additionalProperties: false } as const

export const Nothing = Type.Object({}, { ...closed, title: 'Nothing', description: 'No fields. It may be left out.' })

const idPattern = {
  pattern: String.raw`^[\w.:@-]{1,100}$`,
  'x-form': '1 to 100 letters, digits, dots, dashes, underscores, colons or @',
}
const Id = Type.String({ ...idPattern, title: 'Id' })
export const optionalId = (description?: string) =>
  Type.Optional(description === undefined ? Id : Type.String({ ...idPattern, description }))

export const OneTeam = Type.Object(
  { teamId: optionalId() },
  { ...closed, title: 'OneTeam', description: 'Limits a request to one team.' },
)
export type OneTeam = Static<typeof OneTeam>
export const OfTeam = Type.Object({ teamId: optionalId() }, closed)

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
export const worldBodyLimit = 64 * 1024 * 1024
/** For a route whose body is a world. */
export const takesWorld = { body: SentWorld, example: { teams: [] }, bodyLimit: worldBodyLimit } as const

export const ListedTeam = Type.Object(
  { teamId: Type.String(), name: Type.String() },
  { title: 'ListedTeam', description: 'A team, without its keys.' },
)

export const Channel = Type.Enum(['chat', 'email', 'sms', 'whatsapp'], { title: 'Channel' })

export const Duration = Type.Union([Type.String({ maxLength: 40 }), Type.Number()], {
  title: 'Duration',
  description: 'Such as `90s` or `2d`, or milliseconds.',
  'x-form': 'a duration such as 500ms, 90s, 15m, 12h, 2d or P1DT12H, or a number of milliseconds',
})

export const text = (description: string, options: { maxLength?: number; minLength?: number } = {}) =>
  Type.String({ ...options, description })
export const optionalText = (...[description, options]: Parameters<typeof text>) =>
  Type.Optional(text(description, options))

/** A whole number, as a query or a body has it. */
export const wholeNumber = (minimum: number, maximum: number, description: string) =>
  Type.Optional(
    Type.Integer({ minimum, maximum, description, 'x-form': `a whole number from ${minimum} to ${maximum}` }),
  )
