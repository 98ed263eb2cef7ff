import { expect, it } from 'vitest'
import { openSandbox, twoTeams } from '../mock/harness.ts'

const canary = {
  key: 'canary-team-key-11111',
  wrongKey: 'canary-wrong-key-22222',
  cookie: 'canary-cookie-33333',
  password: 'canary-password-44444',
  controlToken: 'canary-control-token-55555',
}

it('shows requests and responses without their secrets', async () => {
  const world = { teams: [{ ...twoTeams.teams[0], _id: 'acme', name: 'Acme', apiKeys: [canary.key] }] }
  const { sandbox } = await openSandbox({ world, controlToken: canary.controlToken })
  const { token } = await sandbox.tokens.sign({ teamId: 'acme', role: 'admin' })
  const json = { 'content-type': 'application/json', cookie: `session=${canary.cookie}` }
  const body = JSON.stringify({
    name: `my key is ${canary.key}`,
    description: `and ${Buffer.from(canary.key).toString('base64')}`,
    password: canary.password,
    unitPrice: 1,
    [canary.key]: token,
  })
  for (const headers of [
    { ...json, 'x-api-key': canary.key },
    { ...json, 'x-api-key': canary.wrongKey },
    { ...json, authorization: `Bearer ${token}` },
    { ...json, authorization: `Bearer ${token}x`, 'x-sandbox-token': canary.controlToken },
  ]) {
    const query = `?x-api-key=${canary.wrongKey}&token=${token}&page=1&key=${canary.key}`
    await sandbox.fetch(`/api/products${query}`, { method: 'POST', headers, body })
    await sandbox.fetch('/api/products', { method: 'POST', headers, body: `${body}!` })
    await sandbox.fetch('/api/products', {
      method: 'POST',
      headers,
      body: body.replace('{', `{"a":"${'b'.repeat(20_000)}",`),
    })
  }
  await sandbox.fetch(`/api/${canary.key}/${canary.controlToken}`)
  const seen = await sandbox.requests.find()
  expect(seen).toHaveLength(13)
  const text = JSON.stringify(seen)
  const leaked = [...Object.values(canary), token].filter((secret) => text.includes(secret))
  expect(leaked).toEqual([])
  expect(seen[0]?.sent.body).toMatchObject({ unitPrice: 1, password: '[redacted]', name: 'my key is [redacted]' })
  expect(seen[6]?.sent.headers.authorization).toBe('Bearer [redacted]')
})
