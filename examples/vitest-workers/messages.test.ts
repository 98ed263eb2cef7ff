import { expect } from 'vitest'
import { test } from './test.ts'

test('a history has the messages of its team', async ({ team }) => {
  const { data: sent } = await team.crm.sendEmailMessage({
    channel: 'email',
    to: 'ada@example.com',
    subject: 'Hello',
    content: 'Hello Ada',
    providerId: 'email-provider',
  })
  const { data } = await team.crm.listMessages(sent.conversationId)
  expect(JSON.stringify(data).match(/Hello Ada/g)).toHaveLength(1)
})
