import { expect, it } from 'vitest'
import { createSandbox } from '../../index.ts'

it.each(['/_sandbox', '/_sandbox/'])('GET %s lists the routes of the control plane', async (path) => {
  await using sandbox = await createSandbox()
  const response = await sandbox.fetch(path)
  const { data } = (await response.json()) as { data: string[] }
  expect(response.status).toBe(200)
  expect(data).toContain('POST /_sandbox/teams')
  expect(data).toContain('GET /_sandbox/teams/{teamId}')
})

it('lists them for clients with the control token alone', async () => {
  await using sandbox = await createSandbox({ controlToken: 'token-of-this-test' })
  expect((await sandbox.fetch('/_sandbox')).status).toBe(401)
})
