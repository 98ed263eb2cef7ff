import type { OperationId } from '../types.ts'
import type { Section } from '../sections.ts'

/** A gap in the specification that a client could notice: a question, the possible choices, and the one assumed. */
export interface Assumption {
  readonly section: Section
  readonly question: string
  /** The operations with responses that can depend on the assumption. */
  readonly operations: 'all' | readonly OperationId[]
  /** The assumed choice comes first. */
  readonly choices: Readonly<Record<string, Meaning>>
  readonly assumed: string
  readonly certainty: Certainty
  /** The reason for the assumed choice; required if it is likely. */
  readonly reason?: string
  readonly probe: Probe
  /** The choices that a client cannot distinguish, with the reasons; all choices if no probe is possible. */
  readonly beyondClients?: Readonly<Partial<Record<string, string>>>
}

/** Likely: the specification hints at the choice, or services of this kind do it. Open: any choice may be right. */
type Certainty = 'likely' | 'open'

/** The meaning of a choice, in the words of a product owner. A choice such as `perMinute:60` has a number. */
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

/** An assumption with the names of its choices. */
export interface AssumptionWith<Choices> extends Omit<Assumption, 'choices' | 'assumed'> {
  readonly choices: Choices
  readonly assumed: keyof Choices & string
}

type Common = Pick<Assumption, 'section' | 'operations'>

/** An entry as the register is written: the first choice is the assumed one. */
interface Entry<Choices> extends Omit<Assumption, 'choices' | 'assumed' | 'certainty' | keyof Common>, Partial<Common> {
  readonly choices: Choices
  /** Why the assumed choice is likely; without it, the question is open. */
  readonly likely?: string
  readonly beyondClients?: { readonly [Choice in keyof Choices]?: string }
}

/** Entries about the same section and operations; an entry may name others. */
export function register<Entries extends Record<string, Record<string, Meaning>>>(
  section: Assumption['section'],
  operations: Assumption['operations'],
  entries: { readonly [Name in keyof Entries]: Entry<Entries[Name]> },
) {
  const completed = Object.entries(entries as Record<string, Entry<Record<string, Meaning>>>).map(([name, entry]) => [
    name,
    complete({ section, operations, ...entry }),
  ])
  return Object.fromEntries(completed) as {
    readonly [Name in keyof Entries]: AssumptionWith<Entries[Name]>
  }
}

function complete(entry: Entry<Record<string, Meaning>> & Common): Assumption {
  const { section, question, operations, choices, likely, reason = likely, ...finding } = entry
  const [assumed = ''] = Object.keys(choices)
  const certainty = likely === undefined ? 'open' : 'likely'
  const given = reason === undefined ? {} : { reason }
  return { section, question, operations, choices, assumed, certainty, ...given, ...finding }
}
