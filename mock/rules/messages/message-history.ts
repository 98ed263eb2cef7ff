import type { ConversationRecord, MessageRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import { messageChannels } from '../../../spec/forms.ts'
import type { QueryOf } from '../../../spec/types.ts'
import { mapAtAPace } from '../../core/pace.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { channelOfConversation } from '../../store/indexes.ts'
import type { Part } from '../../store/port.ts'
import { limitPage, type PageRequest, toSkipAndTake } from '../pagination.ts'
import { addMessages, type Messages } from './added-messages.ts'

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
  turn: Turn,
): Promise<History> {
  if (channel !== undefined && !messageChannels.includes(channel))
    unknownChannelFilter[turn.assumed.unknownChannelFilter]()
  const { _id } = conversation
  const { messages } = turn.team
  const index = channel === undefined ? 'conversation' : 'channelOfConversation'
  const values = [channel === undefined ? _id : channelOfConversation(_id, channel)]
  const sent = {
    total: await messages.count(index, values),
    read: async (part: Part) => (await messages.page(index, values, part)).records,
  }
  const all = addMessages(sent, conversation, channel, turn)
  if (all.total === 0) return { total: 0, days: [] }
  const dateOf = chooseDateOf(turn)
  // With one message, neither its order nor what is counted makes a difference.
  if (all.total === 1) return pageByMessages(all, { ...toSkipAndTake(page), order: 'newestFirst' }, dateOf)
  const part = { ...toSkipAndTake(page), order: turn.assumed.historyOrder }
  return historyCounts[turn.assumed.historyCounts](all, part, dateOf)
}

const unknownChannelFilter: ByChoice<'unknownChannelFilter', () => void> = {
  refused: () =>
    refuse(`channel must be one of ${messageChannels.join(', ')}`, {
      assumption: 'unknownChannelFilter',
      field: 'channel',
    }),
  emptyList: () => undefined,
}

type DateOf = (message: MessageRecord) => string
type PageHistory = (messages: Messages, part: Part, dateOf: DateOf) => Promise<History>

const historyCounts: ByChoice<'historyCounts', PageHistory> = { messages: pageByMessages, days: pageByDays }

async function pageByMessages({ total, read }: Messages, part: Part, dateOf: DateOf): Promise<History> {
  return { total, days: await groupByDay(await read(part), dateOf) }
}

async function pageByDays({ total, read }: Messages, { skip, take, order }: Part, dateOf: DateOf): Promise<History> {
  const days = await groupByDay(await read({ skip: 0, take: total, order }), dateOf)
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
