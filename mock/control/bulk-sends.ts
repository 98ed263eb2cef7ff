import { NotFound } from './refusals.ts'
import { ok } from '../core/replies.ts'
import { releaseBulkSends } from '../rules/messages/bulk-delivery.ts'
import { readTeamId } from './body-reader.ts'
import type { ControlRoute } from './route.ts'

export const bulkSends: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/bulk-sends/release',
    async answer({ store, teams, catchUp }, { body }) {
      const { teamId } = readTeamId(body)
      const released = (await store.teams()).filter(({ _id }) => teamId === undefined || _id === teamId)
      if (teamId !== undefined && released.length === 0) throw new NotFound()
      let recipients = 0
      for (const { _id } of released) {
        recipients += await teams.turn({ teamId: _id }, releaseBulkSends)
        await catchUp(_id) // so that the messages can be read as soon as this is answered
      }
      return ok('Bulk sends released', { recipients })
    },
  },
]
