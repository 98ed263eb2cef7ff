import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { openSandbox, twoTeams } from './harness.ts'

const createdAt = '2026-03-01T09:30:00.000Z'
const many = 20_000
const contacts = Array.from({ length: many }, (_, at) => ({
  _id: `contact ${at}`,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+14155550123',
  teamId: 'acme',
  createdAt,
  updatedAt: createdAt,
}))

const worldOf = (records: object) =>
  ({ teams: [{ ...twoTeams.teams[0], ...records }, ...twoTeams.teams.slice(1)] }) as World

/** How often others could run before the work was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  const progress = { isDone: false, turns: 0 }
  const count = async () => {
    for (; !progress.isDone; progress.turns++) await nextTurn()
  }
  const counted = count()
  await work().finally(() => (progress.isDone = true))
  await counted
  return progress.turns
}

describe('others run', () => {
  it('while 20,000 contacts are deleted by e-mail', async () => {
    const { call } = await openSandbox({ world: worldOf({ contacts }) })
    const query = { email: 'ada@example.com' }
    const turns = await turnsDuring(async () => {
      expect((await call('deleteContactsByEmail', { query })).body.message).toBe(`${many} contacts deleted`)
    })
    expect(turns).toBeGreaterThan(many / 100)
  })

  const conversation = { _id: 'talk', contactId: 'contact 0', teamId: 'acme', createdAt }
  const messages = Array.from({ length: many }, (_, at) => ({
    _id: `message ${at}`,
    channel: 'chat',
    direction: 'outgoing',
    content: 'Hello',
    status: 'sent',
    conversationId: 'talk',
    contactId: 'contact 0',
    createdAt,
  }))

  it('while a history of 20,000 messages is grouped by day', async () => {
    const world = worldOf({ contacts: contacts.slice(0, 1), conversations: [conversation], messages })
    const { call } = await openSandbox({ world, assume: { historyCounts: 'days' } })
    const turns = await turnsDuring(() => call('listMessages', { path: { conversationId: 'talk' } }))
    expect(turns).toBeGreaterThan(many / 600)
  })

  it('while 200 messages with long merge fields are written', async () => {
    const named = contacts.slice(0, 200).map((contact, at) => ({
      ...contact,
      email: `p${at}@example.com`,
      firstName: 'x'.repeat(10_000),
    }))
    const { call, sandbox } = await openSandbox({
      world: worldOf({ contacts: named }),
      assume: { bulkDelivery: 'onRelease' },
    })
    const body = {
      to: named.map(({ email }) => email).join(','),
      channel: 'email',
      subject: 'News',
      content: '{{firstName}}'.repeat(100),
      providerId: 'email-provider',
    }
    expect((await call('sendBulkMessages', { body })).status).toBe(200)
    expect(await turnsDuring(() => sandbox.bulkSends.release({ teamId: 'acme' }))).toBeGreaterThan(10)
    const sent = (await sandbox.world()).teams[0]?.messages ?? []
    expect(sent.map(({ content }) => content)).toEqual(named.map(() => body.content))
  })

  it('while a bulk send of a million commas is read', async () => {
    const { call } = await openSandbox()
    const body = { to: ','.repeat(1_000_000), channel: 'sms', content: 'Hello', providerId: 'sms-provider' }
    const turns = await turnsDuring(async () => {
      expect((await call('sendBulkMessages', { body })).status).toBe(400)
    })
    expect(turns).toBeGreaterThan(1_000)
  })
})

describe('ten megabytes of text', () => {
  const template = {
    templateType: 'whatsapp',
    name: 'a',
    content: 'a',
    category: 'UTILITY',
    provider: 'whatsapp-provider',
  }

  it.each([
    ['uniqueName', '_a'],
    ['language', '-a'],
  ])('fit the pattern of %s without overflowing the stack', async (field, unit) => {
    const { call } = await openSandbox({ assume: { bodyLimit: 'tenMiB' } })
    const body = { ...template, uniqueName: 'a', language: 'en', [field]: `en${unit.repeat(5_000_000)}` }
    expect([201, 400]).toContain((await call('createTemplate', { body })).status)
  })
})

describe('a long answer', () => {
  it.each([0, undefined])('is sent whole: port %s', async (port) => {
    const templates = Array.from({ length: 100 }, (_, at) => ({
      _id: `template ${at}`,
      templateType: 'sms',
      name: 'T',
      uniqueName: `t${at}`,
      status: 'approved',
      content: `${at} ${'é'.repeat(500_000)}`,
    }))
    const world = worldOf({ templates })
    const { sandbox } = await openSandbox(port === undefined ? { world } : { world, port })
    const url = new URL('/api/templates?page=1&limit=100&types=sms&statuses=approved', sandbox.url)
    const fetched = port === undefined ? sandbox.fetch : fetch
    const answer = await fetched(url, { headers: { 'x-api-key': 'acme-key' } })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { data } = (await answer.json()) as { data: { _id: string; content: string }[] }
    const texts = new Map(data.map(({ _id, content }) => [_id, content]))
    expect(texts.size).toBe(100)
    expect(templates.every(({ _id, content }) => texts.get(_id) === content)).toBe(true)
  })
})
