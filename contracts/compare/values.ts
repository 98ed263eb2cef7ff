import fc from 'fast-check'
import type { ModelKind, Model } from './model.ts'

export type Body = Readonly<Record<string, unknown>>

/** Returns the value of a field once the records of the run and the fields before it are known; `undefined` for none. */
export type Value = (model: Model, body: Body) => unknown

export type Values = Readonly<Record<string, Value>>

const oneOf = (...values: readonly unknown[]): fc.Arbitrary<Value> =>
  fc.constantFrom(...values).map((value) => () => value)

const made = (...values: readonly Value[]) => fc.constantFrom(...values)

const longText = (text: string) => `${text} ${'and so on '.repeat(60)}.`

/** Servers may trim, cut or escape these texts, or lose characters outside ASCII. */
const textForms: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  longText,
  longText,
  (text) => ` ${text} `,
  (text) => `${text} – “naïve” 😀`,
  (text) => `${text} <b>bold</b> & 'quoted' "twice"`,
  (text) => `${text}\nsecond line`,
]

const text = (noun: string) =>
  fc.constantFrom(...textForms).map(
    (change): Value =>
      ({ mint }) =>
        change(mint.name(noun)),
  )

const textOrNothing = (noun: string) =>
  fc.oneof({ weight: 7, arbitrary: text(noun) }, { weight: 1, arbitrary: oneOf('') })

/** A value that some servers refuse, and with it the whole request, so it is rare. */
const seldom = (value: string, ...usual: readonly string[]) =>
  fc.oneof({ weight: 12, arbitrary: oneOf(...usual) }, { weight: 1, arbitrary: oneOf(value) })

/** Servers store these in different ways: none, whole, with several decimals, and large. */
const price = oneOf(250.25, 0, 1, 19.999, 0.1, 1_250_000.5, 1e9)

export const absent: Value = () => undefined
export const unknownId: Value = ({ mint }) => mint.unknownId()
export const newEmail: Value = ({ mint }) => mint.email()
export const newPhone: Value = ({ mint }) => mint.phone()
/** Mostly the addresses of the contact of a story. */
export const ownEmail: Value = ({ own, mint, pick }) => own.email ?? pick('email') ?? mint.email()
export const ownPhone: Value = ({ own, mint, pick }) => own.phone ?? pick('phone') ?? mint.phone()
const knownEmail = ({ pick, mint }: Model) => pick('email', 1) ?? mint.email()
const knownPhone = ({ pick, mint }: Model) => pick('phone', 1) ?? mint.phone()

/** The record of the story. */
export const own =
  (kind: ModelKind): Value =>
  (model) =>
    model.id(kind)

/** A record that another story may have created or deleted, or an unknown one. */
const any = (kind: ModelKind): fc.Arbitrary<Value> =>
  fc.nat({ max: 9 }).map((back) => (model) => model.idBefore(kind, back))

const people = fc
  .array(any('contact'), { maxLength: 2 })
  .map((ids): Value => (model, body) => [...new Set(ids.map((id) => id(model, body)))])

const earlierMessage: Value = ({ own, pick, mint }) => own.message ?? pick('message') ?? mint.unknownId()
export const mediaUrl: Value = ({ target }) => target.mediaUrl ?? 'https://www.example.com/plan.pdf'
const attachment = { fileName: 'plan.pdf', fileSize: '12 KB', mimeType: 'application/pdf', mediaType: 'file' }

/** The template of the story if it has the channel of the message. */
const ownTemplate: Value = ({ own, pick }, { channel }) => {
  if (own.template !== undefined && own.templateType === channel) return own.template
  return channel === 'whatsapp' ? pick('whatsappTemplate') : undefined
}
const parameters: Value = ({ mint }, { templateId }) =>
  templateId === undefined ? undefined : [{ type: 'text', text: mint.name('parcel') }]

const mergeFields = ['contact.firstName', 'firstName', 'contact.pigeon', 'contact.email'].map(
  (field): Value =>
    ({ mint }) =>
      `Hello {{${field}}} ${mint.name('again')}`,
)

const isWhatsapp = ({ templateType }: Body) => templateType === 'whatsapp'
const newDomain: Value = ({ mint, target }) => `${mint.slug('difference').replaceAll('_', '-')}.${target.emailDomain}`

/** Interesting values of each field; `Quote.status` is for quotes alone. The others are texts. */
const values: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  firstName: oneOf('Ada', 'Augusta', 'Grace', 'Emmy', 'Zoë', 'mary ann', "D'Arcy"),
  lastName: oneOf('King', 'Hopper', 'Noether', 'Gödel', 'van der Waerden'),
  // Otherwise a server that keeps an old name would look like one that takes the name of this request.
  'ContactWithConversation.lastName': oneOf('Babbage', 'Byron'),
  email: made(...[newEmail, newEmail, newEmail, newEmail, newEmail, absent, knownEmail], (model) =>
    knownEmail(model).replace('email', 'EMAIL'),
  ),
  phone: made(...[newPhone, newPhone, newPhone, newPhone, absent, knownPhone], ({ mint }) =>
    mint.phone().replace('phone', 'spaced'),
  ),
  status: oneOf('open', 'in-progress', 'closed'),
  lifecycleStage: oneOf('Lead', 'Customer', 'Event', 'Live Chat'),
  groupId: made(unknownId),
  groupIds: fc.nat({ max: 2 }).map(
    (length) =>
      ({ mint }) =>
        Array.from({ length }, () => mint.unknownId()),
  ),
  additionalFields: fc
    .record(
      {
        pigeons: fc.constantFrom(12, 0, 2_500_000),
        colour: fc.constantFrom('blue', '', 'grün'),
        tags: fc.constant(['a', 'b']),
        isKnown: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    .map((fields) => () => fields),
  company: any('company'),
  companyId: any('company'),
  contacts: people,
  contactId: any('contact'),
  owner: made(unknownId),

  domain: made(newDomain),
  phoneNumber: made(newPhone),
  'Company.email': made(newEmail),
  'Company.phone': made(newPhone),
  logoUrl: oneOf('https://www.example.com/logo.png'),
  employeeCount: oneOf(12, 31, 0, 2_500_000),
  annualRevenue: price,
  sku: made(({ mint }) => mint.slug('AE')),
  unitPrice: price,
  unitCost: price,
  billingFrequency: oneOf('one_time', 'monthly', 'annually', 'weekly'),
  term: seldom('12 months', '12', '24'),
  productType: seldom('pigeon', 'service', 'inventory'),
  imageUrl: oneOf('https://www.example.com/engine.png'),
  amount: price,
  currency: seldom('eur', 'EUR', 'GBP'),
  pipeline: oneOf('«pipeline»'),
  stage: oneOf('«stage»', 'won', 'lost'),
  closeDate: seldom('2030-06-30T09:00:00.000Z', '2031-01-31', '2030-06-30'),
  dealId: made(own('deal')),
  'Quote.status': oneOf('sent', 'accepted', 'published', 'declined', 'expired', 'draft'),
  template: seldom('default-modern', 'default-basic'),
  signatureOption: oneOf('no-signature', 'written-signature'),
  url: oneOf('https://www.example.com/engine'),
  expirationDate: seldom('2030-12-31', '2031-01-31T09:00:00.000Z', '2030-12-31T00:00:00.000Z'),
  acceptOnlinePayment: oneOf(true, false),

  'LiveMessage.channel': oneOf('chat'),
  'EmailMessage.channel': oneOf('email'),
  'Message.channel': oneOf('sms', 'whatsapp'),
  channel: oneOf('email', 'sms', 'whatsapp'),
  subject: text('Your engine'),
  content: fc.oneof({ weight: 3, arbitrary: text('Hello') }, { weight: 1, arbitrary: made(...mergeFields) }),
  providerId: made(({ provider }, { channel }) => provider(channel as 'email')),
  mediaUrl: made(mediaUrl),
  mediaType: oneOf('image', 'file'),
  attachments: made((model, body) => [{ ...attachment, mediaUrl: mediaUrl(model, body) }]),
  replyToMessageId: made(earlierMessage),
  quotedMessageId: made(earlierMessage),
  threadId: made(unknownId),
  'BulkMessages.to': fc.constantFrom(1, 2, 3, 3, 3).map((length) => ({ recipient, target }, { channel }) => {
    const of = channel === 'email' ? 'email' : 'phone'
    return Array.from({ length: target.loopback ? length : 1 }, () => recipient(of)).join(',')
  }),
  'BulkMessages.subject': text('Your engine').map(
    (subject) => (model, body) => (body.channel === 'email' ? subject(model, body) : undefined),
  ),
  scheduleType: oneOf('now'),
  templateId: made(ownTemplate),
  headerParameters: made(parameters),
  bodyParameters: made(parameters),

  uniqueName: made(({ mint }) => mint.slug('fair')),
  'Template.content': text('Our fair').map(
    (content) => (model, body) => `${String(content(model, body))}${isWhatsapp(body) ? ' {{1}}' : ''}`,
  ),
  language: oneOf('en', 'de'),
  category: oneOf('MARKETING', 'UTILITY'),
  provider: made(({ provider }, { templateType }) => provider(templateType as 'sms', 'id')),
  variables: oneOf(['firstName'], ['firstName', 'lastName']),
  bodyVariableSampleValues: oneOf(['42']),
  templateButtons: oneOf([{ type: 'QUICK_REPLY', text: 'Thanks' }]),
}

/** Names with other texts than usual, since a server may find them empty. */
const mayBeEmpty = /^(?:industry|address|description|terms|notes|commentsToBuyer|purchaseTerms)$/

/** Values for a field of a kind of record or message, such as `Quote`. */
export const valuesFor = (kind: string, field: string): fc.Arbitrary<Value> =>
  values[`${kind}.${field}`] ?? values[field] ?? (mayBeEmpty.test(field) ? textOrNothing(field) : text(field))
