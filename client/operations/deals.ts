import type { BodyOf } from '../../spec/types.ts'
import type { Ground } from '../tools.ts'
import { anything, type KindRow, outcomeAlone, ownId, type Rows } from './row.ts'

export const deal = {
  createdBy: 'createDeal',
  seenBy: 'updateDeal',
  deletedBy: 'deleteDeal',
} as const satisfies KindRow

export const dealBodies = ({ mint, target: { places } }: Ground) => ({
  deal: (fields: Partial<BodyOf<'createDeal'>> = {}): BodyOf<'createDeal'> => ({
    name: mint.name('Engine for the mill'),
    description: mint.run,
    amount: 4321.09,
    currency: 'EUR',
    pipeline: places.pipeline ?? 'sales',
    stage: places.stage ?? 'talking',
    ...fields,
  }),
})

export const deals = {
  createDeal: {
    request: (_, { some }) => ({ body: some.deal() }),
    makes: { kind: 'deal', idIn: ownId, keyed: true },
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
