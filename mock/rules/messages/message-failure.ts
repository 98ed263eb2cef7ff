import type { MessageRecord } from '../../../fixtures/records.ts'
import type { Transaction } from '../../core/transaction.ts'
import { channelOfConversation } from '../../store/indexes.ts'
import type { Receiver } from './message-target.ts'

type MessageText = Pick<MessageRecord, 'channel' | 'fallback' | 'textId'>

/** The reason why the network may not deliver a message. The send itself succeeds: a failure is reported later. */
export async function findFailure(
  { contact, conversation }: Receiver,
  text: MessageText,
  tx: Transaction,
): Promise<MessageRecord['failure']> {
  const { channel } = text
  if (channel !== 'sms' && channel !== 'whatsapp') return undefined
  if (contact.phone?.startsWith('+999')) return 'noSuchNumber'
  const isOpen = channel === 'sms' || (await isFromTemplate(text, tx)) || (await isInSession(conversation._id, tx))
  return isOpen ? undefined : 'outsideSession'
}

async function isFromTemplate({ fallback, textId }: MessageText, { team }: Transaction): Promise<boolean> {
  const shared = textId === undefined ? undefined : await team.bulkTexts.get(textId)
  return (fallback ?? shared?.template) !== undefined
}

const day = 24 * 60 * 60 * 1000
const lately = 50

/** Whether the contact has written by WhatsApp within a day. */
async function isInSession(conversationId: string, { team, clock }: Transaction): Promise<boolean> {
  const ofWhatsapp = [channelOfConversation(conversationId, 'whatsapp')]
  const part = { skip: 0, take: lately, order: 'newestFirst' } as const
  const { records } = await team.messages.page('channelOfConversation', ofWhatsapp, part)
  const since = clock.now() - day
  return records.some(({ direction, createdAt }) => direction !== 'outgoing' && Date.parse(createdAt) > since)
}

/** Whether a message that may not be delivered shows as failed. */
export function hasFailed({ failure }: MessageRecord, { assumed }: Transaction): boolean {
  if (failure === 'outsideSession') return assumed.whatsappOutsideSession === 'failed'
  return failure === 'noSuchNumber' && assumed.numberThatNobodyHas === 'failed'
}
