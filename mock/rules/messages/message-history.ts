import type { ConversationRecord, MessageRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import { messageChannels } from '../../../spec/forms.ts'
import type { QueryOf } from '../../../spec/types.ts'
import { mapAtAPace } from '../../core/pace.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { channelOfConversation } from '../../store/indexes.ts'
import type { Page, Part } from '../../store/port.ts'
import { limitPage, type PageRequest, toSkipAndTake } from '../pagination.ts'

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
  { _id }: ConversationRecord,
  channel: string | undefined,
  page: PageRequest,
  turn: Turn,
): Promise<History> {
  if (channel !== undefined && !messageChannels.includes(channel))
    unknownChannelFilter[turn.assumed.unknownChannelFilter]()
  const { messages } = turn.team
  const index = channel === undefined ? 'conversation' : 'channelOfConversation'
  const values = [channel === undefined ? _id : channelOfConversation(_id, channel)]
  const readMessages: ReadMessages = (part) => messages.page(index, values, part)
  const total = await messages.count(index, values)
  if (total === 0) return { total, days: [] }
  const dateOf = chooseDateOf(turn)
  // With one message, neither its order nor what is counted makes a difference.
  if (total === 1) return pageByMessages(readMessages, { ...toSkipAndTake(page), order: 'newestFirst' }, dateOf, total)
  const part = { ...toSkipAndTake(page), order: turn.assumed.historyOrder }
  return historyCounts[turn.assumed.historyCounts](readMessages, part, dateOf, total)
}

const unknownChannelFilter: ByChoice<'unknownChannelFilter', () => void> = {
  refused: () =>
    refuse(`channel must be one of ${messageChannels.join(', ')}`, {
      assumption: 'unknownChannelFilter',
      field: 'channel',
    }),
  emptyList: () => undefined,
}

/** Reads a part of the messages, of all channels or of one. */
type ReadMessages = (part: Part) => Promise<Page<MessageRecord>>
type DateOf = (message: MessageRecord) => string
type PageHistory = (readMessages: ReadMessages, part: Part, dateOf: DateOf, total: number) => Promise<History>

const historyCounts: ByChoice<'historyCounts', PageHistory> = { messages: pageByMessages, days: pageByDays }

async function pageByMessages(readMessages: ReadMessages, part: Part, dateOf: DateOf, total: number): Promise<History> {
  const { records } = await readMessages(part)
  return { total, days: await groupByDay(records, dateOf) }
}

async function pageByDays(
  readMessages: ReadMessages,
  { skip, take, order }: Part,
  dateOf: DateOf,
  total: number,
): Promise<History> {
  const { records } = await readMessages({ skip: 0, take: total, order })
  const days = await groupByDay(records, dateOf)
  return { total: days.length, days: days.slice(skip, skip + take) }
}

async function groupByDay(records: readonly MessageRecord[], dateOf: DateOf): Promise<Day[]> {
  const days = new Map<string, MessageRecord[]>()
  const dates = await mapAtAPace(records, dateOf)
  for (const [at, message] of records.entries()) {
    const date = dates[at] ?? ''
    const messages = days.get(date)
    if (messages) messages.push(message)
    else days.set(date, [message])
  }
  return [...days].map(([date, messages]) => ({ date, messages }))
}

function chooseDateOf({ team, assumed }: Turn): DateOf {
  const { timeZone } = team.onFile
  return timeZone === undefined ? utcDateOf : groupDateZone[assumed.groupDateZone](timeZone)
}

const utcDateOf: DateOf = ({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10)

const groupDateZone: ByChoice<'groupDateZone', (timeZone: string) => DateOf> = {
  utc: () => utcDateOf,
  teamZone: (timeZone) => {
    // The Swedish locale writes dates as YYYY-MM-DD.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone })
    return ({ createdAt }) => format.format(new Date(createdAt))
  },
}

/** The specification does not say which page and limit are the defaults. */
export function resolveHistoryPage({ page, limit }: QueryOf<'listMessages'>, turn: Turn): PageRequest {
  if (page !== undefined && limit !== undefined) return limitPage({ page, limit }, turn)
  const defaults = historyPage[turn.assumed.historyPage]
  return limitPage({ page: page ?? defaults.page, limit: limit ?? defaults.limit }, turn)
}

const historyPage: ByChoice<'historyPage', PageRequest> = {
  page1limit10: { page: 1, limit: 10 },
  page1limit20: { page: 1, limit: 20 },
  page1limit50: { page: 1, limit: 50 },
}
