import type { AssumptionName } from '../assumptions.ts'
import type { OperationId, Schemas } from '../types.ts'
import type { Section } from '../sections.ts'

/** One requirement of the specification that a client can check. */
export interface Wording {
  /** One sentence, in our own words. */
  readonly words: string
  /** The operations it applies to. */
  readonly operations: Operations
  /** The status it requires. */
  readonly status?: number
  readonly kind?: RequirementKind
  /** The fields or query parameters it applies to; each one is checked. `attachments.mediaType` is a field of an attachment. */
  readonly fields?: readonly string[]
  /** The type of template it applies to, if it is only one. */
  readonly templateType?: Schemas['TemplateType']
  /** The values it applies to; each one is checked. */
  readonly values?: readonly (string | number)[]
  /** Only implied, or stated as the usual case: why a server that breaks it gets a warning and does not fail the check. */
  readonly reason?: string
  /** The entry of the register that lets a server behave otherwise, if it is not firm. */
  readonly assumption?: AssumptionName
  /** Why the sandbox needs no assumption to keep it, if it is not firm and has no entry. */
  readonly follows?: string
  /** `usual` if it has a reason. */
  readonly strength?: 'usual'
}

/** All requirements of one kind are checked, or reported, in the same way. */
export type RequirementKind =
  /** A success has the status. */
  | 'success'
  /** A request with nothing but the required fields succeeds. */
  | 'requiredFieldsSuffice'
  /** An update without fields succeeds. */
  | 'emptyUpdate'
  /** A request is refused because of a field that is missing, that is not listed, or that has such a value. */
  | 'missing'
  | 'unlisted'
  | 'value'

type Operations = 'all' | readonly OperationId[]

/** A requirement of a group; one that is only words needs no more than its sentence. */
type Row =
  | string
  | (Pick<Wording, 'words' | 'status' | 'kind' | 'fields' | 'templateType' | 'values'> &
      Pick<Partial<Wording>, 'operations'> &
      Strength)

type Strength = { readonly reason?: never } | ({ readonly reason: string } & Ground)
type Ground = { readonly assumption: AssumptionName } | { readonly follows: string }

/**
 * The requirements of a section that apply to the same operations, by id; a row may name other operations. Ids start with
 * the subject: `quote.startsAsDraft`.
 */
export function requirements<const Default extends Operations, const Rows extends Readonly<Record<string, Row>>>(
  section: Section,
  operations: Default,
  rows: Rows,
): { readonly section: Section; readonly rows: Completed<Default, Rows> } {
  const completed = Object.entries<Row>(rows).map(([id, row]) => [id, complete(row, operations)])
  return { section, rows: Object.fromEntries(completed) as Completed<Default, Rows> }
}

function complete(row: Row, usual: Operations): Wording {
  const { words, operations = usual, ...facts } = typeof row === 'string' ? { words: row } : row
  const strength = facts.reason === undefined ? {} : ({ strength: 'usual' } as const)
  return { words, operations, ...facts, ...strength }
}

/** The facts with a literal type. The texts are not among them: they would take most of the room of the published types. */
type Completed<Default, Rows> = {
  readonly [Id in keyof Rows]: {
    readonly [Fact in 'operations' | Extract<keyof Rows[Id], 'fields' | 'values'>]: Fact extends keyof Rows[Id]
      ? Rows[Id][Fact]
      : Default
  }
}

/** For a requirement about values of another type. */
export const typeIsNamed = {
  reason: 'The specification names the type, and does not say that other values are refused.',
  assumption: 'wrongType' as const,
}

// Requirements that the specification states of several operations in the same way.

export const returns = (status: number, subject: string, detail?: string) => ({
  words: `${subject} returns ${status}${detail === undefined ? '' : ` ${detail}`}.`,
  status,
})

export const succeeds = (status: 200 | 201, subject: string, always?: string) => ({
  words: `${subject} returns ${status}${always === undefined ? '' : `, ${always}`}.`,
  status,
  kind: 'success' as const,
})

export const refuses = <const Fields extends readonly string[]>(fields: Fields, subject: string, detail?: string) => ({
  ...returns(400, subject, detail),
  kind: 'value' as const,
  fields,
})

export const requires = <const Fields extends readonly string[]>(subject: string, ...fields: Fields) => ({
  ...returns(400, subject, 'when a required field is missing'),
  kind: 'missing' as const,
  fields,
})

export const requiresOne = <const Field extends string>(subject: string, field: Field) => ({
  ...returns(400, `${subject} without a ${field}`),
  kind: 'missing' as const,
  fields: [field] as const,
})

export const suffices = <const Fields extends readonly string[]>(words: string, ...fields: Fields) => ({
  words,
  kind: 'requiredFieldsSuffice' as const,
  fields,
})

export const takesOptional = <const Fields extends readonly string[]>(subject: string, ...fields: Fields) => ({
  words: `Each optional field of ${subject} is accepted.`,
  fields,
})

export const updateTakesAnyOne = <const Fields extends readonly string[]>(kind: string, ...fields: Fields) => ({
  words: `An update of a ${kind} may consist of any single field.`,
  fields,
})

export const updateMayBeEmpty = (kind: string) => ({
  words: `An update of a ${kind} may have no field at all, as each of them is optional.`,
  kind: 'emptyUpdate' as const,
  reason: 'That each field is optional need not mean that all may be missing at once.',
  assumption: 'emptyUpdate' as const,
})

export const updateKeepsTheRest = (kind: string) =>
  `An update of a ${kind} leaves the fields that it does not send unchanged.`

export const updateReturns = <const Fields extends readonly string[]>(
  kind: string,
  change: string,
  ...fields: Fields
) => ({
  words: `If updating a ${kind} returns the ${kind}, it has ${change}.`,
  fields,
})
