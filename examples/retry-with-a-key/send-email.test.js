import { equal, rejects } from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { createSandbox } from 'crm-sandbox'
import { sendEmail } from './send-email.js'

const sandbox = await createSandbox({ port: 0 })
after(() => sandbox.close())

let team
let server
beforeEach(async () => {
  team = await sandbox.team()
  server = { baseUrl: team.url, apiKey: team.key }
})

const email = { to: 'ada@example.com', subject: 'Hello', content: 'Hello Ada' }

describe('sends once', () => {
  const faults = {
    'when the connection breaks before anything is done': { phase: 'onArrival', connection: 'reset' },
    'when the server fails while it works': { phase: 'beforeCommit', status: 500 },
    'when the e-mail was sent, and the answer is lost': { phase: 'afterCommit', connection: 'reset' },
    'when the e-mail was sent, and half of the answer comes': { phase: 'inBody', connection: 'close' },
    'when it is asked to wait': { status: 429, retryAfter: '1s', times: 1 },
  }
  for (const [name, fault] of Object.entries(faults)) {
    test(name, async () => {
      await sandbox.faults.add({ operation: 'sendEmailMessage', team: team.id, times: 2, ...fault })
      const { conversationId } = await sendEmail(email, server)
      const { data } = await team.crm.listMessages(conversationId)
      equal(data.flatMap(({ messages }) => messages).length, 1)
    })
  }
})

test('does not repeat what was refused', async () => {
  await rejects(sendEmail({ ...email, to: 'nobody' }, server), /The e-mail was not sent: 400 /)
})
