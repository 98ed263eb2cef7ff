import type { BodyOf } from '../../spec/types.ts'
import type { Ground } from '../tools.ts'
import { anything, type KindRow, outcomeAlone, ownId, type Rows } from './row.ts'

export const quote = {
  createdBy: 'createQuote',
  seenBy: 'updateQuote',
  deletedBy: 'deleteQuote',
} as const satisfies KindRow

export const quoteBodies = ({ mint }: Ground) => ({
  quote: (dealId: string, fields: Partial<BodyOf<'createQuote'>> = {}): BodyOf<'createQuote'> => ({
    dealId,
    name: mint.name('Engine for the mill'),
    template: 'default-basic',
    ...fields,
  }),
})

export const quotes = {
  createQuote: {
    request: async ({ id }, { some }) => ({ body: some.quote(await id('deal')) }),
    makes: { kind: 'quote', idIn: ownId, keyed: true },
    shape: [
      [/\.status\b/, 'quote.startsAsDraft'],
      [anything, 'quote.createShowsTheRecord'],
    ],
  },
  updateQuote: {
    request: async ({ at }, { mint }) => ({
      ...(await at('quote')),
      body: { name: mint.name('Engine for two mills') },
    }),
    shape: [[anything, 'quote.updateShowsTheChange']],
  },
  deleteQuote: {
    request: ({ at }) => at('quote'),
    shape: outcomeAlone,
  },
} satisfies Rows
