import type { TeamInWorld, World } from '../../../fixtures/world.ts'
import type { Era } from '../port.ts'
import type { Change } from './memory-records.ts'

/** Makes changes safe beyond memory. */
export interface Journal {
  /**
   * Resolves once the entry is safe. Entries become safe in the order of the calls. When one cannot, it and every later
   * one are taken back, the latest first, before any of their promises rejects.
   */
  write(entry: Entry, takeBack: (error: Error) => void): Promise<void>
  close(): Promise<void>
}

/** One thing that happened. */
export type Entry =
  | { readonly turnOf: string; readonly changes: readonly Change[] }
  | { readonly teamAdded: TeamInWorld }
  | { readonly teamRemoved: string }
  | { readonly became: World; readonly era: Era }
