import type { BulkMessage, BulkText, MessageRecord } from '../../../fixtures/records.ts'
import { merge } from '../../core/team.ts'
import type { Transaction } from '../../core/transaction.ts'
import { hasPlaceholder } from '../placeholders.ts'

/** Whether the message is the same for everyone, so that it can be kept once. */
export function isAlikeForAll({ content, subject = '', preheader = '', bodyParameters = [] }: BulkMessage): boolean {
  const parameters = bodyParameters.map(({ text = '' }) => text)
  return ![content, subject, preheader, ...parameters].some(hasPlaceholder)
}

/** The messages with the fields that they share with the others of their bulk send. */
export async function completeMessages(
  messages: readonly MessageRecord[],
  { team }: Transaction,
): Promise<readonly MessageRecord[]> {
  const ids = new Set(messages.map(({ textId }) => textId).filter((id) => id !== undefined))
  if (ids.size === 0) return messages
  const texts = await team.bulkTexts.getMany([...ids])
  const known = new Map(texts.map((text) => [text._id, text]))
  return messages.map((message) => completeMessage(message, known.get(message.textId ?? '')))
}

export function completeMessage(message: MessageRecord, text: BulkText | undefined): MessageRecord {
  if (!text) return message
  const { textId, ...own } = message
  const { content } = text.message
  const said = text.template === undefined ? { content } : { content: text.template, fallback: content }
  return merge<object, object, MessageRecord>(text.message, own, said as MessageRecord)
}

/** Removes a text that no part of its send and no message refers to any more. */
export async function removeUnusedText(textId: string, { team }: Transaction): Promise<void> {
  const isUsed = (await team.messages.first('text', textId)) ?? (await team.bulkSends.first('text', textId))
  if (!isUsed) await team.bulkTexts.remove(textId)
}
