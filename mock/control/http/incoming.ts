import { created } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const incomingRows = {
  addIncoming: async ({ incoming }, { path: { teamId }, body }) =>
    created('Message received', await incoming.add(teamId, body)),
} satisfies Partial<Rows>
