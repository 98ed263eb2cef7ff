import { describe, expect, it } from 'vitest'
import { ada, grace, news, sms, whatsapp, send, heardBy, textsHeardBy, templateOf, ofWhatsapp } from './bulk-sends.ts'
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

  it.each([
    ['an e-mail without a subject', { subject: undefined }, 'subject'],
    ['a channel that it does not take', { channel: 'chat' }, 'channel'],
    ['a provider of another channel', { providerId: 'sms-provider' }, 'providerId'],
    ['the address of one of another channel', { providerId: '+14155550100' }, 'providerId'],
    ['an unlisted field', { colour: 'teal' }, 'colour'],
    ['no address', { to: ' , ' }, 'to must hold'],
    ['a schedule of another type', { scheduleType: 'someday' }, 'scheduleType'],
  ])('is refused with %s, and sends nothing', async (_, wrong, named) => {
    const { call } = await openSandbox()
    const { status, body } = await send(call, { ...news, ...wrong })
    expect([status, body.message]).toEqual([400, expect.stringContaining(named)])
    expect(await heardBy(call, ada)).toEqual([])
  })

  it('keeps every field of the request in its messages', async () => {
    const { call } = await openSandbox({ assume: { messageFields: 'allSent' } })
    const more = { preheader: 'For {{email}}', source: 'Spring', attachments: [{ anything: 1 }] }
    await send(call, { ...news, ...more })
    expect(await heardBy(call, ada)).toMatchObject([{ ...more, preheader: `For ${ada}`, providerId: 'email-provider' }])
  })

  it('skips an address that several contacts have when severalMatches=refused', async () => {
    const { call } = await openSandbox({ assume: { severalMatches: 'refused' } })
    for (const firstName of ['Ada', 'Augusta']) {
      await call('createContact', { body: { firstName, lastName: 'Lovelace', email: ada } })
    }
    await send(call, { ...news, to: `${ada},${grace}` })
    expect(await heardBy(call, grace)).toHaveLength(1)
  })
})
