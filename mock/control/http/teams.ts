import { created, done, ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const teamRows = {
  createTeam: async ({ teams }, { body }) => created('Team created', await teams.create(body)),

  listTeams: async ({ teams }) => ok('Teams found', await teams.list()),

  getTeam: async ({ teams }, { path: { teamId } }) => ok('Team found', await teams.get(teamId)),

  async resetTeam({ teams }, { path: { teamId } }) {
    await teams.reset(teamId)
    return done('The team is as it was when it was created')
  },

  async deleteTeam({ teams }, { path: { teamId } }) {
    await teams.delete(teamId)
    return done('Team deleted, with everything that it owned')
  },
} satisfies Partial<Rows>
