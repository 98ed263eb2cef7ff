import type { OperationId } from '../types.ts'
import type { Section } from '../sections.ts'

/** One gap that a client could notice: a question, the answers that a server could give, and the one that we assume. */
export interface Assumption {
  readonly section: Section
  readonly question: string
  /** The operations whose answers can rely on it. */
  readonly operations: 'all' | readonly OperationId[]
  /** The assumed one first. */
  readonly choices: Readonly<Record<string, Meaning>>
  readonly assumed: string
  readonly probe: Probe
}

/** What a choice means, in a product owner's words. A choice such as `perMinute:60` also carries a number. */
export type Meaning = string | MeaningWithAmount

export interface MeaningWithAmount {
  readonly words: string
  readonly amount: { readonly unit: string; readonly usual: number }
}

/**
 * How a client could find out by asking a server. In plain words: by creating and reading records of its own.
 * Otherwise it says what more it takes, or why no client should try.
 */
export type Probe =
  | string
  | { readonly sends: string } // reaches a person
  | { readonly platform: string } // reaches the messaging platform
  | { readonly never: string }

export interface Entry<Choices extends Record<string, Meaning>> extends Assumption {
  readonly choices: Choices
  readonly assumed: NoInfer<keyof Choices & string>
}

/** Entries as they are, once the compiler has seen that each assumes a choice of its own and names known operations. */
export function register<Entries extends Record<string, Record<string, Meaning>>>(entries: {
  readonly [Name in keyof Entries]: Entry<Entries[Name]>
}) {
  return entries
}
