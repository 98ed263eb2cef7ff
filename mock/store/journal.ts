import type { Kind, Kinds } from '../../fixtures/records.ts'
import type { TeamInWorld, World } from '../../fixtures/world.ts'
import type { Generation } from './port.ts'

/** Writes changes to a place that outlives the process. */
export interface Journal {
  /**
   * Resolves once the entry is synced. Entries are synced in the order of the calls. A write that fails takes back its
   * entry and all later ones, the latest first, before any of their promises rejects.
   */
  write(entry: Entry, takeBack: (error: Error) => void): Promise<void>
  close(): Promise<void>
}

export type Entry =
  | { readonly teamId: string; readonly changes: readonly Change[] }
  | { readonly refilled: TeamInWorld }
  | { readonly teamAdded: TeamInWorld }
  | { readonly teamRemoved: string }
  | { readonly world: World; readonly generation: Generation }
  | { readonly originsPut: readonly TeamInWorld[] }
  | { readonly originsRemoved: readonly string[] }

/** One record before and after it changed. */
export interface Change<K extends Kind = Kind> {
  readonly kind: K
  readonly id: string
  /** The record's place in the order of creation, which an update does not change. */
  readonly place: number
  readonly was: Kinds[K] | undefined
  readonly is: Kinds[K] | undefined
}
