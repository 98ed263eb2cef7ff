import { setImmediate as othersFirst } from 'node:timers/promises'
import type { BulkSend, MessageRecord } from '../../../fixtures/records.ts'
import { messageChannels } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'
import { foldedAddress } from '../../store/indexes.ts'
import type { Page, Part } from '../../store/port.ts'
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
  readonly at?: string
}

export interface Wanted {
  readonly channel?: Channel | undefined
  readonly state?: State | undefined
  /** An address. */
  readonly to?: string | undefined
  /** The latest of them. */
  readonly limit: number
}

/** What was sent, as it was rendered, and then what waits to be sent. */
export async function readOutbox(wanted: Wanted, turn: Turn): Promise<readonly OutboxItem[]> {
  const waiting = wanted.state === 'sent' ? [] : await readWaiting(wanted, turn)
  const limit = wanted.limit - waiting.length
  const sent = (wanted.state ?? 'sent') === 'sent' ? await readSent({ ...wanted, limit }, turn) : []
  return [...sent, ...waiting]
}

async function readSent({ channel, to, limit }: Wanted, turn: Turn): Promise<readonly OutboxItem[]> {
  const { messages } = turn.team
  const isWanted = async (message: MessageRecord) => to === undefined || isTo(await addressesOf(message, turn), to)
  const values = channel === undefined ? messageChannels : [channel]
  const found = await latest((part) => messages.page('outgoing', values, part), isWanted, limit)
  return Promise.all((await completeMessages(found, turn)).map((message) => showSent(message, turn)))
}

async function readWaiting({ channel, state, to, limit }: Wanted, turn: Turn): Promise<readonly OutboxItem[]> {
  const { bulkSends } = turn.team
  const isWanted = async (part: BulkSend) =>
    (channel === undefined || channel === part.message.channel) &&
    (state === undefined || state === stateOf(part, turn)) &&
    (to === undefined || isTo(part.to, to))
  const found = await latest((part) => bulkSends.page('waitsFor', ['time', 'release'], part), isWanted, limit)
  return Promise.all(found.map((part) => showWaiting(part, turn)))
}

const readAtOnce = 200

/** The latest of the records that are wanted, the oldest first. It reads no more than it takes to find them. */
async function latest<Record>(
  read: (part: Part) => Promise<Page<Record>>,
  isWanted: (record: Record) => Promise<boolean>,
  limit: number,
): Promise<readonly Record[]> {
  const found: Record[] = []
  for (let skip = 0; found.length < limit; skip += readAtOnce) {
    const { records, total } = await read({ skip, take: readAtOnce, order: 'newestFirst' })
    for (const record of records) if (await isWanted(record)) found.push(record)
    if (skip + readAtOnce >= total) break
    await othersFirst()
  }
  return found.slice(0, limit).reverse()
}

const isTo = (addresses: readonly string[], to: string) =>
  addresses.some((address) => foldedAddress(address) === foldedAddress(to))

async function showSent(message: MessageRecord, turn: Turn) {
  const { _id: id, channel, contactId, conversationId, createdAt: at } = message
  const { content, status, subject } = showMessageInHistory(message, turn)
  const { providerId } = message as { providerId?: string }
  return {
    ...{ id, channel, state: 'sent' as const, to: await addressesOf(message, turn), content, status },
    ...(subject === undefined ? {} : { subject }),
    ...{ contactId, conversationId, at },
    ...(providerId === undefined ? {} : { providerId }),
  }
}

async function addressesOf(message: MessageRecord, { team }: Turn): Promise<string[]> {
  const { to, contactId, channel } = message as MessageRecord & { to?: string }
  const contact = to === undefined ? await team.contacts.get(contactId) : undefined
  const address = to ?? (channel === 'email' ? contact?.email : (contact?.phone ?? contact?.email))
  return address === undefined ? [] : [address]
}

function stateOf({ sendAt }: BulkSend, { clock }: Turn): State {
  if (sendAt === undefined) return 'held'
  return Date.parse(sendAt) > clock.now() ? 'scheduled' : 'queued'
}

async function showWaiting(part: BulkSend, turn: Turn) {
  const { _id: id, to, sendAt, message, textId } = part
  const { message: whole } = (textId === undefined ? undefined : await turn.team.bulkTexts.get(textId)) ?? { message }
  const { channel, content, subject, providerId } = whole
  return {
    ...{ id, channel, state: stateOf(part, turn), to: [...to], content, providerId },
    ...(subject === undefined ? {} : { subject }),
    ...(sendAt === undefined ? {} : { at: sendAt }),
  }
}
