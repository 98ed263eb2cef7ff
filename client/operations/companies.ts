import type { BodyOf } from '../../spec/types.ts'
import type { Ground } from '../tools.ts'
import { anything, type KindRow, outcomeAlone, ownId, type Rows } from './row.ts'

export const company = {
  createdBy: 'createCompany',
  seenBy: 'updateCompany',
  deletedBy: 'deleteCompany',
} as const satisfies KindRow

export const companyBodies = ({ mint, target: { emailDomain } }: Ground) => ({
  company: (fields: Partial<BodyOf<'createCompany'>> = {}): BodyOf<'createCompany'> => ({
    name: mint.name('Difference & Sons'),
    domain: `${mint.slug('difference').replaceAll('_', '-')}.${emailDomain}`,
    ...fields,
  }),
})

export const companies = {
  createCompany: {
    request: (_, { some }) => ({ body: some.company() }),
    makes: { kind: 'company', idIn: ownId, keyed: true },
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
