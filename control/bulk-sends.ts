import type { Ask } from './ask.ts'
import type { ControlBody, ControlSchemas } from './types.ts'

/** Bulk sends that the choice bulkDelivery=onRelease holds. */
export interface BulkSendsControl {
  /** Sends those of one team, or of all teams, before it resolves. */
  release(of?: ControlBody<'releaseBulkSends'>): Promise<ControlSchemas['Released']>
}

export const bulkSendsOver = (ask: Ask): BulkSendsControl => ({
  release: (of = {}) => ask('releaseBulkSends', { body: of }),
})
