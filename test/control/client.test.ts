import { describe, expect, it, onTestFinished } from 'vitest'
import { control, type Controls, Refused } from '../../control/client.ts'
import { createSandbox } from '../../mock/create-sandbox.ts'
import { twoTeams } from '../mock/harness.ts'

const controlToken = 'a-control-token-of-ours'

async function openDoors() {
  const sandbox = await createSandbox({ world: twoTeams, port: 0, controlToken })
  onTestFinished(() => sandbox.close())
  return { sandbox, client: control({ url: sandbox.url, token: controlToken }) }
}

describe('the client of the control plane', () => {
  it('has the functions of a sandbox, under the same names', async () => {
    const { sandbox, client } = await openDoors()
    for (const [noun, value] of Object.entries(client)) {
      const own = sandbox[noun as keyof Controls]
      expect([noun, namesIn(own)]).toEqual([noun, namesIn(value)])
    }
  })

  it('steers the sandbox as the functions do', async () => {
    const { sandbox, client } = await openDoors()
    const { teamId, apiKey } = await client.teams.create({ name: 'Initech' })
    expect(await client.teams.get(teamId)).toEqual(await sandbox.teams.get(teamId))
    expect((await sandbox.teams()).find(({ _id }) => _id === teamId)?.apiKeys).toEqual([apiKey])
    expect(await client.teams.list()).toEqual(await sandbox.teams.list())
    const { version, store } = await client.health()
    expect(await sandbox.health()).toMatchObject({ version, store })
    await client.reset()
    expect(await sandbox.teams()).toHaveLength(2)
  })

  const refused: [string, (controls: Controls) => Promise<unknown>][] = [
    ['a short key', ({ teams }) => teams.create({ apiKey: 'short' })],
    ['a field that there is not', ({ teams }) => teams.create({ nmae: 'Initech' } as object)],
    ['a body that is none', ({ teams }) => teams.create([] as object)],
    ['an unknown team', ({ teams }) => teams.delete('initech')],
    ['an unknown role', ({ tokens }) => tokens.sign({ role: 'owner' as 'admin' })],
    ['an unknown template', ({ templates }) => templates.approve('welcome')],
    ['no fault', ({ faults }) => faults.add(undefined as never)],
    ['no time', ({ clock }) => clock.set(undefined as never)],
    ['no failure', ({ gates }) => gates.fail('gate-1', undefined as never)],
    ['a team id that is a number', ({ bulkSends }) => bulkSends.release({ teamId: 1 as unknown as string })],
  ]

  it.each(refused)('is refused with the sentence of the function: %s', async (_, ask) => {
    const { sandbox, client } = await openDoors()
    const before = await sandbox.world()
    const own = (await ask(sandbox).catch((error: unknown) => error)) as Refused
    const told = (await ask(client).catch((error: unknown) => error)) as Refused
    expect(told).toBeInstanceOf(Refused)
    expect([told.status, told.message]).toEqual([own.status, own.message])
    expect(await sandbox.world()).toEqual(before)
  })

  it('says where nothing answers', async () => {
    const client = control({ url: 'http://127.0.0.1:1' })
    const words = 'Nothing answers at http://127.0.0.1:1; start a sandbox with `crm-sandbox serve`, or check the URL'
    await expect(client.teams.list()).rejects.toThrow(words)
    await expect(client.requests.follow()[Symbol.asyncIterator]().next()).rejects.toThrow(words)
  })

  it('says what the sandbox says without the token', async () => {
    const { sandbox } = await openDoors()
    const client = control({ url: sandbox.url })
    await expect(client.teams.list()).rejects.toThrow('Send the control token as x-sandbox-token, or as a bearer token')
  })
})

function namesIn(value: unknown): string[] {
  if (typeof value === 'function' && Object.keys(value).length === 0) return ['()']
  return Object.keys(value as object).sort()
}
