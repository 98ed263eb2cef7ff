import type { Role } from '../../fixtures/records.ts'
import { refuse } from './refusals.ts'
import { ok } from '../core/replies.ts'
import type { Team } from '../core/team.ts'
import { bodyReader, id, oneOf, optional, required, wholeNumber } from './body-reader.ts'
import type { ControlRoute } from './route.ts'

const oneHour = 60 * 60
const oneYear = 365 * 24 * oneHour

const readNewToken = bodyReader({
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
      const { teamId = 'demo', role, userId = role, expiresIn = oneHour } = readNewToken(body)
      if (!(await store.team(teamId))) refuse(`there is no team ${teamId}; teamId must be one of GET /_sandbox/teams`)
      await teams.turn({ teamId }, ({ team }) => ensureUser(userId, role, team))
      const token = await tokens.sign({ teamId, userId, role }, expiresIn)
      return ok('Token signed', { token, teamId, userId, role, expiresIn })
    },
  },
]

/** Adds an unknown user, so that a test can use any user without preparing it. */
async function ensureUser(_id: string, role: Role, { users }: Team): Promise<void> {
  const user = await users.get(_id)
  if (!user) await users.insert({ _id, role })
  else if (user.role !== role) refuse(`role must be ${user.role}, which is the role of user ${_id}`)
}
