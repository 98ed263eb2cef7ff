import { Type } from 'typebox'
import { releaseBulkSends } from '../rules/messages/bulk-delivery.ts'
import { ignoreDeletedTeam } from './context.ts'
import { NotFound } from './refusals.ts'
import { noun, route } from './route.ts'
import { OneTeam } from './schemas.ts'

export const bulkSends = noun('bulk-sends', 'Bulk sends that wait to be released.', ({ store, teams, runDue }) => [
  route('POST /bulk-sends/release', {
    id: 'releaseBulkSends',
    summary: 'Send the bulk sends that wait',
    description: 'Those of one team, or of all teams. They are sent before this is answered.',
    body: OneTeam,
    message: 'Bulk sends released',
    data: Type.Object({ recipients: Type.Integer() }, { title: 'Released' }),
    async handler({ body }) {
      const released = (await store.teams()).filter(({ _id }) => body.teamId === undefined || _id === body.teamId)
      if (body.teamId !== undefined && released.length === 0) throw new NotFound()
      let recipients = 0
      for (const { _id } of released) {
        const release = teams.transaction({ teamId: _id }, releaseBulkSends)
        recipients += (await release.catch(ignoreDeletedTeam)) ?? 0
        await runDue(_id).catch(ignoreDeletedTeam) // so that the messages can be read as soon as this is answered
      }
      return { recipients }
    },
  }),
])
