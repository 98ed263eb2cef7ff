import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { type Call, openSandbox, type ApiResponse, twoTeams } from './helpers.ts'

const conversationId = 'conversation'

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

const read = (call: Call, query: Record<string, string | number> = {}) =>
  call('listMessages', { path: { conversationId }, query })

/** Each day with its messages, such as `2026-03-01: 2 1`. */
const daysIn = ({ body }: ApiResponse) =>
  ((body.data ?? []) as { date: string; messages: { content: string }[] }[]).map(
    ({ date, messages }) => `${date}: ${messages.map(({ content }) => content).join(' ')}`,
  )

describe('A history', () => {
  it.each([
    [1, ['2026-03-02: 4 3', '2026-03-01: 2'], true],
    [2, ['2026-03-01: 1'], false],
  ])('splits a day that does not fit into a page: page %i', async (page, days, hasMore) => {
    const { call } = await openSandbox({ world: fourOnTwoDays })
    const response = await read(call, { page, limit: 3 })
    expect(daysIn(response)).toEqual(days)
    expect(response.body.pagination).toEqual({ total: 4, currentPage: page, totalPages: 2, hasMore })
  })

  it('has every message on exactly one page', async () => {
    const times = Array.from({ length: 250 }, (_, at) => new Date(Date.UTC(2026, 2, 1, at)).toISOString())
    const { call } = await openSandbox({ world: worldOf(times) })
    const pages = await Promise.all([1, 2, 3].map((page) => read(call, { page, limit: 100 })))
    const seen = pages.flatMap(daysIn).flatMap((day) => day.split(': ')[1]?.split(' ').map(Number) ?? [])
    expect(seen).toEqual(times.map((_, at) => 250 - at))
  })
})

it.each([
  ['utc', ['2026-03-01: 2 1']],
  ['teamZone', ['2026-03-02: 2', '2026-03-01: 1']],
] as const)('groupDateZone=%s decides the day of a message, and is marked', async (groupDateZone, days) => {
  const world = worldOf(['2026-03-01T22:59:00.000Z', '2026-03-01T23:00:00.000Z'], { timeZone: 'Europe/Paris' })
  const { call } = await openSandbox({ world, assume: { groupDateZone } })
  const response = await read(call)
  expect([daysIn(response), response.assumed]).toEqual([days, expect.arrayContaining(['groupDateZone'])])
  expect((await read(call, { channel: 'whatsapp' })).assumed).not.toContain('groupDateZone')
})

it('is marked neither with the order of an empty page nor with a time zone that changes no date', async () => {
  const atNoon = ['2026-03-01T12:00:00.000Z', '2026-03-02T12:00:00.000Z']
  const { call } = await openSandbox({ world: worldOf(atNoon, { timeZone: 'Europe/Paris' }) })
  expect((await read(call)).assumed).toContain('historyOrder')
  expect((await read(call)).assumed).not.toContain('groupDateZone')
  expect((await read(call, { page: 2, limit: 10 })).assumed).not.toContain('historyOrder')
})

it('with one message is marked neither with its order, nor with the unit of its count, nor with its page', async () => {
  const { call } = await openSandbox({ world: worldOf(['2026-03-01T12:00:00.000Z']) })
  const { assumed } = await read(call)
  expect(assumed.filter((name) => /^history(Order|Counts|Page)$/.test(name))).toEqual([])
})

it('is marked with its default page when it does not fit into the page of each choice', async () => {
  const times = Array.from({ length: 11 }, (_, at) => new Date(Date.UTC(2026, 2, 1, 12, at)).toISOString())
  const { call } = await openSandbox({ world: worldOf(times) })
  expect((await read(call)).assumed).toContain('historyPage')
  expect((await read(call, { limit: 5 })).assumed).not.toContain('historyPage')
})

it.each([
  ['refused', [400, 400]],
  ['first', [1, 0]],
] as const)('with two channels is answered as repeatedParameter=%s: %j', async (repeatedParameter, seen) => {
  const { call } = await openSandbox({ world: worldOf(['2026-03-01T12:00:00.000Z']), assume: { repeatedParameter } })
  for (const [at, channel] of [
    ['chat', 'sms'],
    ['sms', 'chat'],
  ].entries()) {
    const { status, body, assumed } = await call('listMessages', { path: { conversationId }, query: { channel } })
    expect(assumed).toContain('repeatedParameter')
    expect(status === 200 ? body.pagination.total : status).toBe(seen[at])
  }
})
