import { expect } from 'vitest'
import { test } from './test.ts'

test('a company is seen by its own team only', async ({ team, sandbox }) => {
  const { data: company } = await team.crm.createCompany({ name: 'Analytical Engines' })
  const other = await sandbox.team()
  await expect(other.crm.deleteCompany(company._id)).rejects.toMatchObject({ status: 404 })
  await team.crm.deleteCompany(company._id)
})
