import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Controls } from '../../../mock/testing/control-client.ts'
import { MemoryRecords } from '../../../mock/store/memory/memory-records.ts'
import { MemoryStore } from '../../../mock/store/memory/memory-store.ts'
import { openSandbox } from '../helpers.ts'
import { itRefuses, type RefusedCall, unknown } from '../control/refused.ts'

const sms = { channel: 'sms', providerId: 'sms-provider', to: '+14155550123', content: 'Hello' }
const bulk = { channel: 'email', providerId: 'email-provider', subject: 'News', content: 'Hi {{contact.firstName}}' }
const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+14155550123' }

describe('the outbox', () => {
  it('shows sent messages as they were rendered', async () => {
    const { sandbox, call } = await openSandbox()
    await call('createContact', { body: ada })
    await call('sendMessage', { body: { ...sms, content: 'Hello {{contact.firstName}}' } })
    const [item, ...others] = await sandbox.outbox.list({ team: 'acme' })
    expect(others).toEqual([])
    expect(item).toEqual({
      id: expect.any(String) as string,
      team: 'acme',
      channel: 'sms',
      state: 'sent',
      to: ['+14155550123'],
      content: 'Hello Ada',
      status: 'sent',
      contactId: expect.any(String) as string,
      conversationId: expect.any(String) as string,
      providerId: 'sms-provider',
      at: expect.any(String) as string,
    })
  })

  it('is found by team, channel, address and state, and shows the latest', async () => {
    const { sandbox, call } = await openSandbox()
    for (const content of ['One', 'Two', 'Three']) await call('sendMessage', { body: { ...sms, content } })
    await call('sendEmailMessage', { body: { ...bulk, to: 'Ada@example.com' } })
    await call('sendMessage', { body: sms, key: 'globex-key' })
    const contents = async (of: Parameters<typeof sandbox.outbox.list>[0]) =>
      (await sandbox.outbox.list(of)).map(({ content }) => content)
    expect(await contents({ team: 'acme', channel: 'sms' })).toEqual(['One', 'Two', 'Three'])
    expect(await contents({ team: 'acme', channel: 'sms', limit: 2 })).toEqual(['Two', 'Three'])
    expect(await contents({ to: 'ada@EXAMPLE.com' })).toHaveLength(1)
    expect(await contents({ to: '+1 415 555 0123' })).toHaveLength(4)
    expect(await contents({ state: 'held' })).toEqual([])
    expect(await sandbox.outbox.list()).toHaveLength(5)
  })

  it('of several teams shows the latest of them all, the oldest first', async () => {
    let now = Date.parse('2026-03-01T09:00:00Z')
    const { sandbox, call } = await openSandbox({ clock: { now: () => (now += 1000) } })
    for (const key of ['globex-key', 'acme-key', 'globex-key', 'acme-key'])
      await call('sendMessage', { body: { ...sms, content: key }, key })
    expect((await sandbox.outbox.list({ limit: 3 })).map(({ team }) => team)).toEqual(['acme', 'globex', 'acme'])
  })

  it('reads the latest messages only, and none that were received', async () => {
    const { sandbox } = await openSandbox()
    const acme = await sandbox.team({ from: 'team:acme' })
    const to = Array.from({ length: 2_000 }, (_, at) => `ada${at}@example.com`)
    await acme.crm.sendBulkMessages({ ...bulk, content: 'Hi', to: to.join(',') } as never)
    await sandbox.doDueWork()
    await sandbox.incoming.add(acme.id, { channel: 'sms', from: '+14155550123', content: 'Hello' })
    const reads = [vi.spyOn(MemoryStore.prototype, 'world'), vi.spyOn(MemoryStore.prototype, 'teamInWorld')]
    const pages = vi.spyOn(MemoryRecords.prototype, 'page')
    onTestFinished(() => void vi.restoreAllMocks())
    const items = await sandbox.outbox.list({ team: acme.id, limit: 3 })
    expect(items.flatMap((item) => item.to)).toEqual(to.slice(-3))
    expect(reads.map(({ mock }) => mock.calls.length)).toEqual([0, 0])
    expect(pages.mock.calls.map(([, , { take }]) => take).reduce((sum, take) => sum + take)).toBeLessThan(500)
    expect(await sandbox.outbox.list({ team: acme.id, to: 'ADA7@example.com' })).toHaveLength(1)
  })

  it('shows waiting messages, and sends or drops them on request', async () => {
    const { sandbox, call } = await openSandbox({ assume: { bulkDelivery: 'onRelease' } })
    await call('sendBulkMessages', { body: { ...bulk, to: 'ada@example.com,grace@example.com' } })
    await call('sendBulkMessages', { body: { ...bulk, subject: 'Other', to: 'linus@example.com' } })
    const [first, second] = await sandbox.outbox.list({ state: 'held' })
    expect(first).toMatchObject({
      to: ['ada@example.com', 'grace@example.com'],
      subject: 'News',
      content: bulk.content,
    })
    await sandbox.outbox.release('acme', first?.id ?? '')
    await sandbox.outbox.drop('acme', second?.id ?? '')
    expect((await sandbox.outbox.list()).map(({ state, to }) => [state, ...to])).toEqual([
      ['sent', 'ada@example.com'],
      ['sent', 'grace@example.com'],
    ])
  })

  it('shows a scheduled send with its time', async () => {
    const { sandbox, call } = await openSandbox({ clock: { now: () => Date.parse('2026-03-01T09:30:00Z') } })
    const scheduleTime = { date: '2026-03-02', time: '09:00' }
    const to = 'ada@example.com,grace@example.com'
    await call('sendBulkMessages', { body: { ...bulk, content: 'Hi', to, scheduleType: 'scheduled', scheduleTime } })
    expect(await sandbox.outbox.list()).toMatchObject([
      { state: 'scheduled', content: 'Hi', subject: 'News', at: '2026-03-02T09:00:00.000Z' },
    ])
    const [item] = await sandbox.outbox.list()
    await sandbox.outbox.drop('acme', item?.id ?? '')
    expect((await sandbox.world()).teams[0]).not.toHaveProperty('bulkSends')
  })

  it('is awaited until it holds enough', async () => {
    const { sandbox, call } = await openSandbox()
    const waits = sandbox.outbox.list({ team: 'acme', wait: '60s', atLeast: 2 })
    await call('sendMessage', { body: sms })
    await call('sendBulkMessages', { body: { ...sms, to: '+14155550199' } })
    expect((await waits).map(({ to }) => to)).toEqual([['+14155550123'], ['+14155550199']])
  })

  it('is awaited no longer than one wants, or than the sandbox is open', async () => {
    const { sandbox, call } = await openSandbox()
    await expect(sandbox.outbox.list({ wait: '10ms' })).rejects.toMatchObject({
      status: 409,
      message: 'The outbox had 0 of 1 such items after 10 ms; it is empty',
    })
    await call('sendMessage', { body: sms })
    await expect(sandbox.outbox.list({ wait: '10ms', to: '+14155550199' })).rejects.toThrow(
      'The outbox had 0 of 1 such items after 10 ms; its latest items: sms to +14155550123 (sent)',
    )
    const refused = expect(sandbox.outbox.list({ wait: '60s', atLeast: 2 })).rejects.toThrow('The sandbox was closed')
    await sandbox.close()
    await refused
  })

  it('is listed and awaited beyond a hundred items', async () => {
    const { sandbox, call } = await openSandbox()
    const waits = sandbox.outbox.list({ wait: '60s', atLeast: 110 })
    for (let at = 0; at < 110; at++) await call('sendMessage', { body: sms })
    expect(await waits).toHaveLength(110)
    expect(await sandbox.outbox.list()).toHaveLength(110)
  })

  it('is awaited by a hundred clients for each team at most', async () => {
    const { sandbox } = await openSandbox()
    const waits = Array.from({ length: 100 }, () => sandbox.outbox.list({ team: 'acme', wait: '60s' }))
    await expect(sandbox.outbox.list({ team: 'acme', wait: '60s' })).rejects.toMatchObject({
      status: 400,
      message: '100 requests wait for acme already; let some of them end first',
    })
    expect(await sandbox.outbox.list({ team: 'acme' })).toEqual([])
    await expect(sandbox.outbox.list({ team: 'globex', wait: '10ms' })).rejects.toMatchObject({ status: 409 })
    const ended = Promise.allSettled(waits)
    await sandbox.close()
    expect((await ended).map(({ status }) => status)).toEqual(waits.map(() => 'rejected'))
  })

  it.each(['delivered', 'read', 'bounced'] as const)('takes the report that a message was %s', async (status) => {
    const { sandbox, call } = await openSandbox()
    const { body } = await call('sendMessage', { body: sms })
    await sandbox.outbox.report('acme', body.data._id, { status })
    const history = await call('listMessages', { path: { conversationId: body.data.conversationId } })
    expect(history.body.data[0].messages[0].status).toBe(status)
    expect(await sandbox.outbox.list()).toMatchObject([{ status }])
  })
})

describe('a customer who writes', () => {
  it('gets a contact and a conversation with the first message, and keeps them', async () => {
    const { sandbox, call } = await openSandbox()
    const write = (content: string) =>
      sandbox.incoming.add('acme', { channel: 'whatsapp', from: '+14155550123', content })
    const first = await write('Hello')
    const second = await write('{{contact.firstName}}?')
    expect(first).toMatchObject({ isNewContact: true, isNewConversation: true })
    expect(second).toMatchObject({ isNewContact: false, isNewConversation: false, contactId: first.contactId })
    const { body } = await call('listMessages', { path: { conversationId: first.conversationId } })
    const shown = body.data[0].messages.map(({ direction, status, content }: Record<string, string>) => [
      direction,
      status,
      content,
    ])
    expect(shown).toContainEqual(['incoming', 'received', 'Hello'])
    expect(shown).toContainEqual(['incoming', 'received', '{{contact.firstName}}?'])
    expect(await sandbox.outbox.list()).toEqual([])
  })

  it('is the contact with that address, in the conversation that it has', async () => {
    const { sandbox, call } = await openSandbox()
    const contact = await call('createContact', { body: ada })
    const sent = await call('sendMessage', { body: sms })
    for (const [channel, from] of [
      ['sms', ada.phone],
      ['email', 'ADA@example.com'],
      ['chat', ada.email],
      ['chat', ada.phone],
    ] as const) {
      const { contactId, conversationId } = await sandbox.incoming.add('acme', { channel, from, content: 'Hello' })
      expect([contactId, conversationId]).toEqual([contact.body.data._id, sent.body.data.conversationId])
    }
  })

  it('opens the day in which WhatsApp takes messages without a template', async () => {
    const { sandbox, call } = await openSandbox({ assume: { whatsappOutsideSession: 'failed' } })
    const body = { ...sms, channel: 'whatsapp', providerId: 'whatsapp-provider' }
    await sandbox.incoming.add('acme', { channel: 'whatsapp', from: sms.to, content: 'Hello' })
    await call('sendMessage', { body })
    await call('sendMessage', { body: { ...body, to: '+14155550199' } })
    expect((await sandbox.outbox.list()).map(({ status }) => status)).toEqual(['sent', 'failed'])
  })
})

describe('an invalid message', () => {
  const write =
    (message: object, team = 'acme') =>
    ({ incoming }: Controls) =>
      incoming.add(team, { channel: 'sms', from: ada.phone, content: 'x', ...message })

  const refused: RefusedCall[] = [
    ['an unknown channel', write({ channel: 'fax' })],
    ['a phone without digits', write({ from: 'ada' })],
    ['an SMS from an address', write({ from: ada.email })],
    ['an e-mail from a phone', write({ channel: 'email' })],
    ['an empty content', write({ content: '' })],
    ['an SMS with a subject', write({ subject: 'x' })],
    ['an unknown team', write({}, 'initech'), ...unknown],
    ['the outbox of no team', ({ outbox }) => outbox.drop('initech', 'unknown'), ...unknown],
    ['the outbox of an unknown team', ({ outbox }) => outbox.list({ team: 'initech' })],
    ['a limit that is none', ({ outbox }) => outbox.list({ limit: 0 })],
    [
      'a wait for more than the limit',
      ({ outbox }) => outbox.list({ limit: 2, atLeast: 3 }),
      'atLeast must not be above limit, which is 2',
    ],
    ['a long wait', ({ outbox }) => outbox.list({ wait: '2m' })],
    ['a wait that is none', ({ outbox }) => outbox.list({ wait: 'soon' })],
  ]

  itRefuses(refused)

  it('is a delivery report for a message of a customer', async () => {
    const { sandbox } = await openSandbox()
    const { messageId } = await sandbox.incoming.add('acme', { channel: 'sms', from: ada.phone, content: 'Hello' })
    await expect(sandbox.outbox.report('acme', messageId, { status: 'read' })).rejects.toThrow(
      'only a message that was',
    )
  })
})
