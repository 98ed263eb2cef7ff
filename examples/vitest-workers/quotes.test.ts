import { expect } from 'vitest'
import { test } from './test.ts'

test('a quote is made from a deal of the team', async ({ team, sandbox }) => {
  const { data: deal } = await team.crm.createDeal({ name: 'Engine', pipeline: 'sales', stage: 'talking' })
  expect((await team.crm.createQuote({ dealId: deal._id })).data.status).toBe('draft')
  const other = await sandbox.team()
  await expect(other.crm.createQuote({ dealId: deal._id })).rejects.toMatchObject({ status: 404 })
})
