import type { BodyOf } from '../../spec/types.ts'
import type { Mint } from './mint.ts'
import type { Target } from './target/target.ts'

/** The values that request bodies are built from. */
export interface Ground {
  readonly mint: Mint
  readonly target: Target
  /** The recipient of a message: from `--email-to` and `--phone-to`, or generated on this machine. */
  readonly recipient: { readonly email: () => string; readonly phone: () => string }
  /** A provider of the team, by its id or by its address. */
  readonly provider: (channel: 'email' | 'sms' | 'whatsapp', by?: 'id' | 'address') => string
}

export type Bodies = ReturnType<typeof createBodies>

/** A type of template that needs no approval, with a provider if possible. */
export const plainType = ({ providers }: Target): 'sms' | 'email' =>
  providers.sms?.id !== undefined || providers.email?.id === undefined ? 'sms' : 'email'

/** A channel for bulk sends, with a provider if possible. */
export const bulkChannel = ({ providers }: Target) => (providers.email || !providers.sms ? 'email' : 'sms')

type Email = BodyOf<'sendEmailMessage'>
type Text = BodyOf<'sendMessage'>
type Bulk = BodyOf<'sendBulkMessages'>

/** Valid bodies for every create and send. Each is unique and contains the mark of the run. */
export const createBodies = ({ mint, target, recipient, provider }: Ground) => ({
  chat: (fields: Partial<BodyOf<'sendLiveMessage'>> = {}): BodyOf<'sendLiveMessage'> => ({
    channel: 'chat',
    content: mint.name('Hello Ada'),
    ...fields,
  }),
  email: (fields: Partial<Email> = {}): Email => ({
    channel: 'email',
    subject: mint.name('Your order'),
    content: `<p>${mint.name('Thank you, Ada')}</p>`,
    providerId: provider('email'),
    ...fields,
  }),
  /** By default an SMS or, when there is a provider for that alone, a WhatsApp message. */
  text: (fields: Partial<Text> = {}): Text => {
    const { channel = target.providers.sms || !target.providers.whatsapp ? 'sms' : 'whatsapp' } = fields
    return { channel, content: mint.name('Hello Ada'), providerId: provider(channel), ...fields }
  },
  bulk: (channel: Bulk['channel'], fields: Partial<Bulk> = {}): Bulk => ({
    to: channel === 'email' ? recipient.email() : recipient.phone(),
    channel,
    content: mint.name('We open at nine'),
    providerId: provider(channel),
    ...(channel === 'email' ? { subject: 'Opening hours' } : {}),
    ...fields,
  }),
  template: {
    sms: (fields: object = {}) => ({
      templateType: 'sms' as const,
      name: mint.name('Opening hours'),
      uniqueName: mint.slug('opening_hours'),
      content: 'We open at nine.',
      provider: provider('sms', 'id'),
      language: 'en',
      ...fields,
    }),
    email: (fields: object = {}) => ({
      templateType: 'email' as const,
      name: mint.name('Welcome'),
      uniqueName: mint.slug('welcome'),
      subject: 'Welcome',
      content: '<p>We are glad that you are here.</p>',
      provider: provider('email', 'id'),
      language: 'en',
      ...fields,
    }),
    whatsapp: (fields: object = {}) => ({
      templateType: 'whatsapp' as const,
      name: mint.name('Order has left'),
      uniqueName: mint.slug('order_has_left'),
      content: 'Your order {{1}} has left',
      category: 'UTILITY' as const,
      language: 'en',
      provider: provider('whatsapp', 'id'),
      variables: ['order'],
      bodyVariableSampleValues: ['42'],
      ...fields,
    }),
  },
  contact: (fields: Partial<BodyOf<'createContact'>> = {}): BodyOf<'createContact'> => ({
    firstName: 'Ada',
    // The name contains the mark of the run if the e-mail address does not.
    lastName: 'email' in fields && !mint.marks(fields.email ?? '') ? mint.surname('Lovelace') : 'Lovelace',
    email: mint.email(),
    phone: mint.phone(),
    source: mint.name('contract'),
    ...fields,
  }),
  upsert: (fields: Partial<BodyOf<'createOrUpdateContact'>> = {}): BodyOf<'createOrUpdateContact'> => ({
    firstName: 'Grace',
    lastName: 'Hopper',
    email: mint.email(),
    phone: mint.phone(),
    source: mint.name('contract'),
    ...fields,
  }),
  company: (fields: Partial<BodyOf<'createCompany'>> = {}): BodyOf<'createCompany'> => ({
    name: mint.name('Difference & Sons'),
    domain: `${mint.slug('difference').replaceAll('_', '-')}.${target.emailDomain}`,
    ...fields,
  }),
  product: (fields: Partial<BodyOf<'createProduct'>> = {}): BodyOf<'createProduct'> => ({
    name: mint.name('Difference engine'),
    // In capitals, as a server may keep it, and with hyphens, which most of them take.
    sku: mint.slug('DE').toUpperCase().replaceAll('_', '-'),
    // No sums of powers of two, which would be the same in 32 bits.
    unitPrice: 1234.56,
    unitCost: 987.65,
    ...fields,
  }),
  deal: (fields: Partial<BodyOf<'createDeal'>> = {}): BodyOf<'createDeal'> => ({
    name: mint.name('Engine for the mill'),
    description: mint.run,
    amount: 4321.09,
    currency: 'EUR',
    pipeline: target.places.pipeline ?? 'sales',
    stage: target.places.stage ?? 'talking',
    ...fields,
  }),
  quote: (dealId: string, fields: Partial<BodyOf<'createQuote'>> = {}): BodyOf<'createQuote'> => ({
    dealId,
    name: mint.name('Engine for the mill'),
    template: 'default-basic',
    ...fields,
  }),
})
