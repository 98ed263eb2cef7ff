import type { BulkMessage, BulkSend, BulkText, MessageRecord } from '../../../fixtures/records.ts'
import type { TeamInWorld, World } from '../../../fixtures/world.ts'
import { merge } from '../../core/merge.ts'
import type { Turn } from '../../core/turn.ts'
import { hasPlaceholder } from './placeholders.ts'

/** Whether the message is the same for everyone, so that it can be kept once. */
export function isAlikeForAll({ content, subject = '', preheader = '' }: BulkMessage): boolean {
  return ![content, subject, preheader].some(hasPlaceholder)
}

/** The messages with the fields that they share with the others of their bulk send. */
export async function completeMessages(
  messages: readonly MessageRecord[],
  { team }: Turn,
): Promise<readonly MessageRecord[]> {
  const ids = new Set(messages.map(({ textId }) => textId).filter((id) => id !== undefined))
  if (ids.size === 0) return messages
  const texts = await team.bulkTexts.getMany([...ids])
  const known = new Map(texts.map((text) => [text._id, text]))
  return messages.map((message) => complete(message, known.get(message.textId ?? '')))
}

function complete(message: MessageRecord, text: BulkText | undefined): MessageRecord {
  if (!text) return message
  const { textId, ...own } = message
  const { content } = text.message
  const said = text.template === undefined ? { content } : { content: text.template, fallback: content }
  return merge<object, object, MessageRecord>(text.message, own, said as MessageRecord)
}

/** The world with every message and every queued part whole, as people expect to read them. */
export function withWholeMessages(world: World): World {
  return { teams: world.teams.map((team) => (team.bulkTexts ? withoutTexts(team, team.bulkTexts) : team)) }
}

function withoutTexts({ bulkTexts, ...team }: TeamInWorld, texts: readonly BulkText[]): TeamInWorld {
  const known = new Map(texts.map((text) => [text._id, text]))
  const { messages = [], bulkSends = [] } = team
  return {
    ...team,
    ...(messages.length > 0 ? { messages: messages.map((one) => complete(one, known.get(one.textId ?? ''))) } : {}),
    ...(bulkSends.length > 0 ? { bulkSends: bulkSends.map((one) => completePart(one, known)) } : {}),
  }
}

function completePart(part: BulkSend, known: ReadonlyMap<string, BulkText>): BulkSend {
  const { textId = '', ...own } = part
  const text = known.get(textId)
  return text ? { ...own, ...text, _id: own._id } : part
}

/** Removes a text that no part of its send and no message refers to any more. */
export async function removeUnusedText(textId: string, { team }: Turn): Promise<void> {
  const isUsed = (await team.messages.first('text', textId)) ?? (await team.bulkSends.first('text', textId))
  if (!isUsed) await team.bulkTexts.remove(textId)
}
