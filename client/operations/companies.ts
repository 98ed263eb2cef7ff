import { anything, outcomeAlone, type Rows } from './row.ts'

export const companies = {
  createCompany: {
    request: (_, { some }) => ({ body: some.company() }),
    shape: [[anything, 'company.createShowsTheRecord']],
  },
  updateCompany: {
    request: async ({ at }, { mint }) => ({ ...(await at('company')), body: { name: mint.name('Babbage & Sons') } }),
    shape: [[anything, 'company.updateShowsTheChange']],
  },
  deleteCompany: {
    request: ({ at }) => at('company'),
    shape: outcomeAlone,
  },
} satisfies Rows
