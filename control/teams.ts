import type { Ask } from './ask.ts'
import type { ControlBody, ControlSchemas } from './types.ts'
import type { AnyWorld } from './world.ts'

/** A name, an API key, and what it starts from, such as `team:demo`, or a world with one team. */
export interface TeamToCreate extends Omit<NonNullable<ControlBody<'createTeam'>>, 'from'> {
  readonly from?: string | AnyWorld
}

/** Teams: each owns its records and has keys of its own. */
export interface TeamsControl {
  list(): Promise<readonly ControlSchemas['ListedTeam'][]>
  /** A new team with an API key of its own: empty, or a copy of what `from` names. */
  create(team?: TeamToCreate): Promise<ControlSchemas['TeamCreated']>
  /** One team, with its API keys and providers. */
  get(teamId: string): Promise<ControlSchemas['Team']>
  /** Brings a team back to what it started from. */
  reset(teamId: string): Promise<void>
  /** Deletes a team and everything that it owns. */
  delete(teamId: string): Promise<void>
}

export const teamsOver = (ask: Ask): TeamsControl => ({
  list: () => ask('listTeams'),
  create: (team = {}) => ask('createTeam', { body: team as ControlBody<'createTeam'> }),
  get: (teamId) => ask('getTeam', { path: { teamId } }),
  reset: (teamId) => ask('resetTeam', { path: { teamId } }),
  delete: (teamId) => ask('deleteTeam', { path: { teamId } }),
})
