import type { BulkSend, MessageRecord } from '../../../fixtures/records.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'
import { completeMessages } from './bulk-texts.ts'
import { showMessageInHistory } from './message-view.ts'

type Channel = Schemas['Message']['channel']
type State = 'sent' | 'queued' | 'scheduled' | 'held'

export interface OutboxItem {
  readonly id: string
  readonly channel: Channel
  readonly state: State
  readonly to: string[]
  readonly content: string
}

interface Records {
  readonly messages?: readonly MessageRecord[]
  readonly bulkSends?: readonly BulkSend[]
}

interface Wanted {
  readonly channel: Channel | undefined
  readonly state: State | undefined
}

/** What was sent, as it was rendered, and then what waits to be sent. */
export async function readOutbox({ messages = [], bulkSends = [] }: Records, wanted: Wanted, turn: Turn) {
  const isOfChannel = (channel: string) => wanted.channel === undefined || wanted.channel === channel
  const items: OutboxItem[] = []
  if (wanted.state === undefined || wanted.state === 'sent') {
    const sent = messages.filter(({ direction, channel }) => direction === 'outgoing' && isOfChannel(channel))
    for (const message of await completeMessages(sent, turn)) items.push(await showSent(message, turn))
  }
  for (const part of bulkSends.filter(({ message }) => isOfChannel(message.channel))) {
    const item = await showWaiting(part, turn)
    if (wanted.state === undefined || wanted.state === item.state) items.push(item)
  }
  return items
}

async function showSent(message: MessageRecord, turn: Turn) {
  const { _id: id, channel, contactId, conversationId, createdAt: at } = message
  const { content, status, subject } = showMessageInHistory(message, turn)
  const { to, providerId } = message as { to?: string; providerId?: string }
  const address = to ?? (await addressOf(contactId, channel, turn))
  return {
    ...{ id, channel, state: 'sent' as const, to: address === undefined ? [] : [address], content, status },
    ...(subject === undefined ? {} : { subject }),
    ...{ contactId, conversationId, at },
    ...(providerId === undefined ? {} : { providerId }),
  }
}

async function addressOf(contactId: string, channel: Channel, { team }: Turn): Promise<string | undefined> {
  const contact = await team.contacts.get(contactId)
  return channel === 'email' ? contact?.email : (contact?.phone ?? contact?.email)
}

async function showWaiting({ _id: id, to, sendAt, message, textId }: BulkSend, { team, clock }: Turn) {
  const { message: whole } = (textId === undefined ? undefined : await team.bulkTexts.get(textId)) ?? { message }
  const { channel, content, subject, providerId } = whole
  const state: State = sendAt === undefined ? 'held' : Date.parse(sendAt) > clock.now() ? 'scheduled' : 'queued'
  return {
    ...{ id, channel, state, to: [...to], content, providerId },
    ...(subject === undefined ? {} : { subject }),
    ...(sendAt === undefined ? {} : { at: sendAt }),
  }
}
