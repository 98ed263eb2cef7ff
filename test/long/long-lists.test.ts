import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSandbox } from '../../mock/create-sandbox.ts'

it('keeps a team with 130,000 keys, users and providers over a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crm-sandbox-'))
  const store = `file:${join(folder, 'store.json')}`
  const list = <Item>(itemOf: (at: number) => Item) => Array.from({ length: 130_000 }, (_, at) => itemOf(at))
  const provider = (_id: string, channel: string, address: string) => ({ _id, channel, address })
  const team = {
    _id: 'crowd',
    name: 'Crowd',
    apiKeys: list((at) => `crowd-key-${at}`),
    users: list((at) => ({ _id: `user ${at}`, role: 'agent' })),
    providers: [
      provider('email-provider', 'email', 'crowd@example.com'),
      provider('sms-provider', 'sms', '+14155550100'),
      provider('whatsapp-provider', 'whatsapp', '+14155550100'),
      ...list((at) => provider(`provider ${at}`, 'email', `crowd-${at}@example.com`)),
    ],
  }
  try {
    const before = await createSandbox({ world: { teams: [] }, store })
    const init = { method: 'PUT', headers: { 'content-type': 'application/json' } }
    const loaded = await before.fetch('/_sandbox/world', { ...init, body: JSON.stringify({ teams: [team] }) })
    expect(loaded.status).toBe(200)
    await before.close()
    await using after = await createSandbox({ world: { teams: [] }, store })
    const read = await after.fetch('/api/templates/unknown', { headers: { 'x-api-key': 'crowd-key-129999' } })
    expect(read.status).toBe(404)
  } finally {
    await rm(folder, { recursive: true })
  }
}, 60_000)
