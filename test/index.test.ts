import createClient from 'openapi-fetch'
import { expect, it, vi } from 'vitest'
import { createSandbox, type paths, type World } from '../index.ts'

const providers = [
  { _id: 'email-provider', channel: 'email', address: 'hello@acme.example.com' },
  { _id: 'sms-provider', channel: 'sms', address: '+14155550100' },
  { _id: 'whatsapp-provider', channel: 'whatsapp', address: '+14155550101' },
] as const
const world: World = { teams: [{ _id: 'acme', name: 'Acme', apiKeys: ['acme-key'], providers }] }

it('starts with the demo world when nothing is said, and needs no port', async () => {
  await using sandbox = await createSandbox()
  const [team] = await sandbox.teams()
  expect(team?._id).toBe('demo')
  expect(sandbox.listening).toBeUndefined()
  const headers = { 'x-api-key': team?.apiKeys[0] ?? '' }
  const templates = '/api/templates?page=1&limit=10&types=sms&statuses=approved'
  expect((await sandbox.fetch(templates, { headers })).status).toBe(200)
})

it('listens where it is told to, until it is closed', async () => {
  const sandbox = await createSandbox({ world: 'two-teams', port: 0 })
  expect(sandbox.url).toBe(`http://127.0.0.1:${sandbox.listening?.port ?? ''}`)
  expect((await fetch(sandbox.url)).status).toBe(200)
  await sandbox.close()
  await expect(fetch(sandbox.url)).rejects.toThrow()
})

it('listens on IPv6', async () => {
  await using sandbox = await createSandbox({ port: 0, host: '::1' })
  expect(sandbox.url).toBe(`http://[::1]:${sandbox.listening?.port ?? ''}`)
  expect((await fetch(sandbox.url)).status).toBe(200)
})

it('starts with a world that is made in code, once it has been checked', async () => {
  await using sandbox = await createSandbox({ world })
  expect(await sandbox.teams()).toMatchObject([{ _id: 'acme', apiKeys: ['acme-key'] }])
  const twice = { teams: [...world.teams, ...world.teams] }
  await expect(createSandbox({ world: twice })).rejects.toThrow(
    'world: teams[1] (acme): _id is already used by teams[0]',
  )
})

it('holds nothing open when it cannot start', async () => {
  await using first = await createSandbox({ world, port: 0 })
  const port = first.listening?.port ?? 0
  await expect(createSandbox({ world, port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`)
  await expect(createSandbox({ world, port: 0, host: '0.0.0.0' })).rejects.toThrow('--public')
})

it('answers though a test has taken the timers', async () => {
  await using sandbox = await createSandbox()
  vi.useFakeTimers()
  try {
    const init = { method: 'DELETE', headers: { 'x-api-key': 'demo-key' } }
    expect((await sandbox.fetch('/api/contacts/000000000000000000000000', init)).status).toBe(404)
    expect((await sandbox.fetch('/api/contacts/deleteContactsByEmail?email=nobody@example.com', init)).status).toBe(200)
  } finally {
    vi.useRealTimers()
  }
})

it('is asked by a client as the global fetch is: with a request, or with a path and what goes with it', async () => {
  await using sandbox = await createSandbox()
  const init = {
    method: 'POST',
    headers: { 'x-api-key': 'demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace' }),
  }
  expect((await sandbox.fetch('/api/contacts', init)).status).toBe(201)
  expect((await sandbox.fetch(new Request(`${sandbox.url}/api/contacts`, init))).status).toBe(201)
  const client = createClient<paths>({
    baseUrl: sandbox.url,
    fetch: sandbox.fetch,
    headers: { 'x-api-key': 'demo-key' },
  })
  const { data } = await client.POST('/api/contacts', { body: { firstName: 'Ada', lastName: 'Lovelace' } })
  expect(data?.data.firstName).toBe('Ada')
})
