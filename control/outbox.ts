import type { Ask } from './ask.ts'
import type { ControlAsked, ControlBody, ControlSchemas } from './types.ts'

/** What was sent, to whom and as it was rendered, and what waits to be sent. */
export interface OutboxControl {
  /** The oldest first. With `wait`, resolves as soon as there are as many as `atLeast`, or when the time is over. */
  list(of?: OutboxQuery): Promise<readonly ControlSchemas['OutboxItem'][]>
  /** Sends now what waits to be sent. */
  release(teamId: string, itemId: string): Promise<void>
  /** Drops what waits to be sent. */
  drop(teamId: string, itemId: string): Promise<void>
  /** Says that a sent message was delivered, read or bounced. */
  report(teamId: string, messageId: string, delivery: ControlBody<'reportDelivery'>): Promise<void>
}

export type OutboxQuery = ControlAsked<'listOutbox'>['query']

export const outboxOver = (ask: Ask): OutboxControl => ({
  list: (of = {}) => ask('listOutbox', { query: of }),
  release: (teamId, itemId) => ask('releaseFromOutbox', { path: { teamId, itemId } }),
  drop: (teamId, itemId) => ask('dropFromOutbox', { path: { teamId, itemId } }),
  report: (teamId, itemId, delivery) => ask('reportDelivery', { path: { teamId, itemId }, body: delivery }),
})
