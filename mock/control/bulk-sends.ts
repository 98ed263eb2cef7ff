import { releaseBulkSends } from '../rules/messages/bulk-delivery.ts'
import { findTeam, ignoreDeletedTeam } from './context.ts'
import { noun, route } from './route.ts'
import { integer, OneTeam, output } from './schemas.ts'

export const bulkSends = noun('bulk-sends', 'Bulk sends that wait to be released.', ({ store, teams, runDue }) => ({
  releaseBulkSends: route('POST /bulk-sends/release', 'Send the bulk sends that wait', {
    description: 'Those of one team, or of all teams. They are sent before this is answered.',
    body: OneTeam,
    message: 'Bulk sends released',
    data: output('Released', { recipients: integer() }),
    async handler({ body: { teamId } }) {
      const released = teamId === undefined ? await store.teams() : [await findTeam(teamId, store)]
      let recipients = 0
      for (const { _id } of released) {
        const release = teams.transaction({ teamId: _id }, releaseBulkSends)
        recipients += (await release.catch(ignoreDeletedTeam)) ?? 0
        await runDue(_id).catch(ignoreDeletedTeam) // so that the messages can be read as soon as this is answered
      }
      return { recipients }
    },
  }),
}))
