import type { Turn } from '../../core/turn.ts'

/**
 * Keeps what became of a message, for the history to show. The specification names no status but sent; whoever tests
 * knows which ones the service has.
 */
export async function reportDelivery(
  messageId: string,
  status: string,
  { team: { messages } }: Turn,
): Promise<'kept' | 'unknown' | 'incoming'> {
  const message = await messages.get(messageId)
  if (!message) return 'unknown'
  if (message.direction !== 'outgoing') return 'incoming'
  await messages.update(message, { status })
  return 'kept'
}
