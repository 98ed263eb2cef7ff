import fc from 'fast-check'

// Values for fields that the document leaves open, so that some requests are accepted. `@contacts 3` stands for the id of
// a contact from an answer; `@provider`, `@sender` and `@addresses` stand for values that fit the channel.

const id = (kind: string) => fc.nat({ max: 40 }).map((number) => `@${kind} ${number}`)

export const email = fc.nat({ max: 30 }).map((number) => `person${number}@example.com`)
export const phone = fc.nat({ max: 30 }).map((number) => `+141555501${String(number).padStart(2, '0')}`)
export const instant = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

export const hints: Readonly<Record<string, fc.Arbitrary<string>>> = {
  conversationId: id('conversations'),
  contactId: id('contacts'),
  recipientId: id('contacts'),
  recipientIds: id('contacts'),
  contacts: id('contacts'),
  templateId: id('templates'),
  replyToMessageId: id('messages'),
  companyId: id('companies'),
  company: id('companies'),
  productId: id('products'),
  dealId: id('deals'),
  quoteId: id('quotes'),
  providerId: fc.constantFrom('@provider', '@sender'),
  provider: fc.constant('@provider'),
  to: fc.constant('@addresses'),
  email,
  phone,
  uniqueName: fc.uuid(),
  currency: fc.constantFrom('EUR', 'USD'),
  closeDate: instant.map((time) => time.slice(0, 10)),
  date: instant.map((time) => time.slice(0, 10)),
  time: instant.map((time) => time.slice(11, 16)),
  channel: fc.constantFrom('chat', 'email', 'sms', 'whatsapp'),
  templateButtons: fc.constant('[{"type":"QUICK_REPLY","text":"Thanks"}]'),
}

/** Values by the channel of the body. */
export const fitting: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '@provider': { email: 'email-provider', sms: 'sms-provider', whatsapp: 'whatsapp-provider' },
  '@sender': { email: 'hello@acme.example.com', sms: '+14155550100', whatsapp: '+14155550101' },
  '@addresses': {
    email: 'person1@example.com, person2@example.com',
    sms: '+14155550101,+14155550102',
    whatsapp: '+14155550103',
  },
}
