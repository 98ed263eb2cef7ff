import { describe, expect, it, vi } from 'vitest'
import { ada, grace, news, sms, whatsapp, send, heardBy, textsHeardBy, templateOf, ofWhatsapp } from './bulk-sends.ts'
import { contact } from './messaging.ts'
import { openSandbox, twoTeams } from './harness.ts'

describe('a bulk send', () => {
  it.each([
    [ada, '1 message queued'],
    [`${ada}, ${grace}`, '2 messages queued'],
  ])('to %s answers with a message and no data', async (to, message) => {
    const { call } = await openSandbox()
    const { status, body } = await send(call, { ...news, to, providerId: 'hello@acme.example.com' })
    expect([status, body]).toEqual([200, { success: true, message }])
  })

  it('sends each contact one message with its own values, in its one conversation', async () => {
    const { call } = await openSandbox()
    await call('createContact', { body: { firstName: 'Ada', lastName: 'Lovelace', email: ada } })
    const merged = { subject: 'News for {{firstName}}', content: 'Dear {{contact.firstName}}' }
    await send(call, { ...news, ...merged, to: `${ada},${grace}` })
    expect(await heardBy(call, ada)).toMatchObject([{ channel: 'email', subject: 'News for Ada', content: 'Dear Ada' }])
    expect(await heardBy(call, grace)).toMatchObject([{ content: `Dear ${grace}` }])
  })

  it.each([
    ['refused', 400, []],
    ['ignored', 200, [sms.content]],
  ] as const)(
    'templateOfOtherType=%s: answers an SMS with an e-mail template %i, and sends %j',
    async (choice, ...then) => {
      const { call } = await openSandbox({ assume: { templateOfOtherType: choice } })
      const email = { templateType: 'email', subject: 'News', content: 'No SMS', provider: 'email-provider' }
      const { status, assumed } = await send(call, { ...sms, templateId: await templateOf(call, email) })
      expect([status, await textsHeardBy(call, sms.to)]).toEqual(then)
      expect(assumed).toContain('templateOfOtherType')
    },
  )

  it('fills in an approved WhatsApp template', async () => {
    const { call } = await openSandbox({ assume: { whatsappApproval: 'atOnce' } })
    const templateId = await templateOf(call, ofWhatsapp)
    await send(call, { ...whatsapp, templateId, bodyParameters: [{ type: 'text', text: '42' }] })
    expect(await textsHeardBy(call, sms.to)).toEqual(['Order 42 has left'])
  })

  it('is sent once when its Idempotency-Key is repeated', async () => {
    const { call } = await openSandbox()
    for (let times = 0; times < 3; times++) await send(call, news, { 'idempotency-key': 'once' })
    expect(await heardBy(call, ada)).toHaveLength(1)
    expect(await heardBy(call, ada, 'globex-key')).toEqual([])
  })

  it('keeps every field of the request in its messages', async () => {
    const { call } = await openSandbox({ assume: { messageFields: 'allSent' } })
    const more = { preheader: 'For {{email}}', source: 'Spring', attachments: [{ anything: 1 }] }
    await send(call, { ...news, ...more })
    expect(await heardBy(call, ada)).toMatchObject([{ ...more, preheader: `For ${ada}`, providerId: 'email-provider' }])
  })

  it.each([
    ['none', 200, 1],
    ['atMost:2', 200, 1],
    ['atMost:1', 400, 0],
  ] as const)(
    'with bulkRecipientLimit=%s to two contacts is answered %i',
    async (bulkRecipientLimit, status, count) => {
      const { call } = await openSandbox({ assume: { bulkRecipientLimit } })
      const told = await send(call, { ...news, to: `${ada},${grace}` })
      expect([told.status, told.assumed]).toEqual([status, expect.arrayContaining(['bulkRecipientLimit'])])
      expect(await heardBy(call, ada)).toHaveLength(count)
      expect((await send(call)).assumed).not.toContain('bulkRecipientLimit')
    },
  )

  it('skips an address that several contacts have when severalMatches=refused', async () => {
    const { call } = await openSandbox({ assume: { severalMatches: 'refused' } })
    for (const firstName of ['Ada', 'Augusta']) {
      await call('createContact', { body: { firstName, lastName: 'Lovelace', email: ada } })
    }
    await send(call, { ...news, to: `${ada},${grace}` })
    expect(await heardBy(call, grace)).toHaveLength(1)
  })
})

it('bulkRecipientLimit counts the receivers of an e-mail', async () => {
  const { call } = await openSandbox({ assume: { bulkRecipientLimit: 'atMost:2' } })
  const people = ['ada', 'grace', 'joan'].map((name) => ({
    firstName: name,
    lastName: 'x',
    email: `${name}@example.com`,
  }))
  const recipientIds = await Promise.all(people.map((person) => contact(call, person)))
  const { to, ...email } = news
  const counts = [1, 2, 3].map(async (count) => {
    const body = { ...email, recipientIds: recipientIds.slice(0, count) }
    const { status, assumed } = await call('sendEmailMessage', { body })
    return [status, assumed.includes('bulkRecipientLimit')]
  })
  expect(await Promise.all(counts)).toEqual([
    [200, false],
    [200, true],
    [400, true],
  ])
})

const email = { channel: 'email', subject: 'News', content: 'We open at nine', providerId: 'email-provider' }
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `+1415${String(5_550_000 + at)}`)
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@example.com`)
const long = 'x'.repeat(100_000)

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
