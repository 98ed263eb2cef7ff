import type { Turn } from '../core/turn.ts'
import { checkNames } from './check.ts'
import type { ControlContext } from './context.ts'
import { NotFound } from './refusals.ts'
import { NoSuchTeam } from '../store/port.ts'

/** Runs a turn of the team that a path names. */
export async function turnOfTeam<Result>(
  teamId: string,
  { store, teams }: Pick<ControlContext, 'store' | 'teams'>,
  work: (turn: Turn) => Promise<Result>,
): Promise<Result> {
  checkNames(teamId)
  if (!(await store.team(teamId))) throw new NotFound()
  return teams.turn({ teamId }, work)
}

/** For what is done in all teams: one that was deleted meanwhile has nothing. */
export function nothingOfDeleted(error: unknown): undefined {
  if (!(error instanceof NoSuchTeam)) throw error
}
