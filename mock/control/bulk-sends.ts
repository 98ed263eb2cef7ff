import { NotFound, ok } from '../replies.ts'
import { releaseBulkSends } from '../rules/delivery-of-a-bulk-send.ts'
import { Team } from '../team.ts'
import { fields, id, optional } from './fields.ts'
import type { ControlRoute } from './route.ts'

const ofTeam = fields({ teamId: optional(id) })

export const bulkSends: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/bulk-sends/release',
    async answer({ store, clock, ids, wake }, { body }) {
      const { teamId } = ofTeam(body)
      const teams = (await store.teams()).filter(({ _id }) => teamId === undefined || _id === teamId)
      if (teamId !== undefined && teams.length === 0) throw new NotFound()
      let recipients = 0
      for (const { _id } of teams) {
        recipients += await store.turn(_id, ({ records, onFile }) =>
          releaseBulkSends(new Team(onFile, records, clock, ids), clock),
        )
        await wake(_id) // so that whoever asked may read the messages now
      }
      return ok('Bulk sends released', { recipients })
    },
  },
]
