import { describe, expect, it } from 'vitest'
import type { Sandbox, SandboxOptions } from '../../mock/create-sandbox.ts'
import { assumptionNames } from '../../spec/assumptions.ts'
import { type Call, openSandbox, type Told, twoTeams } from './harness.ts'
import { whatsapp } from './template-calls.ts'

const product = { name: 'Analytical Engine', unitPrice: 1 }
const knownTeams = twoTeams.teams.map(({ _id }) => _id)

describe('the health', () => {
  it('shows version, store, uptime and the two choices that answers are not marked with', async () => {
    const { control } = await open()
    const { status, body } = await control('GET', '/health')
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: 'The sandbox is up',
      data: {
        version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
        store: 'memory',
        uptimeSeconds: expect.any(Number) as number,
        choices: { learned: 0, chosen: 0, assumed: assumptionNames.length },
        assumptions: { metaInEnvelope: 'omitted', statedEnvelope: 'none' },
      },
    })
  })

  it('lists every choice that differs from the assumed one, with its number', async () => {
    const assume = { contactMatching: 'phoneThenEmail', rateLimit: 'perMinute:60', keyScope: 'team' } as const
    const { control } = await open({ assume })
    const { body } = await control('GET', '/health')
    expect(body.data.assumptions).toEqual({
      contactMatching: 'phoneThenEmail',
      rateLimit: 'perMinute:60',
      metaInEnvelope: 'omitted',
      statedEnvelope: 'none',
    })
  })
})

describe('a reset', () => {
  it('brings back what was there at the start, and removes everything else', async () => {
    const { sandbox, call, control } = await open()
    const productId = idIn(await call('createProduct', { body: product }))
    await control('POST', '/teams', {})
    await control('DELETE', '/teams/globex')
    expect(await control('POST', '/reset')).toMatchObject({ status: 200, body: { success: true } })
    expect((await sandbox.teams()).map(({ _id }) => _id)).toEqual(knownTeams)
    expect((await call('deleteProduct', { path: { productId } })).status).toBe(404)
  })
})

describe('a new team', () => {
  it('uses the API key that it is given, and has a provider for each channel and no records', async () => {
    const { call, control } = await open()
    const { status, body } = await control('POST', '/teams', { name: 'Initech', apiKey: 'initech-key' })
    expect(status).toBe(201)
    expect(body.data).toEqual({ teamId: expect.any(String) as string, apiKey: 'initech-key' })
    const company = await call('createCompany', { key: 'initech-key', body: { name: 'Initrode' } })
    expect(company).toMatchObject({ status: 201, body: { data: { teamId: body.data.teamId } } })
    const team = await control('GET', `/teams/${body.data.teamId}`)
    expect(team.body.data).toMatchObject({
      name: 'Initech',
      providers: [
        { id: 'email-provider', channel: 'email', address: `hello@${body.data.teamId}.example.com` },
        { id: 'sms-provider', channel: 'sms', address: '+14155550100' },
        { id: 'whatsapp-provider', channel: 'whatsapp', address: '+14155550101' },
      ],
    })
  })

  it('gets a generated key when none is given', async () => {
    const { call, control } = await open()
    const keys = await Promise.all([control('POST', '/teams'), control('POST', '/teams', {})])
    const [one, other] = keys.map(({ body }) => body.data.apiKey)
    expect(one).toMatch(/^sandbox_\w{36}$/)
    expect(other).not.toBe(one)
    expect((await call('createProduct', { key: other ?? null, body: product })).status).toBe(201)
  })

  it('is refused with the key of another team, even when both are created at once', async () => {
    const { sandbox, control } = await open()
    const asked = Array.from({ length: 8 }, () => control('POST', '/teams', { apiKey: 'initech-key' }))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 400)).toHaveLength(7)
    expect(await sandbox.teams()).toHaveLength(3)
  })

  it('is listed, and is gone with its key after its deletion', async () => {
    const { call, control } = await open()
    const { body } = await control('POST', '/teams', { name: 'Initech', apiKey: 'initech-key' })
    const { teamId } = body.data
    expect((await control('GET', '/teams')).body.data).toContainEqual({ teamId, name: 'Initech' })
    expect((await control('DELETE', `/teams/${teamId}`)).status).toBe(200)
    expect((await call('createProduct', { key: 'initech-key', body: product })).status).toBe(401)
    for (const method of ['GET', 'DELETE']) expect((await control(method, `/teams/${teamId}`)).status).toBe(404)
  })
})

describe('a token', () => {
  it('names a user of the team, who is added when unknown', async () => {
    const { call, control } = await open()
    const { body } = await control('POST', '/tokens', { teamId: 'acme', userId: 'grace', role: 'agent' })
    const headers = { authorization: `Bearer ${body.data.token}` }
    expect((await call('createProduct', { key: null, headers, body: product })).status).toBe(201)
    const asAdmin = await control('POST', '/tokens', { teamId: 'acme', userId: 'grace', role: 'admin' })
    expect(asAdmin).toMatchObject({
      status: 400,
      body: { message: 'role must be agent, which is the role of user grace' },
    })
  })

  it('is for the team demo when none is given', async () => {
    const demo = { _id: 'demo', name: 'Demo', apiKeys: ['demo-key'] }
    const { control } = await open({ world: { teams: [demo] } })
    const { body } = await control('POST', '/tokens', { role: 'admin' })
    expect(body.data).toMatchObject({ teamId: 'demo', userId: 'admin', role: 'admin', expiresIn: 3600 })
  })

  it('expires after the given number of seconds', async () => {
    let now = Date.parse('2030-01-31T09:00:00Z')
    const { call, control } = await open({ clock: { now: () => now } })
    const { body } = await control('POST', '/tokens', { teamId: 'acme', role: 'agent', expiresIn: 60 })
    const headers = { authorization: `Bearer ${body.data.token}` }
    const create = async () => (await call('createProduct', { key: null, headers, body: product })).status
    now += 59_000
    expect(await create()).toBe(201)
    now += 1_000
    expect(await create()).toBe(401)
  })
})

describe('a template', () => {
  it.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ])('can be decided by the control plane: %s', async (verb, expected) => {
    const { call, control } = await open()
    const templateId = idIn(await call('createTemplate', { body: whatsapp }))
    const judged = await control('POST', `/templates/${templateId}/${verb}`)
    expect(judged).toMatchObject({ status: 200, body: { data: { teamId: 'acme', templateId, status: expected } } })
    expect(await call('getTemplate', { path: { templateId } })).toMatchObject({ body: { data: { status: expected } } })
  })

  it('is looked up in one team when its teamId is given', async () => {
    const { call, control } = await open()
    const path = `/templates/${idIn(await call('createTemplate', { body: whatsapp }))}/approve`
    expect((await control('POST', path, { teamId: 'globex' })).status).toBe(404)
    expect((await control('POST', path, { teamId: 'acme' })).status).toBe(200)
  })

  it('needs a teamId when several teams have it', async () => {
    const template = { ...whatsapp, _id: 'welcome', templateType: 'whatsapp', status: 'pending' } as const
    const world = { teams: twoTeams.teams.map((team) => ({ ...team, templates: [template] })) }
    const { control } = await open({ world })
    expect((await control('POST', '/templates/welcome/approve')).status).toBe(400)
    expect(await control('POST', '/templates/welcome/approve', { teamId: 'globex' })).toMatchObject({
      status: 200,
      body: { data: { teamId: 'globex' } },
    })
  })
})

describe('bulk sends that wait to be released', () => {
  const toAda = { channel: 'sms', to: '+14155550123', content: 'Hello', providerId: 'sms-provider' }
  const ofAda = async (call: Call, key: string) => {
    const conversationId = idIn(await call('findOrCreateConversation', { key, body: { phone: toAda.to } }))
    const history = await call('listMessages', {
      key,
      path: { conversationId },
      query: { page: 1, limit: 10 },
    })
    return (history.body as { pagination: { total: number } }).pagination.total
  }

  it('are sent before the release is answered, in all teams or in one', async () => {
    const { call, control } = await open({ assume: { bulkDelivery: 'onRelease' } })
    for (const key of ['acme-key', 'globex-key']) await call('sendBulkMessages', { key, body: toAda })
    expect(await ofAda(call, 'acme-key')).toBe(0)
    const released = await control('POST', '/bulk-sends/release', { teamId: 'acme' })
    expect(released).toMatchObject({ status: 200, body: { success: true, data: { recipients: 1 } } })
    expect([await ofAda(call, 'acme-key'), await ofAda(call, 'globex-key')]).toEqual([1, 0])
    expect((await control('POST', '/bulk-sends/release')).body.data).toEqual({ recipients: 1 })
    expect([await ofAda(call, 'acme-key'), await ofAda(call, 'globex-key')]).toEqual([1, 1])
  })

  it('of an unknown team are answered 404', async () => {
    const { control } = await open()
    expect((await control('POST', '/bulk-sends/release', { teamId: 'initech' })).status).toBe(404)
  })
})

describe('a body that the control plane cannot read', () => {
  it.each([
    ['/teams', { name: '' }, 'name must be 1 to 100 printable characters'],
    ['/teams', { name: 'a\u0000b' }, 'name must be 1 to 100 printable characters'],
    ['/teams', { name: null }, 'name must be 1 to 100 printable characters'],
    ['/teams', { apiKey: 'short' }, 'apiKey must be 8 to 200 characters that can stand in a header, without spaces'],
    [
      '/teams',
      { apiKey: 'with a space' },
      'apiKey must be 8 to 200 characters that can stand in a header, without spaces',
    ],
    [
      '/teams',
      { apiKey: 'x'.repeat(201) },
      'apiKey must be 8 to 200 characters that can stand in a header, without spaces',
    ],
    [
      '/teams',
      { apiKey: ['initech-key'] },
      'apiKey must be 8 to 200 characters that can stand in a header, without spaces',
    ],
    ['/teams', { apiKeys: [] }, 'apiKeys is not a field of this request, which takes name, apiKey, from'],
    ['/teams', { toString: 1 }, 'toString is not a field of this request, which takes name, apiKey, from'],
    ['/teams', [], 'the body must be a JSON object'],
    ['/teams', '"text"', 'the body must be a JSON object'],
    ['/teams', '{', 'the body must be valid JSON'],
    ['/reset', { world: 'demo' }, 'world is not a field of this request, which takes none'],
    ['/tokens', {}, 'role is required'],
    ['/tokens', { role: 'owner' }, 'role must be admin or agent'],
    ['/tokens', { role: 'constructor' }, 'role must be admin or agent'],
    ['/tokens', { role: 'admin' }, 'there is no team demo; teamId must be one of GET /_sandbox/teams'],
    [
      '/tokens',
      { role: 'admin', teamId: '__proto__' },
      'there is no team __proto__; teamId must be one of GET /_sandbox/teams',
    ],
    [
      '/tokens',
      { role: 'agent', teamId: 'acme', userId: 'acme-admin' },
      'role must be admin, which is the role of user acme-admin',
    ],
    ...[0, -1, 1.5, 1e9, '60', null].map((expiresIn): [string, object, string] => [
      '/tokens',
      { role: 'admin', teamId: 'acme', expiresIn },
      'expiresIn must be a whole number from 1 to 31536000',
    ]),
  ])('%s %j: %s', async (path, body, message) => {
    const { sandbox, control } = await open()
    const before = await sandbox.teams()
    expect(await control('POST', path, body)).toMatchObject({ status: 400, body: { success: false, message } })
    expect(await sandbox.teams()).toEqual(before)
  })

  it.each(['__proto__', 'constructor'])('is refused when it has the field %s', async (key) => {
    const { sandbox, control } = await open()
    expect((await control('POST', '/teams', `{"${key}":{"prototype":{"polluted":true}}}`)).status).toBe(400)
    expect(await sandbox.teams()).toHaveLength(2)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'is refused as %s',
    async (type) => {
      const { sandbox, control } = await open()
      expect((await control('POST', '/teams', '{"name":"Evil"}', { 'content-type': type })).status).toBe(400)
      expect(await sandbox.teams()).toHaveLength(2)
    },
  )
})

it.each([
  ['GET', '/nowhere'],
  ['GET', ''],
  ['GET', '/reset'],
  ['POST', '/health'],
  ['PUT', '/teams'],
  ['POST', '/Reset'],
  ['POST', '/reset/'],
  ['POST', '/templates/unknown/approve'],
  ['POST', '/templates/unknown/publish'],
])('answers 404 to an unknown route: %s %s', async (method, path) => {
  const { control } = await open()
  expect(await control(method, path)).toMatchObject({
    status: 404,
    body: { success: false, message: 'Resource not found' },
  })
})

interface Envelope {
  readonly success: boolean
  readonly message: string
  /** The fields of all routes; each answers with some of them. */
  readonly data: { teamId: string; apiKey: string; token: string; assumptions: object; recipients: number }
}

async function open(options: Partial<SandboxOptions> = {}) {
  const { sandbox, call } = await openSandbox(options)
  return { sandbox, call, control: controlOf(sandbox) }
}

const idIn = (told: Told) => (told.body as { data: { _id: string } }).data._id

function controlOf(sandbox: Sandbox) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await sandbox.fetch(`/_sandbox${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: answer.status, told: answer.headers, body: (await answer.json()) as Envelope }
  }
}
