import { describe, expect, it } from 'vitest'
import { control } from '../../../mock/testing/control-client.ts'
import { CrmError, createSandbox, type Sandbox, type Team } from '../../../index.ts'
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

// All workers use the same addresses, names and keys: a worker that saw another team would find records of that team.

it('eight workers at once on one sandbox each see what a worker alone sees', async () => {
  await using alone = await createSandbox({ world: 'empty' })
  const expected = await work(await alone.team({ name: 'Worker' }))
  const [left] = await teamsOf(alone, 'Worker')
  expect(expected.length).toBe(rounds * 9)
  expect(left).toContain('Grace')

  await using shared = await createSandbox({ world: 'empty', port: 0 })
  const { url } = shared
  const workers = Array.from({ length: 8 }, async (_, nth) => {
    const team = await (nth % 2 === 0 ? shared : control({ url })).team({ name: 'Worker' })
    return work(team)
  })
  for (const seen of await Promise.all(workers)) expect(seen).toEqual(expected)
  expect(await teamsOf(shared, 'Worker')).toEqual(Array.from({ length: 8 }, () => left))
})

const rounds = 10

/** Uses records by address, by unique name and by key, and returns all responses. */
async function work({ crm }: Team): Promise<string[]> {
  const answers: unknown[] = []
  const note = async (answer: Promise<object>) => {
    const { response, ...body } = (await answer.catch(
      (error: unknown) => error as { body: object; response: Response },
    )) as {
      response: Response
    }
    answers.push([response.status, body])
    return body
  }
  for (let round = 0; round < rounds; round++) {
    const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+14155550123' }
    const grace = { firstName: 'Grace', lastName: 'Hopper', email: `grace${round}@example.com` }
    const deal = { name: 'Engine', pipeline: 'sales', stage: 'talking' }
    await note(crm.createOrUpdateContact(ada))
    await note(crm.createContact(grace, { idempotencyKey: `grace-${round % 5}` }))
    const { data: conversation } = await crm.findOrCreateConversation({ email: ada.email })
    await note(
      crm.sendEmailMessage({ ...email, conversationId: conversation._id }, { idempotencyKey: `mail-${round}` }),
    )
    await note(crm.listMessages(conversation._id, { page: 1, limit: 50 }))
    await note(crm.createTemplate({ ...template, uniqueName: `welcome_${round % 5}` }))
    await note(crm.listTemplates({ page: 1, limit: 50, types: ['sms'], statuses: ['approved'] }))
    await note(crm.createDeal(deal, { idempotencyKey: 'deal' }))
    await note(crm.createCompany({ name: 'Acme' }))
    await note(crm.deleteContactsByEmail({ email: round % 3 === 2 ? ada.email : 'nobody@example.com' }))
  }
  return answers.map(withoutIds)
}

const email = { channel: 'email', providerId: 'email-provider', subject: 'Hello', content: 'Hello' } as const
const template = { templateType: 'sms', name: 'Welcome', content: 'Welcome', provider: 'sms-provider' } as const

/** The records of each team of that name. */
async function teamsOf(sandbox: Sandbox, name: string): Promise<string[]> {
  const { teams } = await sandbox.world()
  return teams
    .filter((team) => team.name === name)
    .map(({ contacts, conversations, messages, templates, companies, deals }) =>
      withoutIds({ contacts, conversations, messages, templates, companies, deals }),
    )
}

/** Replaces ids, keys and times, which differ from team to team. */
function withoutIds(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/\b[0-9a-f]{24}\b/g, 'an id')
    .replaceAll(/sandbox_[0-9a-f]+/g, 'a key')
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, 'a time')
}
