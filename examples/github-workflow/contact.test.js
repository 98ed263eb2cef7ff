import { equal } from 'node:assert/strict'
import { test } from 'node:test'

test('creates a contact', async () => {
  const response = await fetch(`${process.env.CRM_BASE_URL}/api/contacts`, {
    method: 'POST',
    headers: { 'x-api-key': process.env.CRM_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace' }),
  })
  equal(response.status, 201)
})
