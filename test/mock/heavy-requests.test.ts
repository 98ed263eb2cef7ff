import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { checkWorld } from '../../fixtures/check-world.ts'
import type { World } from '../../fixtures/world.ts'
import { openSandbox, twoTeams } from './helpers.ts'
import { create as createTemplate, everything, sms } from './template-requests.ts'

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
  it('while a world of 20,000 contacts is checked', async () => {
    expect(await turnsDuring(() => checkWorld({ version: 1, ...worldOf({ contacts }) }, 'the world'))).toBeGreaterThan(
      5,
    )
  })

  it('while 20,000 contacts are deleted by e-mail', async () => {
    const { call } = await openSandbox({ world: worldOf({ contacts }) })
    const query = { email: 'ada@example.com' }
    const turns = await turnsDuring(async () => {
      expect((await call('deleteContactsByEmail', { query })).body.message).toBe(`${many} contacts deleted`)
    })
    expect(turns).toBeGreaterThan(many / 100)
  })

  it('while 20,000 contacts are searched and sorted', async () => {
    const { sandbox } = await openSandbox({ world: worldOf({ contacts }) })
    const wanted = { search: 'LOVELACE', sort: '-firstName', limit: 1 }
    const turns = await turnsDuring(async () => {
      expect((await sandbox.records('acme', 'contacts', wanted)).total).toBe(many)
    })
    expect(turns).toBeGreaterThan(5)
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
    const filled = 'x'.repeat(60_000) + '{{firstName}}'.repeat(94)
    expect(sent.map(({ content }) => content)).toEqual(named.map(() => filled))
  })

  const withFields = (count: number, form: (at: number) => string) =>
    `{"firstName":"Ada","lastName":"Lovelace",${Array.from({ length: count - 2 }, (_, at) => form(at)).join()}}`

  it.each([
    ['fields', withFields(60_000, (at) => `"field${at}":1`), 'have more than 10000 fields'],
    ['fields with spaces', withFields(10_001, (at) => `"field${at}" : 1`), 'have more than 10000 fields'],
    ['fields of lists', withFields(60_000, (at) => `"list${at}":[]`), 'have more than 10000 fields'],
    ['objects', `{"additionalFields":{"list":[${'{},'.repeat(300_000)}{}]}}`, 'have more than 50000 values'],
    ['levels', '['.repeat(500_000) + ']'.repeat(500_000), 'be nested deeper than 32 levels'],
  ])('since a body of too many %s is refused before it is parsed', async (_, body, complaint) => {
    const { sandbox } = await openSandbox()
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }
    const response = await sandbox.fetch('/api/contacts', { method: 'POST', headers, body })
    expect(parse.mock.calls.flat()).not.toContain(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: `the body must not ${complaint}` })
    expect((await sandbox.world()).teams[0]).not.toHaveProperty('contacts')
  })

  it('accepts a body of 10,000 fields, and a text that contains JSON', async () => {
    const { sandbox, call } = await openSandbox()
    const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }
    const body = withFields(10_000, (at) => `"field${at}":1`)
    expect((await sandbox.fetch('/api/contacts', { method: 'POST', headers, body })).status).toBe(201)
    const source = withFields(20_000, (at) => `"field${at}":1`)
    const contact = { firstName: 'Ada', lastName: 'Lovelace', source }
    expect((await call('createContact', { body: contact })).status).toBe(201)
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

it('lists long texts as they were sent, whatever characters they have', async () => {
  const { call } = await openSandbox()
  // Characters of two halves lie at every place, so also where the text is cut.
  const content = `x"${'😀\\\n'.repeat(50_000)}`
  for (const one of [
    { content, uniqueName: 'first' },
    { content: `y${content}`, uniqueName: 'second' },
  ])
    expect((await createTemplate(call, { ...sms, ...one })).status).toBe(201)
  const { body } = await call('listTemplates', { query: everything })
  expect(body.data.map((template: { content: string }) => template.content)).toEqual([`y${content}`, content])
})
