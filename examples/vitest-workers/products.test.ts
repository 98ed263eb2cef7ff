import { expect } from 'vitest'
import { test } from './test.ts'

test('a product keeps its price', async ({ team }) => {
  const { data: engine } = await team.crm.createProduct({ name: 'Engine', unitPrice: 12 })
  expect((await team.crm.updateProduct(engine._id, { name: 'Difference engine' })).data.unitPrice).toBe(12)
})
