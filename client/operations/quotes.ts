import { anything, outcomeAlone, type Rows } from './row.ts'

export const quotes = {
  createQuote: {
    request: async ({ id }, { some }) => ({ body: some.quote(await id('deal')) }),
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
