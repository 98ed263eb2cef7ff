import type { BodyOf } from '../../spec/types.ts'
import type { Ground } from '../tools.ts'
import { anything, type KindRow, outcomeAlone, ownId, type Rows } from './row.ts'

export const product = {
  createdBy: 'createProduct',
  seenBy: 'updateProduct',
  deletedBy: 'deleteProduct',
} as const satisfies KindRow

export const productBodies = ({ mint }: Ground) => ({
  product: (fields: Partial<BodyOf<'createProduct'>> = {}): BodyOf<'createProduct'> => ({
    name: mint.name('Difference engine'),
    // In capitals, as a server may keep it, and with hyphens, which most of them take.
    sku: mint.slug('DE').toUpperCase().replaceAll('_', '-'),
    // No sums of powers of two, which would be the same in 32 bits.
    unitPrice: 1234.56,
    unitCost: 987.65,
    ...fields,
  }),
})

export const products = {
  createProduct: {
    request: (_, { some }) => ({ body: some.product() }),
    makes: { kind: 'product', idIn: ownId, keyed: true },
    shape: [[anything, 'product.createShowsTheRecord']],
  },
  updateProduct: {
    request: async ({ at }, { mint }) => ({ ...(await at('product')), body: { name: mint.name('Analytical engine') } }),
    shape: [[anything, 'product.updateShowsTheChange']],
  },
  deleteProduct: {
    request: ({ at }) => at('product'),
    shape: outcomeAlone,
  },
} satisfies Rows
