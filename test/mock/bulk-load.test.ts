import { expect, describe, it, vi } from 'vitest'
import { type Call, openSandbox, twoTeams } from './harness.ts'

const sms = { channel: 'sms', content: 'We open at nine', providerId: 'sms-provider' } as const
const email = { channel: 'email', subject: 'News', content: 'We open at nine', providerId: 'email-provider' }
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `+1415${String(5_550_000 + at)}`)
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@example.com`)
const long = 'x'.repeat(100_000)

const send = (call: Call, body: object) => call('sendBulkMessages', { body })
const isSent = (world: { teams: readonly { bulkSends?: readonly unknown[] }[] }) => !world.teams[0]?.bulkSends

describe('the text of a bulk send', () => {
  it('is shown by each of its messages', async () => {
    const { call, sandbox } = await openSandbox({ assume: { messageFields: 'allSent' } })
    await send(call, { ...email, content: long, preheader: 'Soon', to: addresses(500).join(',') })
    await vi.waitUntil(async () => isSent(await sandbox.world()), { timeout: 15_000 })
    const { messages } = (await sandbox.world()).teams[0] ?? {}
    expect(messages).toHaveLength(500)
    expect(messages?.every(({ content }) => content === long)).toBe(true)
    const { body } = await call('findOrCreateConversation', { body: { email: 'p499@example.com' } })
    const history = await call('listMessages', { path: { conversationId: body.data._id as string } })
    const [message] = (history.body.data as { messages: object[] }[])[0]?.messages ?? []
    expect(message).toMatchObject({ ...email, content: long, preheader: 'Soon', to: 'p499@example.com' })
  })
})

describe('a long text to many recipients', () => {
  it.each([
    ['with merge fields, more than 64 MiB in all', 'Dear {{firstName}}', 100_000, 700, 400],
    ['with merge fields, less than that', 'Dear {{firstName}}', 100_000, 600, 200],
    ['without merge fields, more than 1 GiB in all', '', 500_000, 2_200, 400],
    ['without merge fields, less than that', '', 500_000, 2_100, 200],
  ])('is accepted up to a volume: %s', async (_, dear, length, recipients, status) => {
    const { call, sandbox } = await openSandbox({ assume: { bulkDelivery: 'onRelease' } })
    const content = dear.padEnd(length, '.')
    const answer = await send(call, { ...sms, content, to: numbers(recipients).join(',') })
    expect(answer.status).toBe(status)
    if (status === 400) {
      expect(answer.body.message).toMatch(/^to must name at most \d+ recipients of a message of \d+ characters/)
      expect(await sandbox.world()).toEqual(twoTeams)
    }
  })

  it('is refused in a single e-mail too', async () => {
    const contacts = addresses(1_000).map((address, at) => ({
      _id: `c${at}`,
      firstName: 'A',
      lastName: 'B',
      email: address,
      createdAt: '2026-03-01T09:30:00.000Z',
    }))
    const world = { teams: twoTeams.teams.map((team) => ({ ...team, contacts })) } as unknown as typeof twoTeams
    const { call } = await openSandbox({ world })
    const recipientIds = contacts.map(({ _id }) => _id)
    const { status, body } = await call('sendEmailMessage', { body: { ...email, content: long, recipientIds } })
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^recipientIds must name at most \d+ /)])
  })
})
