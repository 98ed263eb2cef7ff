import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { seeEachChoice } from './each-choice.ts'
import { type Call, openSandbox, type Told, twoTeams } from './harness.ts'

const conversationId = 'conversation'
const unknownId = '66f0a1b2c3d4e5f601239999'

const channels = ['chat', 'email', 'sms', 'whatsapp'] as const

/** A conversation of acme with messages 1, 2, 3 … created at these times. */
function worldOf(times: readonly string[], more: object = {}): World {
  const [acme, globex] = twoTeams.teams
  const created = { teamId: 'acme', createdAt: '2026-01-01T00:00:00.000Z' }
  const messages = times.map((createdAt, at) => ({
    _id: `message-${at + 1}`,
    channel: channels[at % 4] ?? 'chat',
    direction: 'outgoing',
    content: String(at + 1),
    status: 'sent',
    conversationId,
    contactId: 'ada',
    createdAt,
  }))
  const records = {
    contacts: [{ _id: 'ada', firstName: 'Ada', lastName: 'Lovelace', ...created, updatedAt: created.createdAt }],
    conversations: [{ _id: conversationId, contactId: 'ada', ...created }],
    messages,
  }
  return {
    teams: [acme, globex].flatMap((team) => (team ? [team === acme ? { ...team, ...records, ...more } : team] : [])),
  }
}

const fourOnTwoDays = worldOf([
  '2026-03-01T09:00:00.000Z',
  '2026-03-01T23:30:00.000Z',
  '2026-03-02T08:00:00.000Z',
  '2026-03-02T09:00:00.000Z',
])
const none = worldOf([])
const one = worldOf(['2026-03-01T09:00:00.000Z'])

const read = (call: Call, query: Record<string, string | number> = {}) =>
  call('listMessages', { path: { conversationId }, query })
const firstPage = { page: 1, limit: 10 }

/** Each day with its messages, such as `2026-03-01: 2 1`. */
const daysIn = ({ body }: Told) =>
  ((body.data ?? []) as { date: string; messages: { content: string }[] }[]).map(
    ({ date, messages }) => `${date}: ${messages.map(({ content }) => content).join(' ')}`,
  )

describe('A history', () => {
  it('is a list of days with whole messages, and a pagination', async () => {
    const { call } = await openSandbox({ world: one })
    const { status, body } = await read(call)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: 'History found',
      data: [
        {
          date: '2026-03-01',
          messages: [
            {
              _id: 'message-1',
              channel: 'chat',
              direction: 'outgoing',
              content: '1',
              status: 'sent',
              conversationId,
              contactId: 'ada',
              createdAt: '2026-03-01T09:00:00.000Z',
            },
          ],
        },
      ],
      pagination: { total: 1, currentPage: 1, totalPages: 1, hasMore: false },
    })
  })

  it.each([
    [1, ['2026-03-02: 4 3', '2026-03-01: 2'], true],
    [2, ['2026-03-01: 1'], false],
  ])('splits a day that does not fit into a page: page %i', async (page, days, hasMore) => {
    const { call } = await openSandbox({ world: fourOnTwoDays })
    const told = await read(call, { page, limit: 3 })
    expect(daysIn(told)).toEqual(days)
    expect(told.body.pagination).toEqual({ total: 4, currentPage: page, totalPages: 2, hasMore })
  })

  it('has every message on exactly one page', async () => {
    const times = Array.from({ length: 250 }, (_, at) => new Date(Date.UTC(2026, 2, 1, at)).toISOString())
    const { call } = await openSandbox({ world: worldOf(times) })
    const pages = await Promise.all([1, 2, 3].map((page) => read(call, { page, limit: 100 })))
    const seen = pages.flatMap(daysIn).flatMap((day) => day.split(': ')[1]?.split(' ').map(Number) ?? [])
    expect(seen).toEqual(times.map((_, at) => 250 - at))
  })

  it.each([
    ['unknown', async () => unknownId],
    [
      'of another team',
      async (call: Call) => {
        const resolved = await call('findOrCreateConversation', { body: { phone: '+14155550123' }, key: 'globex-key' })
        return resolved.body.data._id as string
      },
    ],
  ])('of a conversation that is %s is answered 404', async (_, idOf) => {
    const { call } = await openSandbox()
    const { status, body } = await call('listMessages', { path: { conversationId: await idOf(call) } })
    expect([status, body]).toEqual([404, { success: false, message: 'Resource not found' }])
  })
})

const inParis = { timeZone: 'Europe/Paris' }

seeEachChoice({
  historyPage: {
    world: worldOf(Array.from({ length: 60 }, () => '2026-03-01T09:00:00.000Z')),
    story: async (call) => {
      const told = await read(call)
      return { told, seen: [told.body.data[0].messages.length, told.body.pagination.currentPage] }
    },
    shows: { page1limit10: [10, 1], page1limit20: [20, 1], page1limit50: [50, 1] },
    otherwise: (call) => read(call, firstPage),
  },
  historyCounts: {
    world: fourOnTwoDays,
    story: async (call) => {
      const told = await read(call, { page: 1, limit: 1 })
      return { told, seen: [daysIn(told), told.body.pagination.total, told.body.pagination.totalPages] }
    },
    shows: { messages: [['2026-03-02: 4'], 4, 4], days: [['2026-03-02: 4 3'], 2, 2] },
    otherwise: (call) => read(call, { ...firstPage, channel: 'sms' }),
  },
  addedMessages: {
    world: fourOnTwoDays,
    story: async (call) => {
      const told = await read(call, { page: 2, limit: 3 })
      return { told, seen: [daysIn(told), told.body.pagination.total] }
    },
    shows: { none: [['2026-03-01: 1'], 4], welcome: [['2026-03-01: 1', '2026-01-01: Welcome'], 5] },
    otherwise: (call) => read(call, { ...firstPage, channel: 'sms' }),
  },
  historyOrder: {
    world: fourOnTwoDays,
    story: async (call) => {
      const told = await read(call, { page: 1, limit: 3 })
      return { told, seen: daysIn(told) }
    },
    shows: {
      newestFirst: ['2026-03-02: 4 3', '2026-03-01: 2'],
      oldestFirst: ['2026-03-01: 1 2', '2026-03-02: 3'],
    },
    otherwise: (call) => read(call, { ...firstPage, channel: 'sms' }),
  },
  groupDateZone: {
    world: worldOf(['2026-03-01T22:59:00.000Z', '2026-03-01T23:00:00.000Z'], inParis),
    story: async (call) => {
      const told = await read(call)
      return { told, seen: daysIn(told) }
    },
    shows: { utc: ['2026-03-01: 2 1'], teamZone: ['2026-03-02: 2', '2026-03-01: 1'] },
    otherwise: (call) => read(call, { channel: 'whatsapp' }),
  },
  unknownChannelFilter: {
    world: one,
    story: async (call) => {
      const told = await read(call, { channel: 'pigeon' })
      return { told, seen: [told.status, told.body.data] }
    },
    shows: { refused: [400, undefined], emptyList: [200, []] },
    otherwise: (call) => read(call, { channel: 'chat' }),
  },
  badPage: {
    world: worldOf(Array.from({ length: 12 }, () => '2026-03-01T09:00:00.000Z')),
    with: { historyPage: 'page1limit20' },
    story: async (call) => {
      const told = await read(call, { page: 0, limit: 'many' })
      return { told, seen: told.status === 400 ? 400 : told.body.data[0].messages.length }
    },
    shows: { refused: 400, clamped: 12 },
    otherwise: (call) => read(call, firstPage),
  },
  limitAboveLargest: {
    world: worldOf(Array.from({ length: 120 }, () => '2026-03-01T09:00:00.000Z')),
    story: async (call) => {
      const told = await read(call, { page: 1, limit: 101 })
      return { told, seen: told.status === 400 ? 400 : told.body.data[0].messages.length }
    },
    shows: { refused: 400, clamped: 100 },
    otherwise: (call) => read(call, { page: 1, limit: 100 }),
  },
  historyPageBeyond: {
    world: fourOnTwoDays,
    story: async (call) => {
      const told = await read(call, { page: 2, limit: 4 })
      return { told, seen: told.status === 404 ? 404 : [told.body.data, told.body.pagination] }
    },
    shows: { empty: [[], { total: 4, currentPage: 2, totalPages: 1, hasMore: false }], notFound: 404 },
    otherwise: (call) => read(call, { page: 2, limit: 3 }),
  },
  emptyTotalPages: {
    world: none,
    story: async (call) => {
      const told = await read(call)
      expect(told.assumed).not.toContain('historyPageBeyond')
      return { told, seen: [told.body.data, told.body.pagination] }
    },
    shows: {
      zero: [[], { total: 0, currentPage: 1, totalPages: 0, hasMore: false }],
      one: [[], { total: 0, currentPage: 1, totalPages: 1, hasMore: false }],
    },
    otherwise: async (call) => {
      await call('sendLiveMessage', { body: { channel: 'chat', content: 'Hello', conversationId } })
      return read(call)
    },
  },
  messageStatusLater: {
    world: one,
    story: async (call) => {
      const told = await read(call)
      return { told, seen: told.body.data[0].messages[0].status }
    },
    shows: { staysSent: 'sent', delivered: 'delivered' },
    otherwise: (call) => read(call, { channel: 'whatsapp' }),
  },
})

it.each(['newestFirst', 'oldestFirst'] as const)('pages with a welcome add up, %s', async (historyOrder) => {
  const assume = { addedMessages: 'welcome', historyOrder } as const
  const { call } = await openSandbox({ world: fourOnTwoDays, assume })
  const all = ['Welcome', '1', '2', '3', '4']
  if (historyOrder === 'newestFirst') all.reverse()
  for (const limit of [1, 2, 3, 4, 5, 6]) {
    const pages: string[][] = []
    for (let page = 1; page <= 6; page++) {
      const { data } = (await read(call, { page, limit })).body as { data: { messages: { content: string }[] }[] }
      pages.push(data.flatMap(({ messages }) => messages.map(({ content }) => content)))
    }
    expect(pages.flat()).toEqual(all)
    expect(pages.filter((page) => page.length > limit)).toEqual([])
  }
})
