import type { Target } from '../target/target.ts'
import type { Ground } from '../tools.ts'
import { anything, type KindRow, outcomeAlone, ownId, type Rows } from './row.ts'

export const template = {
  createdBy: 'createTemplate',
  seenBy: 'getTemplate',
  deletedBy: 'deleteTemplate',
} as const satisfies KindRow

export const templateBodies = ({ mint, provider }: Ground) => ({
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
})

/** A type that no platform has to approve, for which there is a provider if possible. */
export const plainType = ({ providers }: Target): 'sms' | 'email' =>
  providers.sms?.id !== undefined || providers.email?.id === undefined ? 'sms' : 'email'

export const templates = {
  listTemplates: {
    request: (_, { target }) => ({
      query: { page: 1, limit: 10, types: [plainType(target)], statuses: ['approved'] },
    }),
    shape: [
      [/^pagination is required/, 'envelope.paginationStandsBesideData'],
      [/^pagination/, 'template.listHasPagination'],
      [/\.status must/, 'template.statusIsKnown'],
      [anything, 'template.listIsAList'],
    ],
  },
  getTemplate: {
    request: ({ at }) => at('template'),
    shape: [
      [/\.status must/, 'template.statusIsKnown'],
      [anything, 'template.getShowsTheTemplate'],
    ],
  },
  createTemplate: {
    request: (_, { some, target }) => ({ body: some.template[plainType(target)]() }),
    makes: { kind: 'template', idIn: ownId },
    shape: [
      [/\.status must/, 'template.statusIsKnown'],
      [/\.subject\b/, 'template.createAnswersWithTheSubject'],
      [anything, 'template.createAnswersWithTheTemplate'],
    ],
  },
  updateTemplate: {
    request: async ({ at }, { mint, target }) => ({
      ...(await at('template')),
      body: { templateType: plainType(target), name: mint.name('Opening hours in May') },
    }),
    shape: [[anything, 'template.updateAnswersWithTheChange']],
  },
  deleteTemplate: {
    request: ({ at }) => at('template'),
    shape: outcomeAlone,
  },
} satisfies Rows
