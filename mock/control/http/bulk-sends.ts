import { ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const bulkSendRows = {
  releaseBulkSends: async ({ bulkSends }, { body }) => ok('Bulk sends released', await bulkSends.release(body)),
} satisfies Partial<Rows>
