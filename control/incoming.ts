import type { Ask } from './ask.ts'
import type { ControlBody, ControlSchemas } from './types.ts'

/** What customers write. */
export interface IncomingControl {
  /** Adds a message of a customer to the conversation with this address. */
  add(teamId: string, message: ControlBody<'addIncoming'>): Promise<ControlSchemas['Incoming']>
}

export const incomingOver = (ask: Ask): IncomingControl => ({
  add: (teamId, message) => ask('addIncoming', { path: { teamId }, body: message }),
})
