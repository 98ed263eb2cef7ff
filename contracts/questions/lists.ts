import type { listing } from '../../spec/assumptions/lists.ts'
import { messageChannels, templateTypes } from '../../spec/forms.ts'
import { lists } from '../../spec/operation-groups.ts'
import { type Answer, type Fields, fieldsOf } from '../client/answer.ts'
import { historyOf, messagesOn, pageOf } from '../client/messages.ts'
import { listOf } from '../judge/laws/law.ts'
import { byRefusal, byStatus, byValue, CannotTell, Other, requireThat } from './finding.ts'
import { askOddly, byOddInput } from './odd-requests.ts'
import type { Input } from '../client/request.ts'
import type { Ask, ProbeContext } from './probe.ts'
import { type AnsweredRequest, byRefusalOf, on, onSuccess, type Questions, sameInAll } from './question.ts'
import { inHistory } from './sent-messages.ts'

const templates = (query: object = {}) => ({
  query: { page: 1, limit: 10, types: ['sms'], statuses: ['approved'], ...query },
})

const ofTemplates = () => ['listTemplates', templates()] as const

/** Of a conversation with one message. */
const ofHistory = async (_: ProbeContext, context: ProbeContext) => {
  const conversationId = await context.once('a conversation with a message', async () => {
    const { _id } = await context.make.conversation()
    await say(context, _id)
    return _id
  })
  return ['listMessages', pageOf(conversationId)] as const
}

/** Adds odd parameters. */
const withQuery =
  (odd: object) =>
  (_: ProbeContext, { query }: Input) => ({ query: { ...query, ...odd } })

const byPageBeyond = {
  404: 'notFound',
  ok: ({ data }: Answer): 'empty' => {
    if ([data].flat().length > 0) throw new Other('a page after the last one is not empty')
    return 'empty'
  },
} as const

export const listQuestions: Questions<typeof listing> = {
  historyPage: async (context) => {
    const { _id: conversationId } = await context.make.conversation()
    await Promise.all(Array.from({ length: 51 }, () => say(context, conversationId)))
    // Then the history shows all earlier messages, too.
    await saidTwice(context)
    const limited = await historyOf(context, conversationId, { limit: 7 })
    requireThat(messagesIn(limited.data) === 7, 'limit does not count messages (historyCounts)')
    const last = await historyOf(context, conversationId, { page: 6 })
    requireThat(messagesIn(last.data) > 0, 'the history has too few messages')
    const { data } = await context.ask('listMessages', { path: { conversationId } })
    return byValue('the number of messages without page and limit', messagesIn(data), {
      page1limit10: 10,
      page1limit20: 20,
      page1limit50: 50,
    })
  },

  historyCounts: async (context) => {
    const { conversationId } = await saidTwice(context)
    const whole = await historyOf(context, conversationId)
    requireThat(whole.data.length === 1, 'the messages are of two days')
    const { data, pagination } = await historyOf(context, conversationId, { limit: 1 })
    const count = messagesIn(whole.data)
    return byValue('with limit 1, the messages and the total', [messagesIn(data), pagination.total], {
      messages: [1, count],
      days: [count, 1],
    })
  },

  historyOrder: {
    probe: async (context) => {
      const { conversationId, first, second } = await saidTwice(context)
      const ids = messagesOn(await historyOf(context, conversationId))
        .map(({ _id }) => _id)
        .filter((id) => id === first || id === second)
      const [head] = messagesOn(await historyOf(context, conversationId, { limit: 1 }))
      if (head?._id === ids.at(-1)) throw new Other('a page lists its messages in another order than the pages')
      return byValue('the order', ids, { newestFirst: [second, first], oldestFirst: [first, second] })
    },
    read: onSuccess(['listMessages'], ({ answer }) => orderOf(shownMessages(answer))),
  },

  groupDateZone: async (context) => {
    const { conversationId } = await saidTwice(context)
    const { data } = await historyOf(context, conversationId)
    const [day] = data
    const [message] = day?.messages ?? []
    if (!day || !message) throw new CannotTell('the history is empty')
    if (day.date !== message.createdAt.slice(0, 10)) return 'teamZone'
    throw new CannotTell(
      'the date is the same in the time zone of the team and in UTC at this hour: ask again at another',
    )
  },

  unknownChannelFilter: {
    ask: async (context) => {
      const { conversationId } = await saidTwice(context)
      await context.call('listMessages', pageOf(conversationId, { channel: 'pigeon' }))
    },
    read: on(['listMessages'], (exchange) => {
      const [channel = ''] = parameter(exchange, 'channel')
      if (channel === '' || messageChannels.includes(channel)) return undefined
      if (shownMessages(exchange.answer).length > 0) throw new Other('the filter is ignored')
      return byRefusalOf('channel', exchange, 'refused', 'emptyList')
    }),
  },

  templateOrder: {
    probe: async ({ make, ask, mint, timeUntil }) => {
      const ids: string[] = []
      // Neither their names nor their last changes have the order of their age.
      for (const name of ['Mole', 'Zebra', 'Ant'])
        ids.push((await make.template('sms', { name: mint.name(name), uniqueName: mint.slug(name.toLowerCase()) }))._id)
      const [oldest = '', middle = '', newest = ''] = ids
      const body = { templateType: 'sms', content: 'Hello again' }
      await ask('updateTemplate', { path: { templateId: middle }, body })
      const readList = async () => [
        ...new Set(
          [...(await ask('listTemplates', templates())).data, ...(await lastPages({ ask }))]
            .map(({ _id }) => _id)
            .filter((id) => ids.includes(id)),
        ),
      ]
      const isShown = (await timeUntil(async () => (await readList()).length === ids.length)) !== undefined
      requireThat(isShown, 'new templates are neither on the first page nor on the last ones')
      const order = (await readList()).join()
      if (order === [newest, middle, oldest].join()) return 'newestFirst'
      if (order === [oldest, middle, newest].join()) return 'oldestFirst'
      throw new Other('templates are listed by something else than their age')
    },
    read: onSuccess(['listTemplates'], ({ answer }) => orderOf(listOf(answer.fields.data))),
  },

  repeatedQueryValues: {
    probe: async ({ ask, call, make }) => {
      const { _id } = await make.template('sms')
      const several = await ask('listTemplates', templates({ types: ['sms', 'email'] }))
      requireThat(several.data.length > 0, 'the list of templates is empty')
      const answer = await call('listTemplates', templates({ types: 'sms,email' }))
      if (answer.succeeded && totalOf(answer) === totalOf(several)) return 'accepted'
      if (answer.succeeded && totalOf(answer) === 0) return 'refused'
      if (answer.succeeded) throw new Other(`the list has ${String(totalOf(answer))} templates, and not ${_id}`)
      return byStatus(answer, { 400: 'refused' })
    },
    read: on(['listTemplates'], (exchange) => {
      const types = parameter(exchange, 'types')
      const isJoined = types.some((text) => text.includes(','))
      const areKnown = types.flatMap((text) => text.split(',')).every((type) => templateTypes.includes(type))
      const isEmpty = exchange.answer.succeeded && listOf(exchange.answer.fields.data).length === 0
      return isJoined && areKnown && !isEmpty && byRefusalOf('types', exchange, 'refused', 'accepted')
    }),
  },

  bracketedParameter: async ({ ask, call, make }) => {
    await make.template('sms')
    await make.template('email')
    const plain = await ask('listTemplates', templates())
    const all = await ask('listTemplates', templates({ types: ['sms', 'email'] }))
    requireThat(totalOf(plain) !== totalOf(all), 'the list does not count templates by their type')
    const query = { page: 1, limit: 10, 'types[]': 'sms', 'statuses[]': 'approved' }
    const answer = await call('listTemplates', { query })
    if (answer.succeeded && totalOf(answer) !== totalOf(plain)) throw new Other('`types[]` is ignored')
    return byRefusal(answer, 'refused', 'accepted')
  },

  unknownTemplateFilter: byOddInput(ofTemplates, withQuery({ types: ['pigeon'] }), {
    400: 'refused',
    ok: (answer) => {
      if (totalOf(answer) !== 0) throw new Other('an unknown type is ignored')
      return 'matchesNone'
    },
  }),

  badPage: {
    ask: Object.fromEntries(
      ['page', 'limit'].flatMap((name) =>
        [0, -1, 1.5].flatMap((value): [string, Ask][] => [
          [`${name}=${value} of templates`, askOddly(ofTemplates, withQuery({ [name]: value }))],
          [`${name}=${value} of a history`, askOddly(ofHistory, withQuery({ [name]: value }))],
        ]),
      ),
    ),
    read: on(lists, (exchange) => {
      const isBad = (text: string) => /^(0|-\d+|\d+\.\d+)$/.test(text)
      const bad = ['page', 'limit'].find((name) => parameter(exchange, name).some(isBad))
      const { currentPage, limit } = fieldsOf(exchange.answer.fields.pagination)
      const taken = Number((bad === 'page' ? currentPage : limit) ?? 1)
      if (bad && exchange.answer.succeeded && !(Number.isInteger(taken) && taken > 0))
        throw new Other(`the ${bad} is ${taken}`)
      return bad !== undefined && byRefusalOf(bad, exchange, 'refused', 'clamped')
    }),
  },

  largestLimit: {
    ask: async ({ ask, call }) => {
      await ask('listTemplates', templates())
      for (const limit of [100, 101]) await call('listTemplates', templates({ limit }))
    },
    read: on(lists, (exchange) => {
      const [limit = 0] = parameter(exchange, 'limit').map(Number)
      if (limit === 100 && exchange.isRefusedFor('limit')) throw new Other('a limit of 100 is refused')
      if (!Number.isInteger(limit) || limit <= 100) return undefined
      const shown = fieldsOf(exchange.answer.fields.pagination).limit
      if (exchange.answer.succeeded) return byValue('the limit', shown, { hundred: 100, unlimited: limit })
      return exchange.isRefusedFor('limit') && 'refusedAboveHundred'
    }),
  },

  historyPageBeyond: sameInAll({
    'of templates': byOddInput(ofTemplates, withQuery({ page: 1_000_000 }), byPageBeyond),
    'of a history': byOddInput(ofHistory, withQuery({ page: 1_000_000 }), byPageBeyond),
  }),

  emptyTotalPages: {
    ask: async (context) => historyOf(context, (await context.make.conversation())._id, { channel: 'sms' }),
    read: onSuccess(lists, ({ answer }) => {
      const { total, totalResults = total, totalPages } = fieldsOf(answer.fields.pagination)
      return totalResults === 0 && byValue('totalPages', Number(totalPages), { zero: 0, one: 1 })
    }),
  },
}

const shownMessages = ({ fields }: Answer) => listOf(fields.data).flatMap(({ messages }) => listOf(messages))

/** The values of a parameter, which may be repeated. */
const parameter = ({ request: { query } }: AnsweredRequest, name: string) => [query[name] ?? []].flat()

/** Whether records with at least three different times are in one of the two orders. */
function orderOf(shown: readonly Fields[]): 'newestFirst' | 'oldestFirst' | undefined {
  const times = shown.map(({ createdAt }) => Date.parse(String(createdAt)))
  if (new Set(times).size < 3 || times.some(Number.isNaN)) return undefined
  const isSorted = (sign: number) => times.every((time, at) => at === 0 || sign * (time - (times[at - 1] ?? time)) >= 0)
  return isSorted(-1) ? 'newestFirst' : isSorted(1) ? 'oldestFirst' : undefined
}

const messagesIn = (days: readonly { readonly messages: readonly unknown[] }[]) =>
  days.reduce((sum, { messages }) => sum + messages.length, 0)

const totalOf = ({ pagination }: { readonly pagination: Readonly<Record<string, unknown>> }) => pagination.totalResults

/** Returns the last two pages, since the newest template may begin a page. */
async function lastPages({ ask }: Pick<ProbeContext, 'ask'>) {
  const last = Math.max(Number((await ask('listTemplates', templates())).pagination.totalPages), 1)
  const before = last === 1 ? [] : (await ask('listTemplates', templates({ page: last - 1 }))).data
  return [...before, ...(await ask('listTemplates', templates({ page: last }))).data]
}

const say = async ({ ask, some }: ProbeContext, conversationId: string) =>
  (await ask('sendLiveMessage', { body: some.chat({ conversationId }) })).data._id

async function saidTwice(context: ProbeContext) {
  const { _id: conversationId } = await context.make.conversation()
  const first = await say(context, conversationId)
  const second = await say(context, conversationId)
  for (const _id of [first, second]) await inHistory(context, { _id, conversationId })
  return { conversationId, first, second }
}
