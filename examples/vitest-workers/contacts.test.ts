import { expect } from 'vitest'
import { test } from './test.ts'

test('an address matches a contact of the same team only', async ({ team }) => {
  const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
  expect((await team.crm.createOrUpdateContact(ada)).message).toBe('Contact created')
  expect((await team.crm.createOrUpdateContact(ada)).message).toBe('Contact updated')
})

test('an address that other tests use too is deleted once', async ({ team }) => {
  await team.crm.createContact({ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' })
  await team.crm.deleteContactsByEmail({ email: 'ada@example.com' })
  const again = await team.crm.createOrUpdateContact({ firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' })
  expect(again.message).toBe('Contact created')
})
