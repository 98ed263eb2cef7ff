import type { Awaitable } from '../../../lib/async.ts'
import type { BulkSend, MessageRecord } from '../../../fixtures/records.ts'
import { newPause } from '../../../lib/pause.ts'
import { messageChannels } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Transaction } from '../../core/transaction.ts'
import { foldedAddress } from '../../store/indexes.ts'
import type { Page, Part } from '../../store/port.ts'
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

export interface OutboxFilter {
  readonly channel?: Channel | undefined
  readonly state?: State | undefined
  /** One of the addresses of an item. */
  readonly to?: string | undefined
  /** How many of the latest items are found. */
  readonly limit: number
}

/** The sent messages, as they were rendered, and then the waiting ones. */
export async function readOutbox(wanted: OutboxFilter, tx: Transaction): Promise<readonly OutboxItem[]> {
  const waiting = wanted.state === 'sent' ? [] : await readWaiting(wanted, tx)
  const limit = wanted.limit - waiting.length
  const sent = (wanted.state ?? 'sent') === 'sent' ? await readSent({ ...wanted, limit }, tx) : []
  return [...sent, ...waiting]
}

async function readSent({ channel, to, limit }: OutboxFilter, tx: Transaction): Promise<readonly OutboxItem[]> {
  const { messages } = tx.team
  const isWanted = async (message: MessageRecord) => to === undefined || isTo(await addressesOf(message, tx), to)
  const values = channel === undefined ? messageChannels : [channel]
  const found = await latest((part) => messages.page('outgoing', values, part), isWanted, limit)
  return Promise.all(found.map((message) => showSent(message, tx)))
}

async function readWaiting(
  { channel, state, to, limit }: OutboxFilter,
  tx: Transaction,
): Promise<readonly OutboxItem[]> {
  const { bulkSends } = tx.team
  const isWanted = async (part: BulkSend) =>
    (channel === undefined || channel === part.message.channel) &&
    (state === undefined || state === stateOf(part, tx)) &&
    (to === undefined || isTo(part.to, to))
  const found = await latest((part) => bulkSends.page('waitsFor', ['time', 'release'], part), isWanted, limit)
  return found.map((part) => showWaiting(part, tx))
}

const readAtOnce = 200

/** The latest wanted records, oldest first. Reads pages only until it has found them. */
async function latest<Record>(
  read: (part: Part) => Awaitable<Page<Record>>,
  isWanted: (record: Record) => Promise<boolean>,
  limit: number,
): Promise<readonly Record[]> {
  const pause = newPause()
  const found: Record[] = []
  for (let skip = 0; found.length < limit; skip += readAtOnce) {
    const { records, total } = await read({ skip, take: readAtOnce, order: 'newestFirst' })
    const wanted = await Promise.all(records.map(isWanted))
    found.push(...records.filter((_, at) => wanted[at]))
    if (skip + readAtOnce >= total) break
    await pause(readAtOnce)
  }
  return found.slice(0, limit).reverse()
}

const isTo = (addresses: readonly string[], to: string) =>
  addresses.some((address) => foldedAddress(address) === foldedAddress(to))

async function showSent(message: MessageRecord, tx: Transaction) {
  const { _id: id, channel, contactId, conversationId, createdAt: at } = message
  const { content, status, subject } = showMessageInHistory(message, tx)
  const { providerId } = message as { providerId?: string }
  return {
    ...{ id, channel, state: 'sent' as const, to: await addressesOf(message, tx), content, status },
    ...(subject === undefined ? {} : { subject }),
    ...{ contactId, conversationId, at },
    ...(providerId === undefined ? {} : { providerId }),
  }
}

async function addressesOf(message: MessageRecord, { team }: Transaction): Promise<string[]> {
  const { to, contactId, channel } = message as MessageRecord & { to?: string }
  const contact = to === undefined ? await team.contacts.get(contactId) : undefined
  const address = to ?? (channel === 'email' ? contact?.email : (contact?.phone ?? contact?.email))
  return address === undefined ? [] : [address]
}

function stateOf({ sendAt }: BulkSend, { clock }: Transaction): State {
  if (sendAt === undefined) return 'held'
  return Date.parse(sendAt) > clock.now() ? 'scheduled' : 'queued'
}

function showWaiting(part: BulkSend, tx: Transaction) {
  const { _id: id, to, sendAt, message } = part
  const { channel, content, subject, providerId } = message
  return {
    ...{ id, channel, state: stateOf(part, tx), to: [...to], content, providerId },
    ...(subject === undefined ? {} : { subject }),
    ...(sendAt === undefined ? {} : { at: sendAt }),
  }
}

/**
 * Stores the delivery status of a message for the history. The specification names no status but sent; the test
 * chooses others.
 */
export async function reportDelivery(
  messageId: string,
  status: string,
  { team: { messages } }: Transaction,
): Promise<'reported' | 'unknown' | 'incoming'> {
  const message = await messages.get(messageId)
  if (!message) return 'unknown'
  if (message.direction !== 'outgoing') return 'incoming'
  await messages.update(message, { status })
  return 'reported'
}
