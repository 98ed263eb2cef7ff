import type { Ask } from './ask.ts'
import type { ControlBody, ControlSchemas } from './types.ts'

/** Teams: each owns its records and has keys of its own. */
export interface TeamsControl {
  list(): Promise<readonly ControlSchemas['ListedTeam'][]>
  /** A new team without records, with an API key and a provider for each channel. */
  create(team?: ControlBody<'createTeam'>): Promise<ControlSchemas['TeamCreated']>
  /** One team, with its API keys and providers. */
  get(teamId: string): Promise<ControlSchemas['Team']>
  /** Deletes a team and everything that it owns. */
  delete(teamId: string): Promise<void>
}

export const teamsOver = (ask: Ask): TeamsControl => ({
  list: () => ask('listTeams'),
  create: (team = {}) => ask('createTeam', { body: team }),
  get: (teamId) => ask('getTeam', { path: { teamId } }),
  delete: (teamId) => ask('deleteTeam', { path: { teamId } }),
})
