import type { BulkSendsControl } from '../../control/bulk-sends.ts'
import { NotFound } from './refusals.ts'
import { releaseBulkSends } from '../rules/messages/bulk-delivery.ts'
import { checkBody } from './check.ts'
import type { ControlContext } from './context.ts'
import { nothingOfDeleted } from './turn-of-team.ts'

export function bulkSendsIn({ store, teams, catchUp }: ControlContext): BulkSendsControl {
  return {
    async release(of = {}) {
      checkBody('releaseBulkSends', of)
      const released = (await store.teams()).filter(({ _id }) => of.teamId === undefined || _id === of.teamId)
      if (of.teamId !== undefined && released.length === 0) throw new NotFound()
      let recipients = 0
      for (const { _id } of released) {
        const release = teams.turn({ teamId: _id }, releaseBulkSends)
        recipients += (await release.catch(nothingOfDeleted)) ?? 0
        await catchUp(_id).catch(nothingOfDeleted) // so that the messages can be read as soon as this resolves
      }
      return { recipients }
    },
  }
}
