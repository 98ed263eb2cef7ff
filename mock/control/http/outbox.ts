import { done, ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const outboxRows = {
  listOutbox: async ({ outbox }, { query }) => ok('Outbox found', await outbox.list(query)),

  async releaseFromOutbox({ outbox }, { path: { teamId, itemId } }) {
    await outbox.release(teamId, itemId)
    return done('Sent')
  },

  async dropFromOutbox({ outbox }, { path: { teamId, itemId } }) {
    await outbox.drop(teamId, itemId)
    return done('Dropped')
  },

  async reportDelivery({ outbox }, { path: { teamId, itemId }, body }) {
    await outbox.report(teamId, itemId, body)
    return done('Delivery reported')
  },
} satisfies Partial<Rows>
