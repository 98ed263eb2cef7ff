import type { OperationId } from '../operations.ts'
import type { Section } from '../sections.ts'

/** One requirement of the specification that a client can check. */
export type Wording = Facts & (Firm | Usual)

interface Facts {
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
}

/** A server that breaks it fails the check. */
interface Firm {
  readonly strength?: never
  readonly reason?: never
}

/** Only implied, or stated as the usual case: a server that breaks it gets a warning. */
interface Usual {
  readonly strength: 'usual'
  readonly reason: string
}

/** The promises of a group, by section of the specification. Ids start with the subject: `quote.startsAsDraft`. */
export type Wordings<About extends string> = Readonly<Partial<Record<Section, Rows<About>>>>

type Rows<About extends string> = Readonly<Record<`${About}.${string}`, Wording>>
