import type { Role } from '../../fixtures/records.ts'
import { ok, refuse } from '../replies.ts'
import type { Records } from '../store/port.ts'
import { fields, id, oneOf, optional, required, wholeNumber } from './fields.ts'
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
    async answer({ store, tokens }, { body }) {
      const { teamId = 'demo', role, userId = role, expiresIn = oneHour } = newToken(body)
      if (!(await store.team(teamId))) refuse(`there is no team ${teamId}; name one of GET /_sandbox/teams as teamId`)
      await store.turn(teamId, ({ records }) => haveUser(records, userId, role))
      const token = await tokens.sign({ teamId, userId, role }, expiresIn)
      return ok('Token signed', { token, teamId, userId, role, expiresIn })
    },
  },
]

/** A user whom nobody knows yet is made, so that a test may invent the people that it needs. */
async function haveUser(records: Records, _id: string, role: Role): Promise<void> {
  const user = await records.users.get(_id)
  if (!user) await records.users.insert({ _id, role })
  else if (user.role !== role) refuse(`role must be ${user.role}, since that is what user ${_id} is`)
}
