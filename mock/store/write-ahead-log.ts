import { type Kind, type Kinds, kinds } from '../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../fixtures/world.ts'
import type { Generation } from './port.ts'
import { recordsOf, teamOf } from './teams.ts'

/** Writes changes to a place that outlives the process. */
export interface WriteAheadLog {
  /**
   * Writes all of the steps, or none; resolves once they are synced. Changes are synced in the order of the calls. A write
   * that fails undoes its change and all later ones, the latest first, before any of their promises rejects.
   */
  write(steps: Iterable<Step>, undo: (error: Error) => void): Promise<void>
  close(): Promise<void>
}

/** Everything that the changes lead to. */
export interface Contents {
  readonly world: World
  /** The teams that were created since the start, as they began. */
  readonly initialRecords: readonly TeamInWorld[]
  readonly generation?: Generation | undefined
}

/** A part of a change, as a line of the log holds it. */
export type Step =
  | StepOfRecord
  | { readonly add: TeamOnFile }
  | { readonly removeTeam: string }
  /** The team has begun with the records that it has at this step. */
  | { readonly began: string }
  | { readonly empty: string }
  | { readonly reset: Generation }

export type StepOfRecord =
  | { readonly insert: Kind; readonly team: string; readonly record: Kinds[Kind] }
  | { readonly replace: Kind; readonly team: string; readonly record: Kinds[Kind] }
  | { readonly remove: Kind; readonly team: string; readonly id: string }

/** Adds a team with its initial records, if they are known. */
export function* additionOf(team: TeamInWorld, initialRecords?: TeamInWorld): Generator<Step> {
  yield { add: teamOf(team) }
  if (initialRecords) {
    yield* insertsOf(initialRecords)
    yield { began: team._id }
    if (initialRecords === team) return
    yield { empty: team._id }
  }
  yield* insertsOf(team)
}

export function* insertsOf(team: TeamInWorld): Generator<Step> {
  for (const insert of kinds) for (const record of recordsOf(team, insert)) yield { insert, team: team._id, record }
}

/** One record before and after it changed. */
export interface Change<K extends Kind = Kind> {
  readonly kind: K
  readonly id: string
  /** The record's place in the order of creation, which an update does not change. */
  readonly place: number
  readonly was: Kinds[K] | undefined
  readonly is: Kinds[K] | undefined
}

export function stepOf({ kind, id, was, is }: Change, team: string): Step {
  if (!is) return { remove: kind, team, id }
  return was ? { replace: kind, team, record: is } : { insert: kind, team, record: is }
}
