import { anything, outcomeAlone, type Rows } from './row.ts'

export const products = {
  createProduct: {
    request: (_, { some }) => ({ body: some.product() }),
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
