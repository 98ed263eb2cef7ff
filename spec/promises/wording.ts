import type { OperationId } from '../operations.ts'
import type { Section } from '../sections.ts'

/** A sentence that the service shows and a client can check: it is true of a server, or false. */
export type Wording = Facts & (Firm | Usual)

interface Facts {
  /** In our own words. */
  readonly words: string
  /** The operations that it is about. */
  readonly operations: 'all' | readonly OperationId[]
  /** The one status that it is about. */
  readonly status?: number
  /** The fields, or query parameters, that it is about: each is checked. */
  readonly fields?: readonly string[]
  /** The values that it is about: each is checked. */
  readonly values?: readonly (string | number)[]
}

/** Broken, it is a failure. */
interface Firm {
  readonly strength?: never
  readonly reason?: never
}

/** Shown with a hedge, or only implied: broken, it is a warning, and the reason says why no more than that. */
interface Usual {
  readonly strength: 'usual'
  readonly reason: string
}

/** A group's sentences, by the section that shows them. An id begins with what it is about: `quote.startsAsDraft`. */
export type Wordings<About extends string> = Readonly<Partial<Record<Section, Rows<About>>>>

type Rows<About extends string> = Readonly<Record<`${About}.${string}`, Wording>>
