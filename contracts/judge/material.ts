import type { Tools } from '../../client/tools.ts'

/** What a run makes up, and what a server may refuse although it keeps every promise. */
export interface Material {
  readonly isIn: (request: string) => boolean
  /** Whether a request is refused with it, and the same succeeds without. */
  readonly isRefused: (tools: Tools) => Promise<boolean>
  readonly words: (tools: Tools) => string
}
