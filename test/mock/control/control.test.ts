import { describe, expect, it } from 'vitest'
import { assumptionNames } from '../../../spec/assumptions.ts'
import { openSandbox, twoTeams, type Call, type ApiResponse } from '../helpers.ts'
import { whatsapp } from '../template-requests.ts'
import { itRefuses, type RefusedCall } from './refused.ts'
import { createSandbox } from '../../../index.ts'
import { postAs } from '../../for-one-test.ts'

const product = { name: 'Analytical Engine', unitPrice: 1 }
const notFound = { status: 404, message: expect.stringMatching(/^there is no (team|template) /) as string }

const idIn = (told: ApiResponse) => (told.body as { data: { _id: string } }).data._id

describe('the health', () => {
  it('shows version, store, uptime and the choices that differ from the assumed ones, or are not marked', async () => {
    const assume = { contactMatching: 'phoneThenEmail', rateLimit: 'perMinute:60', keyScope: 'team' } as const
    const { sandbox } = await openSandbox({ assume })
    expect(await sandbox.health()).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      store: 'memory',
      uptimeSeconds: expect.any(Number) as number,
      memory: { most: expect.any(Number) as number, used: expect.objectContaining({ rules: 0, journal: 0 }) as object },
      choices: { learned: 0, chosen: 3, assumed: assumptionNames.length - 3 },
      assumptions: {
        contactMatching: 'phoneThenEmail',
        rateLimit: 'perMinute:60',
        metaInEnvelope: 'omitted',
        statedEnvelope: 'none',
      },
    })
  })
})

it('a reset brings back the records of the start, and removes everything else', async () => {
  const { sandbox, call } = await openSandbox()
  const productId = idIn(await call('createProduct', { body: product }))
  await sandbox.teams.create()
  await sandbox.teams.delete('globex')
  await sandbox.reset()
  expect((await sandbox.teams()).map(({ _id }) => _id)).toEqual(['acme', 'globex'])
  expect((await call('deleteProduct', { path: { productId } })).status).toBe(404)
})

it('a reset takes no field, so that none is thought to have an effect', async () => {
  const { sandbox } = await openSandbox()
  const response = await sandbox.fetch('/_sandbox/reset', postAs('acme-key', { world: 'demo' }))
  const message = 'world is not a field of this request, which takes none'
  expect([response.status, await response.json()]).toEqual([400, { success: false, message }])
})

describe('a new team', () => {
  it('uses the given API key and has a provider for each channel, until a client deletes it', async () => {
    const { sandbox, call } = await openSandbox()
    const { teamId, apiKey } = await sandbox.teams.create({ name: 'Initech', apiKey: 'initech-key' })
    expect(apiKey).toBe('initech-key')
    const company = () => call('createCompany', { key: 'initech-key', body: { name: 'Initrode' } })
    expect(await company()).toMatchObject({ status: 201, body: { data: { teamId } } })
    expect(await sandbox.teams.get(teamId)).toMatchObject({
      name: 'Initech',
      providers: [
        { id: 'email-provider', channel: 'email', address: `hello@${teamId}.example.com` },
        { id: 'sms-provider', channel: 'sms', address: '+14155550100' },
        { id: 'whatsapp-provider', channel: 'whatsapp', address: '+14155550101' },
      ],
    })
    expect(await sandbox.teams.list()).toContainEqual({ teamId, name: 'Initech' })
    await sandbox.teams.delete(teamId)
    expect((await company()).status).toBe(401)
    for (const verb of ['get', 'delete'] as const)
      await expect(sandbox.teams[verb](teamId)).rejects.toMatchObject(notFound)
  })

  it('gets a generated key by default', async () => {
    const { sandbox, call } = await openSandbox()
    const [one, other] = [await sandbox.teams.create(), await sandbox.teams.create()]
    expect(one.apiKey).toMatch(/^sandbox_\w{36}$/)
    expect(other.apiKey).not.toBe(one.apiKey)
    expect((await call('createProduct', { key: other.apiKey, body: product })).status).toBe(201)
  })
})

describe('a token', () => {
  it('belongs to a user of the team, and adds an unknown user with its role', async () => {
    const { sandbox, call } = await openSandbox()
    const { token } = await sandbox.tokens.sign({ teamId: 'acme', userId: 'grace', role: 'agent' })
    const headers = { authorization: `Bearer ${token}` }
    expect((await call('createProduct', { key: null, headers, body: product })).status).toBe(201)
    await expect(sandbox.tokens.sign({ teamId: 'acme', userId: 'grace', role: 'admin' })).rejects.toMatchObject({
      status: 400,
      message: 'role must be agent, which is the role of user grace',
    })
  })

  it('is for the team demo by default', async () => {
    const { sandbox } = await openSandbox({ world: { teams: [{ _id: 'demo', name: 'Demo', apiKeys: ['demo-key'] }] } })
    const signed = await sandbox.tokens.sign({ role: 'admin' })
    expect(signed).toMatchObject({ teamId: 'demo', userId: 'admin', role: 'admin', expiresIn: 3600 })
  })
})

describe('a template', () => {
  it.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const)(
    'can be decided by the control plane, which looks in one team if that is given: %s',
    async (verb, status) => {
      const { sandbox, call } = await openSandbox()
      const templateId = idIn(await call('createTemplate', { body: whatsapp }))
      await expect(sandbox.templates[verb](templateId, { teamId: 'globex' })).rejects.toMatchObject(notFound)
      expect(await sandbox.templates[verb](templateId)).toMatchObject({ teamId: 'acme', templateId, status })
      expect(await call('getTemplate', { path: { templateId } })).toMatchObject({ body: { data: { status } } })
    },
  )

  it('needs a teamId when several teams have it', async () => {
    const template = { ...whatsapp, _id: 'welcome', templateType: 'whatsapp', status: 'pending' } as const
    const world = { teams: twoTeams.teams.map((team) => ({ ...team, templates: [template] })) }
    const { sandbox } = await openSandbox({ world })
    await expect(sandbox.templates.approve('welcome')).rejects.toMatchObject({ status: 400 })
    expect(await sandbox.templates.approve('welcome', { teamId: 'globex' })).toMatchObject({ teamId: 'globex' })
  })
})

it('bulk sends that wait are sent before their release is answered, in one team or in all', async () => {
  const { sandbox, call } = await openSandbox({ assume: { bulkDelivery: 'onRelease' } })
  const body = { channel: 'sms', to: '+14155550123', content: 'Hello', providerId: 'sms-provider' }
  for (const key of ['acme-key', 'globex-key']) await call('sendBulkMessages', { key, body })
  const sent = () => Promise.all(['acme-key', 'globex-key'].map((key) => messagesTo(call, body.to, key)))
  expect(await sent()).toEqual([0, 0])
  expect(await sandbox.bulkSends.release({ teamId: 'acme' })).toEqual({ recipients: 1 })
  expect(await sent()).toEqual([1, 0])
  expect(await sandbox.bulkSends.release()).toEqual({ recipients: 1 })
  expect(await sent()).toEqual([1, 1])
  await expect(sandbox.bulkSends.release({ teamId: 'initech' })).rejects.toMatchObject(notFound)
})

async function messagesTo(call: Call, phone: string, key: string) {
  const conversationId = idIn(await call('findOrCreateConversation', { key, body: { phone } }))
  const history = await call('listMessages', { key, path: { conversationId } })
  return (history.body as { pagination: { total: number } }).pagination.total
}

describe('a wrong team or token', () => {
  const name = 'name must be 1 to 100 printable characters'
  const apiKey = 'apiKey must be 8 to 200 characters that can stand in a header, without spaces'
  const expiresIn = 'expiresIn must be a whole number from 1 to 31536000'
  const create = (team: object, message: string): RefusedCall => [
    JSON.stringify(team).slice(0, 40),
    ({ teams }) => teams.create(team),
    message,
  ]
  const sign = (token: object, message: string): RefusedCall => [
    JSON.stringify(token),
    ({ tokens }) => tokens.sign(token as { role: 'admin' }),
    message,
  ]

  itRefuses([
    ...['', 'a\u0000b', null].map((value) => create({ name: value }, name)),
    ...['short', 'with a space', 'x'.repeat(201), ['initech-key']].map((value) => create({ apiKey: value }, apiKey)),
    create({ toString: 1 }, 'toString is not a field of this request, which takes name, apiKey, from'),
    sign({}, 'role is required'),
    sign({ role: 'constructor' }, 'role must be admin or agent'),
    sign({ role: 'admin' }, 'there is no team demo; teamId must be the id of one, as `ctl teams list` shows them'),
    sign(
      { role: 'agent', teamId: 'acme', userId: 'acme-admin' },
      'role must be admin, which is the role of user acme-admin',
    ),
    ...[0, -1, 1.5, 1e9, '60', null].map((value) =>
      sign({ role: 'admin', teamId: 'acme', expiresIn: value }, expiresIn),
    ),
  ])
})

it('a template is rejected with a reason, which its record keeps until it is approved', async () => {
  const { sandbox, call } = await openSandbox({ assume: { templateFields: 'allSent' } })
  const { body } = await call('createTemplate', { body: whatsapp })
  const { _id: templateId } = body.data as { _id: string }
  const record = async () => (await sandbox.records('acme', 'templates', { where: { _id: templateId } })).records[0]
  const reason = 'The text names a competitor'
  expect(await sandbox.templates.reject(templateId, { reason })).toMatchObject({ status: 'rejected', reason })
  expect(await record()).toMatchObject({ status: 'rejected', rejectionReason: reason })
  const shown = await call('getTemplate', { path: { templateId } })
  expect([shown.body.data.status, JSON.stringify(shown).includes(reason)]).toEqual(['rejected', false])
  await sandbox.templates.approve(templateId)
  expect(await record()).not.toHaveProperty('rejectionReason')
})

describe('a rejection with a wrong reason', () => {
  itRefuses(
    ['', 'x'.repeat(1_001)].map((reason) => [
      `of ${reason.length} characters`,
      ({ templates }) => templates.reject('one', { reason }),
      /^reason must /,
    ]),
  )
})

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

type Action = () => Promise<unknown>

const others = ['fetch', 'close', 'requests.follow', 'events.follow']

it('is steered no more once it is closed', async () => {
  const { sandbox } = await openSandbox()
  await sandbox.close()
  const actions = actionsIn(sandbox).filter(([name]) => !others.includes(name))
  expect(actions.length).toBeGreaterThan(50)
  for (const [name, action] of actions) {
    await expect(action(), name).rejects.toThrow('This sandbox is closed')
  }
  await expect(sandbox.requests.follow().next()).rejects.toThrow('This sandbox is closed')
})

/** Also the actions of members: `teams` is a function that has functions. */
function actionsIn(members: object, prefix = ''): readonly (readonly [string, Action])[] {
  return Object.entries(members).flatMap(([name, member]: [string, unknown]) => [
    ...(typeof member === 'function' ? [[prefix + name, member as Action] as const] : []),
    ...(isHolder(member) ? actionsIn(member, `${prefix}${name}.`) : []),
  ])
}

const isHolder = (member: unknown): member is object =>
  (typeof member === 'object' && member !== null) || typeof member === 'function'

describe('a name or an id that is unknown', () => {
  itRefuses(
    [
      ['team', ({ teams }) => teams.get('acmee'), 'there is no team acmee; did you mean acme?', 404],
      ['team of incoming', ({ world }) => world({ teamId: 'acmee' }), /^there is no team acmee/, 404],
      [
        'kind',
        ({ records }) => records('acme', 'contact' as never),
        /^there is no kind of records contact; did you mean contacts\?$/,
        404,
      ],
      ['template', ({ templates }) => templates.approve('nope'), 'there is no template nope', 404],
      [
        'snapshot',
        ({ snapshots }) => snapshots.restore('sedeed'),
        'there is no snapshot sedeed; did you mean seeded?',
        404,
      ],
      [
        'snapshot to delete',
        ({ snapshots }) => snapshots.delete('sedeed'),
        'there is no snapshot sedeed; did you mean seeded?',
        404,
      ],
      ['message', ({ outbox }) => outbox.report('acme', 'nope', { status: 'read' }), 'there is no message nope', 404],
      ['waiting item', ({ outbox }) => outbox.release('acme', 'nope'), 'there is no waiting item nope', 404],
      ['waiting item to drop', ({ outbox }) => outbox.drop('acme', 'nope'), 'there is no waiting item nope', 404],
      ['conversation', ({ conversation }) => conversation('acme', 'nope'), 'there is no conversation nope', 404],
      ['request', ({ requests }) => requests.get('nope'), 'there is no request nope', 404],
      ['fault', ({ faults }) => faults.get('fault-9'), 'there is no fault fault-9', 404],
      ['gate', ({ gates }) => gates.release('gate-9'), 'there is no gate gate-9', 404],
      [
        'assumption',
        ({ assumptions }) => assumptions.get('keyScop' as never),
        'there is no assumption keyScop; did you mean keyScope?',
        404,
      ],
      ['team without routes', ({ inbox }) => inbox('globx'), /^there is no team globx/, 404],
    ],
    {},
    ({ snapshots }) => snapshots.save('seeded'),
  )
})
