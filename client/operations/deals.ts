import { anything, outcomeAlone, type Rows } from './row.ts'

export const deals = {
  createDeal: {
    request: (_, { some }) => ({ body: some.deal() }),
    shape: [[anything, 'deal.createShowsTheRecord']],
  },
  updateDeal: {
    request: async ({ at }, { mint }) => ({ ...(await at('deal')), body: { name: mint.name('Engine for two mills') } }),
    shape: [[anything, 'deal.updateShowsTheChange']],
  },
  deleteDeal: {
    request: ({ at }) => at('deal'),
    shape: outcomeAlone,
  },
} satisfies Rows
