import type { TeamOnFile } from '../../fixtures/world.ts'
import type { Engine } from '../engine.ts'
import { NoSuchTeam, type Store } from '../store/port.ts'
import { NotFound } from './refusals.ts'

/** The parts of a sandbox that the routes of the control plane use. */
export interface ControlContext extends Engine {
  /** The name of the store, as `--store` takes it. */
  readonly storeName: string
  /** The token that opens this control plane, if one is needed. */
  readonly controlToken: string | undefined
  /** When the sandbox started, by `performance.now()`. */
  readonly startedAt: number
  /** Runs additions of teams one after the other, so that two teams never get the same key. */
  readonly addingTeams: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The OpenAPI document of the control plane. */
  readonly document: () => Promise<object>
}

export async function findTeam(teamId: string, store: Store): Promise<TeamOnFile> {
  const team = await store.team(teamId)
  if (!team) throw new NotFound()
  return team
}

/** For work in all teams: a team may be deleted meanwhile. */
export function ignoreDeletedTeam(error: unknown): undefined {
  if (!(error instanceof NoSuchTeam)) throw error
}
