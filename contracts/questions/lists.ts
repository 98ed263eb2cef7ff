import { historyOf, messagesOn, pageOf } from '../client/messages.ts'
import { inHistory } from './sent-messages.ts'
import { byRefusal, byStatus, byValue, CannotTell, Other, requireUnchanged, requireThat } from './finding.ts'
import { type ProbeContext, type Probes, sameInAll } from './probe.ts'
import type { Answer } from '../client/answer.ts'
import type { Input } from '../client/request.ts'
import type { listing } from '../../spec/assumptions/lists.ts'

const templates = (query: object = {}) => ({
  query: { page: 1, limit: 10, types: ['sms'], statuses: ['approved'], ...query },
})

export const listProbes: Probes<typeof listing> = {
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

  historyOrder: async (context) => {
    const { conversationId, first, second } = await saidTwice(context)
    const ids = messagesOn(await historyOf(context, conversationId))
      .map(({ _id }) => _id)
      .filter((id) => id === first || id === second)
    const [head] = messagesOn(await historyOf(context, conversationId, { limit: 1 }))
    if (head?._id === ids.at(-1)) throw new Other('a page lists its messages in another order than the pages')
    return byValue('the order', ids, { newestFirst: [second, first], oldestFirst: [first, second] })
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

  unknownChannelFilter: async (context) => {
    const { conversationId } = await saidTwice(context)
    const filtered = await context.call('listMessages', pageOf(conversationId, { channel: 'pigeon' }))
    if (filtered.succeeded && messagesIn(filtered.data) > 0) throw new Other('the filter is ignored')
    return byRefusal(filtered, 'refused', 'emptyList')
  },

  templateOrder: async ({ make, ask, mint, timeUntil }) => {
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

  repeatedQueryValues: async ({ ask, call, make }) => {
    const { _id } = await make.template('sms')
    const several = await ask('listTemplates', templates({ types: ['sms', 'email'] }))
    requireThat(several.data.length > 0, 'the list of templates is empty')
    const answer = await call('listTemplates', templates({ types: 'sms,email' }))
    if (answer.succeeded && totalOf(answer) === totalOf(several)) return 'accepted'
    if (answer.succeeded && totalOf(answer) === 0) return 'refused'
    if (answer.succeeded) throw new Other(`the list has ${String(totalOf(answer))} templates, and not ${_id}`)
    return byStatus(answer, { 400: 'refused' })
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

  unknownTemplateFilter: async ({ ask, call }) => {
    await ask('listTemplates', templates())
    const answer = await call('listTemplates', templates({ types: ['pigeon'] }))
    if (answer.succeeded && totalOf(answer) !== 0) throw new Other('an unknown type is ignored')
    return byRefusal(answer, 'refused', 'matchesNone')
  },

  badPage: sameInAll(
    Object.fromEntries(
      ['page', 'limit'].flatMap((name) =>
        [0, -1, 1.5].flatMap((value) => [
          [`${name}=${value} of templates`, badPage(name, value, async () => ['listTemplates', templates()])],
          [
            `${name}=${value} of a history`,
            badPage(name, value, async ({ make }) => ['listMessages', pageOf((await make.conversation())._id)]),
          ],
        ]),
      ),
    ),
  ),

  largestLimit: async ({ ask, call }) => {
    await ask('listTemplates', templates())
    const hundred = await call('listTemplates', templates({ limit: 100 }))
    if (!hundred.succeeded) throw new Other(`a limit of 100 is refused: ${hundred.summary}`)
    const answer = await call('listTemplates', templates({ limit: 101 }))
    if (answer.status === 400) return 'refusedAboveHundred'
    if (!answer.succeeded) throw new Other(answer.summary)
    return byValue('the limit', answer.pagination.limit, { hundred: 100, unlimited: 101 })
  },

  historyPageBeyond: sameInAll({
    'of templates': async ({ ask, call }) => {
      await ask('listTemplates', templates())
      return byPageBeyond(await call('listTemplates', templates({ page: 1_000_000 })))
    },
    'of a history': async (context) => {
      const { conversationId } = await saidTwice(context)
      return byPageBeyond(await context.call('listMessages', pageOf(conversationId, { page: 1_000_000 })))
    },
  }),

  emptyTotalPages: async (context) => {
    const { _id: conversationId } = await context.make.conversation()
    const { data, pagination } = await historyOf(context, conversationId, { channel: 'sms' })
    requireThat(data.length === 0, 'a new conversation has SMS messages')
    return byValue('totalPages', pagination.totalPages, { zero: 0, one: 1 })
  },
}

/** A bad page, or a bad limit, of a list that is there. */
function badPage(
  name: string,
  value: number,
  listOf: (context: ProbeContext) => Promise<['listTemplates' | 'listMessages', Pick<Input, 'path' | 'query'>]>,
) {
  return async (context: ProbeContext): Promise<'refused' | 'clamped'> => {
    const [operation, input] = await listOf(context)
    await context.ask(operation, input)
    const answer = await context.call(operation, { ...input, query: { ...input.query, [name]: value } })
    if (answer.succeeded && name === 'page') requireUnchanged('the page', answer.pagination.currentPage, 1)
    return byRefusal(answer, 'refused', 'clamped')
  }
}

function byPageBeyond(answer: Answer): 'notFound' | 'empty' {
  if (answer.succeeded && [answer.data].flat().length > 0) throw new Other('a page after the last one is not empty')
  return byStatus(answer, { 404: 'notFound', ok: 'empty' })
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
