import { expect, it } from 'vitest'
import type { World } from '../../../fixtures/world.ts'
import type { Sandbox } from '../../../mock/create-sandbox.ts'
import { openSandbox, twoTeams } from '../helpers.ts'

const canary = {
  key: 'canary-team-key-11111',
  wrongKey: 'canary-wrong-key-22222',
  cookie: 'canary-cookie-33333',
  password: 'canary-password-44444',
  controlToken: 'canary-control-token-55555',
}
const worldOf = (apiKey: string): World => ({
  teams: [{ ...twoTeams.teams[0], _id: 'initech', name: 'Initech', apiKeys: [apiKey] }],
})
const json = { 'content-type': 'application/json' }
const post = (sandbox: Sandbox, path: string, body: string, headers: Record<string, string> = json) =>
  sandbox.fetch(path, { method: 'POST', headers, body })

it('the journal shows requests and responses without their secrets', async () => {
  const { sandbox } = await openSandbox({ world: worldOf(canary.key), controlToken: canary.controlToken })
  const { token } = await sandbox.tokens.sign({ teamId: 'initech', role: 'admin' })
  const body = JSON.stringify({
    name: `my key is ${canary.key}`,
    description: `and ${Buffer.from(canary.key).toString('base64')}`,
    password: canary.password,
    unitPrice: 1,
    [canary.key]: token,
  })
  for (const credential of [
    { 'x-api-key': canary.key },
    { 'x-api-key': canary.wrongKey },
    { authorization: `Bearer ${token}` },
    { authorization: `Bearer ${token}x`, 'x-sandbox-token': canary.controlToken },
  ]) {
    const headers = { ...json, cookie: `session=${canary.cookie}`, ...credential }
    const query = `?x-api-key=${canary.wrongKey}&token=${token}&page=1&key=${canary.key}`
    await post(sandbox, `/api/products${query}`, body, headers)
    await post(sandbox, '/api/products', `${body}!`, headers)
    await post(sandbox, '/api/products', body.replace('{', `{"a":"${'b'.repeat(20_000)}",`), headers)
  }
  await sandbox.fetch(`/api/${canary.key}/${canary.controlToken}`)
  const seen = await sandbox.requests.find()
  expect(seen).toHaveLength(13)
  const text = JSON.stringify(seen)
  expect([...Object.values(canary), token].filter((secret) => text.includes(secret))).toEqual([])
  expect(seen[0]?.sent.body).toMatchObject({ unitPrice: 1, password: '[redacted]', name: 'my key is [redacted]' })
  expect(seen[6]?.sent.headers.authorization).toBe('Bearer [redacted]')
})

it.each(Array.from({ length: 4 }, (_, at) => 16_384 - 6 * at))(
  'the journal hides a key at the cut of a body, at %i',
  async (at) => {
    const { sandbox } = await openSandbox({ world: worldOf(canary.key) })
    const body = `{"name":"${canary.key}${canary.key}`.padEnd(at, 'x') + canary.key.repeat(200)
    await post(sandbox, '/api/products', body, { ...json, 'x-api-key': canary.key })
    const [seen] = await sandbox.requests.find()
    expect(seen?.sent.cut).toBeDefined()
    expect(seen?.sent.body).toMatch(/^[^]{15000}/)
    expect(seen?.sent.body).not.toContain('canary')
  },
)

const births: [string, (sandbox: Sandbox, apiKey: string) => Promise<unknown>][] = [
  ['is created', ({ teams }, apiKey) => teams.create({ apiKey })],
  ['is forked', ({ teams }, apiKey) => teams.create({ apiKey, from: 'team:acme' })],
  ['starts from a world', ({ teams }, apiKey) => teams.create({ apiKey, from: 'world:demo' })],
  ['is in an added world', ({ addWorld }, apiKey) => addWorld(worldOf(apiKey))],
  ['is in a loaded world', ({ loadWorld }, apiKey) => loadWorld(worldOf(apiKey))],
  [
    'is in a restored snapshot',
    async ({ snapshots }, apiKey) => {
      await snapshots.upload('one', worldOf(apiKey))
      await snapshots.restore('one')
    },
  ],
  [
    'comes back from a snapshot of one team',
    async ({ loadWorld, snapshots, teams }, apiKey) => {
      await snapshots.upload('one', worldOf(apiKey))
      await loadWorld(twoTeams)
      await teams.delete('acme')
      await snapshots.restore('one', { teamId: 'initech' })
    },
  ],
  ['was deleted', async ({ teams }, apiKey) => teams.delete((await teams.create({ apiKey })).teamId)],
]

it.each(births)('the journal hides the key of a team that %s', async (title, create) => {
  const { sandbox } = await openSandbox()
  const apiKey = `key-of-a-team-that-${title.replaceAll(' ', '-')}`
  await create(sandbox, apiKey)
  await sandbox.fetch(`/api/products?name=${apiKey}`)
  expect((await sandbox.requests.find())[0]?.url).toBe('/api/products?name=[redacted]')
})
