import type { OperationId } from '../types.ts'
import type { Section } from '../sections.ts'

/** A gap in the specification that a client could notice: a question, the possible choices, and the one assumed. */
export interface Assumption {
  readonly section: Section
  readonly question: string
  /** The operations whose responses can depend on it. */
  readonly operations: 'all' | readonly OperationId[]
  /** The assumed choice comes first. */
  readonly choices: Readonly<Record<string, Meaning>>
  readonly assumed: string
  readonly certainty: Certainty
  /** Why this choice is assumed; what is likely has a reason. */
  readonly reason?: string
  readonly probe: Probe
  /** The choices that no client can tell from another, each with the reason; those of a probe that nobody can do are all. */
  readonly beyondClients?: Readonly<Partial<Record<string, string>>>
}

/** Likely: the specification hints at the choice, or services of this kind do it. Open: any choice may be right. */
type Certainty = 'likely' | 'open'

/** What a choice means, in a product owner's words. A choice such as `perMinute:60` also has a number. */
export type Meaning = string | MeaningWithAmount

export interface MeaningWithAmount {
  readonly words: string
  readonly amount: { readonly unit: string; readonly usual: number }
}

/**
 * How a client can find out what a server does. A plain string needs only creating and reading test records; the other
 * forms say what else it takes, or why no client should try.
 */
export type Probe =
  | string
  | { readonly sends: string } // messages a person
  | { readonly platform: string } // contacts the messaging platform
  | { readonly never: string }

export interface Entry<Choices extends Record<string, Meaning>> extends Assumption {
  readonly choices: Choices
  readonly assumed: NoInfer<keyof Choices & string>
  readonly beyondClients?: { readonly [Choice in keyof Choices]?: string }
}

/** Returns the entries unchanged; its type checks that each assumes one of its own choices and names known operations. */
export function register<Entries extends Record<string, Record<string, Meaning>>>(entries: {
  readonly [Name in keyof Entries]: Entry<Entries[Name]>
}) {
  return entries
}
