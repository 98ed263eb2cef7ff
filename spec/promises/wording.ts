import type { OperationId } from '../types.ts'
import type { Section } from '../sections.ts'

/** One requirement of the specification that a client can check. */
export interface Wording {
  /** One sentence, in our own words. */
  readonly words: string
  /** The operations it applies to. */
  readonly operations: 'all' | readonly OperationId[]
  /** The status it requires. */
  readonly status?: number
  /** The fields or query parameters it applies to; each one is checked. */
  readonly fields?: readonly string[]
  /** The values it applies to; each one is checked. */
  readonly values?: readonly (string | number)[]
  /** Only implied, or stated as the usual case: why a server that breaks it gets a warning and does not fail the check. */
  readonly reason?: string
}

/** The promises of a group, by section of the specification. Ids start with the subject: `quote.startsAsDraft`. */
export type Wordings<About extends string> = Readonly<Partial<Record<Section, Rows<About>>>>

type Rows<About extends string> = Readonly<Record<`${About}.${string}`, Wording>>

// Requirements that the specification states of several operations in the same way.

export const returns = <Id extends OperationId>(status: number, subject: string, operation: Id) => ({
  words: `${subject} returns ${status}.`,
  operations: [operation] as const,
  status,
})

export const requires = <Id extends OperationId, const Fields extends readonly string[]>(
  subject: string,
  operation: Id,
  ...fields: Fields
) => ({
  words: `${subject} returns 400 when a required field is missing.`,
  operations: [operation] as const,
  status: 400,
  fields,
})

export const takesOptional = <Id extends OperationId, const Fields extends readonly string[]>(
  subject: string,
  operation: Id,
  ...fields: Fields
) => ({ words: `Each optional field of ${subject} is accepted.`, operations: [operation] as const, fields })

export const updateTakesAnyOne = <Id extends OperationId, const Fields extends readonly string[]>(
  kind: string,
  operation: Id,
  ...fields: Fields
) => ({
  words: `An update of a ${kind} may consist of any single field.`,
  operations: [operation] as const,
  fields,
})

export const updateMayBeEmpty = <Id extends OperationId>(kind: string, operation: Id) => ({
  words: `An update of a ${kind} may have no field at all, as each of them is optional.`,
  operations: [operation] as const,
  reason: 'That each field is optional need not mean that all may be missing at once.',
})

export const updateReturns = <Id extends OperationId, const Fields extends readonly string[]>(
  kind: string,
  operation: Id,
  change: string,
  ...fields: Fields
) => ({
  words: `Updating a ${kind} returns ${change}.`,
  operations: [operation] as const,
  fields,
  reason: `It is not stated that an update returns the ${kind}.`,
})

export const deletedIsGone = <Id extends OperationId>(kind: string, operation: Id) => ({
  words: `A deleted ${kind} can no longer be updated, and all others can.`,
  operations: [operation] as const,
})
