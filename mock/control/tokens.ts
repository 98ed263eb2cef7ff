import { Type } from 'typebox'
import type { Role } from '../../fixtures/records.ts'
import type { Team } from '../core/team.ts'
import { refuse } from './refusals.ts'
import { noun, route } from './route.ts'
import { input, integer, optionalId, optionalInteger, output, text } from './schemas.ts'

const Role = Type.Enum(['admin', 'agent'], { 'x-form': 'admin or agent' })

const TokenToSign = input('TokenToSign', {
  teamId: optionalId('The team; demo by default.'),
  userId: optionalId('The user, who is created if unknown; named as the role by default.'),
  role: Role,
  expiresIn: optionalInteger(1, 31_536_000, 'Lifetime in seconds; 3600 by default.'),
})

const Token = output('Token', { token: text(), teamId: text(), userId: text(), role: Role, expiresIn: integer() })

export const tokens = noun('tokens', 'Bearer tokens for users.', ({ store, teams, tokens }) => ({
  signToken: route('POST /tokens', 'Sign a bearer token for an admin or an agent', {
    body: TokenToSign,
    example: { role: 'agent', expiresIn: 600 },
    message: 'Token signed',
    data: Token,
    async handler({ body: { teamId = 'demo', role, userId = role, expiresIn = 60 * 60 } }) {
      if (!(await store.team(teamId))) refuse(`there is no team ${teamId}; teamId must be one of GET /_sandbox/teams`)
      await teams.transaction({ teamId }, ({ team }) => ensureUser(userId, role, team))
      const token = await tokens.sign({ teamId, userId, role }, expiresIn)
      return { token, teamId, userId, role, expiresIn }
    },
  }),
}))

/** Adds an unknown user, so that a test can use any user without preparing it. */
async function ensureUser(_id: string, role: Role, { users }: Team): Promise<void> {
  const user = await users.get(_id)
  if (!user) await users.insert({ _id, role })
  else if (user.role !== role) refuse(`role must be ${user.role}, which is the role of user ${_id}`)
}
