import type { TokensControl } from '../../control/tokens.ts'
import type { Role } from '../../fixtures/records.ts'
import { refuse } from './refusals.ts'
import type { Team } from '../core/team.ts'
import { checkBody } from './check.ts'
import type { ControlContext } from './context.ts'

const oneHour = 60 * 60

export function tokensIn({ store, teams, tokens }: ControlContext): TokensControl {
  return {
    async sign(asked) {
      checkBody('signToken', asked)
      const { teamId = 'demo', role, userId = role, expiresIn = oneHour } = asked
      if (!(await store.team(teamId))) refuse(`there is no team ${teamId}; teamId must be one of GET /_sandbox/teams`)
      await teams.turn({ teamId }, ({ team }) => ensureUser(userId, role, team))
      const token = await tokens.sign({ teamId, userId, role }, expiresIn)
      return { token, teamId, userId, role, expiresIn }
    },
  }
}

/** Adds an unknown user, so that a test can use any user without preparing it. */
async function ensureUser(_id: string, role: Role, { users }: Team): Promise<void> {
  const user = await users.get(_id)
  if (!user) await users.insert({ _id, role })
  else if (user.role !== role) refuse(`role must be ${user.role}, which is the role of user ${_id}`)
}
