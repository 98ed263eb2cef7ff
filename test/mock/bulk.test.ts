import { describe, expect, it } from 'vitest'
import { ada, grace, news, sms, whatsapp, send, heardBy, textsHeardBy, templateOf, ofWhatsapp } from './bulk-sends.ts'
import { contact } from './messaging.ts'
import { openSandbox } from './harness.ts'

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
