import type { BodyOf } from '../../spec/types.ts'
import type { Mint } from '../mint.ts'
import type { Places } from '../target/target.ts'

/** Bodies with which every create succeeds, each unlike any other and with the mark of the run in it. */
export function someOf(mint: Mint, places: Places) {
  return {
    contact: (fields: Partial<BodyOf<'createContact'>> = {}): BodyOf<'createContact'> => ({
      firstName: 'Ada',
      lastName: 'Lovelace',
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
      domain: `${mint.run}.example.com`,
      ...fields,
    }),
    product: (fields: Partial<BodyOf<'createProduct'>> = {}): BodyOf<'createProduct'> => ({
      name: mint.name('Difference engine'),
      sku: mint.slug('DE'),
      unitPrice: 1200.5,
      unitCost: 800,
      ...fields,
    }),
    deal: (fields: Partial<BodyOf<'createDeal'>> = {}): BodyOf<'createDeal'> => ({
      name: mint.name('Engine for the mill'),
      description: mint.run,
      amount: 1200.5,
      currency: 'EUR',
      pipeline: places.pipeline ?? 'sales',
      stage: places.stage ?? 'talking',
      ...fields,
    }),
    quote: (dealId: string, fields: Partial<BodyOf<'createQuote'>> = {}): BodyOf<'createQuote'> => ({
      dealId,
      name: mint.name('Engine for the mill'),
      template: 'default-basic',
      ...fields,
    }),
    template: {
      sms: (provider: string, fields: object = {}) => ({
        templateType: 'sms' as const,
        name: mint.name('Opening hours'),
        uniqueName: mint.slug('opening_hours'),
        content: 'We open at nine.',
        provider,
        language: 'en',
        ...fields,
      }),
      email: (provider: string, fields: object = {}) => ({
        templateType: 'email' as const,
        name: mint.name('Welcome'),
        uniqueName: mint.slug('welcome'),
        subject: 'Welcome',
        content: '<p>We are glad that you are here.</p>',
        provider,
        language: 'en',
        ...fields,
      }),
      whatsapp: (provider: string, fields: object = {}) => ({
        templateType: 'whatsapp' as const,
        name: mint.name('Order has left'),
        uniqueName: mint.slug('order_has_left'),
        content: 'Your order {{1}} has left',
        category: 'UTILITY' as const,
        language: 'en',
        provider,
        bodyVariableSampleValues: ['42'],
        ...fields,
      }),
    },
  }
}

export type Some = ReturnType<typeof someOf>
