import { expect } from 'vitest'
import { test } from './test.ts'

test('a deal is created once for each key', async ({ team }) => {
  const deal = { name: 'Engine', pipeline: 'sales', stage: 'talking' }
  const { data: one } = await team.crm.createDeal(deal, { idempotencyKey: 'first-order' })
  const { data: same } = await team.crm.createDeal(deal, { idempotencyKey: 'first-order' })
  expect(same._id).toBe(one._id)
})
