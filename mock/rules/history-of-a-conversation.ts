import type { ConversationRecord, MessageRecord } from '../../fixtures/records.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { messageChannels } from '../../spec/forms.ts'
import type { QueryOf } from '../../spec/types.ts'
import { refuse } from '../replies.ts'
import { channelOfConversation } from '../store/indexes.ts'
import type { Page, Part } from '../store/port.ts'
import type { Team } from '../team.ts'
import { allowedPage, type PageAsked, placeOf } from './page-of-a-list.ts'

/** The messages of one day, in the order of the history. */
export interface Day {
  readonly date: string
  readonly messages: readonly MessageRecord[]
}

export interface History {
  readonly total: number
  readonly days: readonly Day[]
}

/** promise message.historyIsGrouped, message.historyDatesAreDistinct: a page of what was said, day by day. */
export async function historyOf(
  { _id }: ConversationRecord,
  channel: string | undefined,
  asked: PageAsked,
  team: Team,
  assumed: Assumed,
): Promise<History> {
  if (channel !== undefined && !messageChannels.includes(channel)) unknownChannelFilter[assumed.unknownChannelFilter]()
  const said: Said = (part) =>
    channel === undefined
      ? team.messages.page('conversation', [_id], part)
      : team.messages.page('channelOfConversation', [channelOfConversation(_id, channel)], part)
  const { total } = await said({ skip: 0, take: 0, order: 'newestFirst' })
  if (total === 0) return { total, days: [] }
  const dayOf = dayIn(team.onFile.timeZone, assumed)
  if (total === 1) return pageOfMessages(said, { ...placeOf(asked), order: 'newestFirst' }, dayOf, total)
  return historyCounts[assumed.historyCounts](said, { ...placeOf(asked), order: assumed.historyOrder }, dayOf, total)
}

const unknownChannelFilter: ByChoice<'unknownChannelFilter', () => void> = {
  refused: () => refuse(`channel must be one of ${messageChannels.join(', ')}`),
  emptyList: () => undefined,
}

/** A part of what was said, on all channels or on one. */
type Said = (part: Part) => Promise<Page<MessageRecord>>
type DayOf = (message: MessageRecord) => string

async function pageOfMessages(said: Said, part: Part, dayOf: DayOf, total: number): Promise<History> {
  const { records } = await said(part)
  return { total, days: dayByDay(records, dayOf) }
}

async function pageOfDays(said: Said, { skip, take, order }: Part, dayOf: DayOf, total: number): Promise<History> {
  const { records } = await said({ skip: 0, take: total, order })
  const days = dayByDay(records, dayOf)
  return { total: days.length, days: days.slice(skip, skip + take) }
}

const historyCounts: ByChoice<'historyCounts', typeof pageOfMessages> = { messages: pageOfMessages, days: pageOfDays }

function dayByDay(records: readonly MessageRecord[], dayOf: DayOf): Day[] {
  const days = new Map<string, MessageRecord[]>()
  for (const message of records) {
    const date = dayOf(message)
    const messages = days.get(date)
    if (messages) messages.push(message)
    else days.set(date, [message])
  }
  return [...days].map(([date, messages]) => ({ date, messages }))
}

function dayIn(timeZone: string | undefined, assumed: Assumed): DayOf {
  return timeZone === undefined ? utcDay : groupDateZone[assumed.groupDateZone](timeZone)
}

const utcDay: DayOf = ({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10)

const groupDateZone: ByChoice<'groupDateZone', (timeZone: string) => DayOf> = {
  utc: () => utcDay,
  teamZone: (timeZone) => {
    // Swedish dates are written as ISO dates are.
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone })
    return ({ createdAt }) => day.format(new Date(createdAt))
  },
}

/** Which page is meant when the request does not say. */
export function pageOfHistory({ page, limit }: QueryOf<'listMessages'>, assumed: Assumed): PageAsked {
  if (page !== undefined && limit !== undefined) return allowedPage({ page, limit }, assumed)
  const usual = historyPage[assumed.historyPage]
  return allowedPage({ page: page ?? usual.page, limit: limit ?? usual.limit }, assumed)
}

const historyPage: ByChoice<'historyPage', PageAsked> = {
  page1limit10: { page: 1, limit: 10 },
  page1limit20: { page: 1, limit: 20 },
  page1limit50: { page: 1, limit: 50 },
}
