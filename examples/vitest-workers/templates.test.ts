import { expect } from 'vitest'
import { test } from './test.ts'

test('a unique name is unique in its team', async ({ team }) => {
  const welcome = {
    templateType: 'sms',
    name: 'Welcome',
    uniqueName: 'welcome',
    content: 'Welcome',
    provider: 'sms-provider',
  } as const
  await team.crm.createTemplate(welcome)
  await expect(team.crm.createTemplate(welcome)).rejects.toMatchObject({ name: 'CrmError', status: 400 })
})
