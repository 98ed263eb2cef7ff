import { equal } from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createSandbox } from 'crm-sandbox'
import { greet } from './greet.js'

const sandbox = await createSandbox({ intercept: 'https://crm.example.com' })
beforeEach(() => sandbox.reset())
after(() => sandbox.close())

test('greets in the conversation that there is', async () => {
  const first = await greet('grace.hopper@example.com')
  equal(await greet('grace.hopper@example.com'), first)
})

test('reaches fetch, too', async () => {
  const answer = await fetch('https://crm.example.com/_sandbox/health')
  equal(answer.status, 200)
})
