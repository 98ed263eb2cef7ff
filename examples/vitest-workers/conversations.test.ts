import { expect } from 'vitest'
import { test } from './test.ts'

test('a contact has one conversation', async ({ team }) => {
  const { data: one } = await team.crm.findOrCreateConversation({ email: 'ada@example.com' })
  const { data: same } = await team.crm.findOrCreateConversation({ email: 'ada@example.com' })
  expect(same._id).toBe(one._id)
})
