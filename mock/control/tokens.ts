import type { Role } from '../../fixtures/records.ts'
import { refuse } from '../core/refusals.ts'
import { ok } from '../core/replies.ts'
import type { Team } from '../core/team.ts'
import { fields, id, oneOf, optional, required, wholeNumber } from './body-reader.ts'
import type { ControlRoute } from './route.ts'

const oneHour = 60 * 60
const oneYear = 365 * 24 * oneHour

const newToken = fields({
  teamId: optional(id),
  userId: optional(id),
  role: required(oneOf('admin', 'agent')),
  expiresIn: optional(wholeNumber(1, oneYear)),
})

export const tokens: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/tokens',
    async answer({ store, teams, tokens }, { body }) {
      const { teamId = 'demo', role, userId = role, expiresIn = oneHour } = newToken(body)
      if (!(await store.team(teamId))) refuse(`there is no team ${teamId}; name one of GET /_sandbox/teams as teamId`)
      await teams.turn({ teamId }, ({ team }) => addUser(team, userId, role))
      const token = await tokens.sign({ teamId, userId, role }, expiresIn)
      return ok('Token signed', { token, teamId, userId, role, expiresIn })
    },
  },
]

/** An unknown user is added, so that a test may name the users that it needs. */
async function addUser({ users }: Team, _id: string, role: Role): Promise<void> {
  const user = await users.get(_id)
  if (!user) await users.insert({ _id, role })
  else if (user.role !== role) refuse(`role must be ${user.role}, since that is what user ${_id} is`)
}
