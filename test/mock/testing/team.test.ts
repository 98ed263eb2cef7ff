import { describe, expect, it } from 'vitest'
import { control } from '../../../mock/testing/control-client.ts'
import { CrmError, createSandbox } from '../../../index.ts'
import { CrmError as FromClient } from '../../../mock/testing/client.ts'
import { startSandbox } from '../../for-one-test.ts'

const ada = { firstName: 'Ada', lastName: 'Lovelace' }

describe.each([
  ['in process', async () => started(undefined)],
  ['over HTTP', async () => control({ url: (await started(0)).url })],
])('a team %s', (_, start) => {
  it('has an id, a key, headers and the given name', async () => {
    const sandbox = await start()
    const [team, named] = [await sandbox.team(), await sandbox.team({ name: 'Globex', apiKey: 'globex-key' })]
    expect(team.headers).toEqual({ 'x-api-key': team.key })
    expect(team.name).toBe(team.id)
    expect(named).toMatchObject({ name: 'Globex', key: 'globex-key' })
    expect(await sandbox.teams.list()).toContainEqual({ teamId: named.id, name: 'Globex' })
  })

  it('asks with its key', async () => {
    const team = await (await start()).team()
    const { data } = await team.crm.createContact(ada)
    expect(data.teamId).toBe(team.id)
    const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"lastName":"Byron"}' }
    expect((await team.fetch(`/api/contacts/${data._id}`, init)).status).toBe(200)
    expect((await team.fetch(new URL(`/api/contacts/${data._id}`, team.url), init)).status).toBe(200)
    expect((await team.fetch(new Request(`${team.url}/api/contacts/${data._id}`, init))).status).toBe(200)
    expect((await team.fetch(new Request(`${team.url}/api/contacts/${data._id}`), init)).status).toBe(200)
  })

  it('asks with another credential when a request has one', async () => {
    const [team, other] = await twoTeams(start)
    const { data } = await team.crm.createContact(ada)
    const path = `/api/contacts/${data._id}`
    expect((await other.fetch(path, { method: 'DELETE' })).status).toBe(404)
    expect((await other.fetch(path, { method: 'DELETE', headers: { 'x-api-key': 'wrong' } })).status).toBe(401)
    expect((await other.fetch(path, { method: 'DELETE', headers: { authorization: 'Bearer no' } })).status).toBe(401)
    expect((await other.fetch(path, { method: 'DELETE', headers: team.headers })).status).toBe(200)
  })

  it('sends its key to its sandbox only', async () => {
    const team = await (await start()).team()
    for (const elsewhere of ['http://localhost:1/', 'https://crm.invalid/', '//crm.invalid/api']) {
      await expect(team.fetch(elsewhere)).rejects.toThrow(`This fetch only asks ${team.url}, not `)
    }
  })

  it('rejects with the error that both packages name', async () => {
    const team = await (await start()).team()
    const error: unknown = await team.crm.deleteDeal('nothing').catch((why: unknown) => why)
    expect(error).toBeInstanceOf(CrmError)
    expect(error).toBeInstanceOf(FromClient)
  })

  it.each([
    { name: '' },
    { name: 5 },
    { nme: 'Globex' },
    { apiKey: 'no' },
    { apiKey: 'demo-key' },
    { name: 'a\nb' },
    5,
    [],
  ])('is not made from %o', async (wrong) => {
    const sandbox = await start()
    const before = await sandbox.teams.list()
    const error: unknown = await sandbox.team(wrong as object).catch((why: unknown) => why)
    expect((error as Error).message).toMatch(/^\S.+/)
    expect(await sandbox.teams.list()).toEqual(before)
  })
})

it('cannot ask once the sandbox is closed', async () => {
  const sandbox = await createSandbox()
  const team = await sandbox.team()
  await sandbox.close()
  await expect(team.crm.createContact(ada)).rejects.toThrow('This sandbox is closed')
})

const started = (port: number | undefined) => startSandbox(port === undefined ? {} : { port })

async function twoTeams(start: () => Promise<{ team: Awaited<ReturnType<typeof started>>['team'] }>) {
  const sandbox = await start()
  return [await sandbox.team(), await sandbox.team()] as const
}
