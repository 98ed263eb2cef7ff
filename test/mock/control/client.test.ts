import { describe, expect, it, onTestFinished } from 'vitest'
import { type Address, control, controlsOver } from '../../../mock/testing/control-client.ts'
import { controlDocument } from '../../../mock/control/document.ts'
import { createSandbox } from '../../../mock/create-sandbox.ts'
import { describedOperations } from '../../../spec/document.ts'
import { twoTeams } from '../helpers.ts'
import { makeCertificate } from '../../contracts/client/certificate.ts'
import { itRefuses, type RefusedCall, unknown } from './refused.ts'
import { startSandbox } from '../../for-one-test.ts'

const controlToken = 'a-control-token-of-ours'

async function openDoors() {
  const sandbox = await startSandbox({ world: twoTeams, port: 0, controlToken })
  return { sandbox, client: control({ url: sandbox.url, token: controlToken }) }
}

it('has a function for every route of the document', async () => {
  const asked = new Set<string>()
  const fetch = async ({ pathname }: URL, { method = '' }: RequestInit) => {
    asked.add(`${method} ${pathname}`)
    const headers = { 'x-sandbox-request': 'one' }
    return Response.json({ success: true, message: '', data: { count: 0 } }, { headers })
  }
  for (const [name, call] of functionsOf(controlsOver({ url: 'http://127.0.0.1:4010', fetch }))) {
    const args = ['id', 'id'].slice(0, call.length || (/list|\w+\.find/.test(name) ? 0 : 2))
    await call(...args, {})
  }
  const documented = describedOperations(await controlDocument())
    .filter(({ operationId }) => operationId !== 'getControlDocument')
    .map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'id')}`)
  expect([...asked].toSorted()).toEqual(documented.toSorted())
})

describe('a client over HTTP', () => {
  it('steers the sandbox as the functions in process do', async () => {
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

  it('says where nothing answers', async () => {
    const client = control({ url: 'http://127.0.0.1:1' })
    const words = 'Nothing answers at http://127.0.0.1:1; start a sandbox with `crm-sandbox serve`, or check the URL'
    await expect(client.teams.list()).rejects.toThrow(words)
    await expect(client.requests.follow().next()).rejects.toThrow(words)
  })

  it.each([
    [
      'http',
      'https',
      /; start a sandbox with `crm-sandbox serve`, or check the URL, which may need http in place of https$/,
    ],
    ['https', 'http', /or check the URL, which may need https in place of http$/],
  ])('says that a sandbox may speak %s where nothing answers over %s', async (spoken, asked, words) => {
    const tls = spoken === 'https' ? makeCertificate() : undefined
    const sandbox = await createSandbox({ world: twoTeams, port: 0, ...(tls && { tls }) })
    onTestFinished(() => sandbox.close())
    const client = control({ url: sandbox.url.replace(/^https?/, asked) })
    await expect(client.teams.list()).rejects.toThrow(words)
  })

  it.each([undefined, {}, { url: '' }, { url: '127.0.0.1:4010' }, { url: 'http://127.0.0.1:4010/api' }])(
    'is not made of %j',
    (address) => {
      expect(() => control(address as Address)).toThrow(
        "control takes the URL of a sandbox without a path, such as control({ url: 'http://127.0.0.1:4010' })",
      )
    },
  )

  it('is refused without the token', async () => {
    const { sandbox } = await openDoors()
    const client = control({ url: sandbox.url })
    await expect(client.teams.list()).rejects.toThrow('Send the control token as x-sandbox-token, or as a bearer token')
  })
})

describe('a call that is refused', () => {
  const refused: RefusedCall[] = [
    ['a step up', ({ teams }) => teams.delete('..'), ...unknown],
    ['an id that is no text', ({ teams }) => teams.delete(5 as never), ...unknown],
    ['no failure', ({ gates }) => gates.fail('gate-1', undefined as never), ...unknown],
    ['no fault', ({ faults }) => faults.add(undefined as never), /^a fault needs a status/],
    ['no time', ({ clock }) => clock.set(undefined as never), /^the body must give now or frozen/],
    ['no date', ({ clock }) => clock.set(new Date(NaN)), /^now must be a time/],
    ['a list', ({ teams }) => teams.create([] as object), 'the body must be a JSON object'],
    ['a query of objects', ({ world }) => world({ teamId: {} as string }), /^teamId must be 1 to 100/],
    ['a list as a query', ({ outbox }) => outbox.list([1] as object), /^0 is not a field/],
  ]

  itRefuses(refused)
})

type Call = (...args: unknown[]) => Promise<unknown>

function functionsOf(controls: object, prefix = ''): (readonly [string, Call])[] {
  return Object.entries(controls).flatMap(([name, member]: [string, unknown]) => [
    ...(typeof member === 'function' ? [[prefix + name, member as Call] as const] : []),
    ...functionsOf(member as object, `${prefix}${name}.`),
  ])
}
