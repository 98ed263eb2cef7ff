import type { ConversationRecord, MessageRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Awaitable } from '../../../lib/async.ts'
import { newPause } from '../../../lib/pause.ts'
import { messageChannels } from '../../../spec/forms.ts'
import type { QueryOf } from '../../../spec/types.ts'
import type { Transaction } from '../../core/transaction.ts'
import { channelOfConversation } from '../../store/indexes.ts'
import { limitPage, type PageRequest, toSkipAndTake } from '../pagination.ts'
import { refuseIf } from '../refuse.ts'

interface History {
  readonly total: number
  readonly days: readonly Day[]
}

interface Day {
  readonly date: string
  readonly messages: readonly MessageRecord[]
}

/**
 * promise message.historyIsGrouped: a history is a list of groups, each with a date and its messages.
 * promise message.historyDatesAreDistinct: one page of a history never has two groups for one date.
 */
export async function readHistory(
  conversation: ConversationRecord,
  channel: string | undefined,
  page: PageRequest,
  tx: Transaction,
): Promise<History> {
  if (channel !== undefined && !messageChannels.includes(channel)) {
    const sentence = `channel must be one of ${messageChannels.join(', ')}`
    refuseIf(tx.assumed, 'unknownChannelFilter', 'refused', sentence, 'channel')
  }
  const { _id } = conversation
  const { messages } = tx.team
  const [index, values] = indexOf(_id, channel)
  const part = { ...toSkipAndTake(page), order: tx.assumed.relyOn('historyOrder', false) }
  const { total, records } = await messages.page(index, values, part)
  if (total === 0) return { total: 0, days: [] }
  const dateOf = chooseDateOf(tx)
  // A single message is one message and one day, and neither it nor an empty page has an order.
  const counts = tx.assumed.relyOn('historyCounts', total > 1)
  tx.assumed.relyOn('historyOrder', total > 1 && part.skip < total)
  if (counts !== 'days') return { total, days: await groupByDay(records, dateOf) }
  const all = await messages.page(index, values, { ...part, skip: 0, take: total })
  const days = await groupByDay(all.records, dateOf)
  return { total: days.length, days: days.slice(part.skip, part.skip + part.take) }
}

type DateOf = (message: MessageRecord) => string

async function groupByDay(records: readonly MessageRecord[], dateOf: DateOf): Promise<Day[]> {
  const days = new Map<string, MessageRecord[]>()
  const pause = newPause()
  for (const message of records) {
    const date = dateOf(message)
    const messages = days.get(date)
    if (messages) messages.push(message)
    else days.set(date, [message])
    const paused = pause()
    if (paused) await paused
  }
  return [...days].map(([date, messages]) => ({ date, messages }))
}

function chooseDateOf({ team, assumed }: Transaction): DateOf {
  const { timeZone } = team.onFile
  const utcDate = (time: Date) => time.toISOString().slice(0, 10)
  if (timeZone === undefined) return ({ createdAt }) => utcDate(new Date(createdAt))
  // The Swedish locale writes dates as YYYY-MM-DD.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone })
  return ({ createdAt }) => {
    const time = new Date(createdAt)
    const [utc, local] = [utcDate(time), format.format(time)]
    return utc === local || assumed.groupDateZone === 'utc' ? utc : local
  }
}

/** Reads what `readHistory` probably will, and relies on no choice. */
export function prefetchHistory(
  conversationId: string,
  { channel, page = 1, limit = 10 }: QueryOf<'listMessages'>,
  { team, assumed }: Transaction,
): Awaitable<unknown> {
  const part = toSkipAndTake({ page, limit: Math.min(limit, 100) })
  const [index, values] = indexOf(conversationId, channel)
  return team.messages.page(index, values, { ...part, order: assumed.relyOn('historyOrder', false) })
}

const indexOf = (conversationId: string, channel: string | undefined) =>
  channel === undefined
    ? (['conversation', [conversationId]] as const)
    : (['channelOfConversation', [channelOfConversation(conversationId, channel)]] as const)

/** The specification does not say which page and limit are the defaults. */
export function resolveHistoryPage({ page, limit }: QueryOf<'listMessages'>, tx: Transaction): PageRequest {
  const defaults = historyPage[tx.assumed.relyOn('historyPage', false)]
  return limitPage({ page: page ?? defaults.page, limit: limit ?? defaults.limit }, tx)
}

/** A history that fits into the page of each choice looks the same with all. */
export function relyOnDefaultLimit({ limit }: QueryOf<'listMessages'>, total: number, { assumed }: Transaction): void {
  assumed.relyOn('historyPage', limit === undefined && total > historyPage.page1limit10.limit)
}

const historyPage: ByChoice<'historyPage', PageRequest> = {
  page1limit10: { page: 1, limit: 10 },
  page1limit20: { page: 1, limit: 20 },
  page1limit50: { page: 1, limit: 50 },
}
