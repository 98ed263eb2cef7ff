import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import createClient from 'openapi-fetch'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSandbox, type paths, type Sandbox, type World } from '../index.ts'
import { newFile, newFolder, postAs } from './for-one-test.ts'

const providers = [
  { _id: 'email-provider', channel: 'email', address: 'hello@acme.example.com' },
  { _id: 'sms-provider', channel: 'sms', address: '+14155550100' },
  { _id: 'whatsapp-provider', channel: 'whatsapp', address: '+14155550101' },
] as const
const world: World = { teams: [{ _id: 'acme', name: 'Acme', apiKeys: ['acme-key'], providers }] }

it('starts with the demo world by default, without a port', async () => {
  await using sandbox = await createSandbox()
  const [team] = await sandbox.teams()
  expect(team?._id).toBe('demo')
  expect(sandbox.listening).toBeUndefined()
  const headers = { 'x-api-key': team?.apiKeys[0] ?? '' }
  const templates = '/api/templates?page=1&limit=10&types=sms&statuses=approved'
  expect((await sandbox.fetch(templates, { headers })).status).toBe(200)
})

it.each(['127.0.0.1', '::1'])('listens on %s until it is closed', async (host) => {
  const sandbox = await createSandbox({ world: 'two-teams', port: 0, host })
  expect(sandbox.url).toBe(`http://${host === '::1' ? '[::1]' : host}:${sandbox.listening?.port ?? ''}`)
  expect((await fetch(sandbox.url)).status).toBe(200)
  await sandbox.close()
  await expect(fetch(sandbox.url)).rejects.toThrow()
})

it('starts with a world in code, once it has been checked', async () => {
  await using sandbox = await createSandbox({ world })
  expect(await sandbox.teams()).toMatchObject([{ _id: 'acme', apiKeys: ['acme-key'] }])
  const twice = { teams: [...world.teams, ...world.teams] }
  await expect(createSandbox({ world: twice })).rejects.toThrow(
    'world: teams[1] (acme): _id is already used by teams[0]',
  )
  const itself: World & { again?: object } = { ...world }
  itself.again = itself
  await expect(createSandbox({ world: itself })).rejects.toThrow('world: it must be plain data')
})

describe('a story', () => {
  const latestIn = async (sandbox: Sandbox) => {
    const messages = (await sandbox.world()).teams.flatMap((team) => team.messages ?? [])
    return messages
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .at(-1)
  }

  it('has just happened, so that a customer who wrote by WhatsApp can be answered', async () => {
    await using sandbox = await createSandbox({ world: 'story:shop' })
    expect(Date.now() - Date.parse((await latestIn(sandbox)) ?? '')).toBeLessThan(2 * 3_600_000)
    const answer = await sandbox.fetch(
      '/api/messages/sendMessage',
      postAs('towpath-key', {
        ...{ channel: 'whatsapp', providerId: 'whatsapp-provider', content: 'It is ready' },
        contactId: '5106a1b2c3d4e5f60100001b',
      }),
    )
    expect(await answer.json()).toMatchObject({ success: true })
    const [team] = (await sandbox.world()).teams
    const sent = team?.messages?.filter(({ content }) => content === 'It is ready')
    expect(sent).toHaveLength(1)
    expect(sent?.[0]).not.toHaveProperty('failure')
  })

  it('that a team starts from or that is downloaded has just happened by the clock of the sandbox', async () => {
    await using sandbox = await createSandbox({ world: 'empty' })
    await sandbox.clock.set({ now: '2031-05-01T12:00:00Z' })
    await sandbox.teams.create({ from: 'story:shop' })
    expect(await latestIn(sandbox)).toMatch(/^2031-05-01T1[12]:/)
    await sandbox.loadWorld(await sandbox.worlds.download('story:clinic'))
    expect(await latestIn(sandbox)).toMatch(/^2031-05-01T1[12]:/)
  })

  it.each([{ seed: 1 }, { clock: { now: () => Date.parse('2026-11-26') } }])('keeps its dates with %j', async (own) => {
    await using sandbox = await createSandbox({ world: 'story:shop', ...own })
    expect(await latestIn(sandbox)).toBe('2026-03-18T21:40:00.000Z')
    await sandbox.loadWorld(await sandbox.worlds.download('story:clinic'))
    expect(await latestIn(sandbox)).toBe('2026-04-08T20:41:00.000Z')
  })
})

it('with stored records reads the file of its world at a reset', async () => {
  const file = newFile('world.json', JSON.stringify(world))
  const options = { world: file, store: `file:${join(newFolder(), 'crm.json')}` }
  await (await createSandbox(options)).close()
  writeFileSync(file, '{ "teams": [')
  await using sandbox = await createSandbox(options)
  await expect(sandbox.reset()).rejects.toThrow(`The initial data cannot be read: ${file}`)
  expect((await sandbox.teams())[0]?.name).toBe('Acme')
  writeFileSync(file, JSON.stringify({ teams: [{ ...world.teams[0], name: 'Acme Ltd.' }] }))
  await sandbox.reset()
  expect((await sandbox.teams())[0]?.name).toBe('Acme Ltd.')
  await expect(createSandbox({ ...options, world: 'none.json' })).rejects.toThrow('none.json: there is no such file')
})

it('has a URL without a port that no other program can answer', async () => {
  await using sandbox = await createSandbox()
  expect(new URL(sandbox.url).hostname).toMatch(/\.invalid$/)
  await expect(fetch(sandbox.url)).rejects.toThrow()
  expect((await sandbox.fetch(sandbox.url)).status).toBe(200)
  expect(await (await sandbox.fetch('/openapi.json')).text()).toContain(`"url": "${sandbox.url}"`)
})

describe('a variable', () => {
  beforeEach(() => {
    vi.stubEnv('CRM_SANDBOX_PORT', '4010')
    vi.stubEnv('CRM_SANDBOX_WORLD', 'two-teams')
    vi.stubEnv('CRM_SANDBOX_STORE', `file:${join(newFolder(), 'crm.json')}`)
    vi.stubEnv('CRM_SANDBOX_SEED', '1')
    vi.stubEnv('CRM_SANDBOX_CONTROL_TOKEN', 'sixteen-letters-')
    vi.stubEnv('CRM_SANDBOX_FAULTS_BY_HEADER', 'false')
    vi.stubEnv('CRM_SANDBOX_ALLOW_HOST', 'crm.test')
    vi.stubEnv('CRM_SANDBOX_CORS', 'http://a.test')
    vi.stubEnv('CRM_SANDBOX_PROFILE', newFile('profile.yaml', 'newContactStatus: absent'))
    vi.stubEnv('CRM_SANDBOX_ASSUME', 'historyOrder=oldestFirst')
    onTestFinished(() => void vi.unstubAllEnvs())
  })

  it('applies as with serve, except for the port', async () => {
    await using sandbox = await createSandbox()
    expect(sandbox).toMatchObject({ listening: undefined, controlToken: 'sixteen-letters-' })
    expect(await sandbox.health()).toMatchObject({
      world: 'two-teams',
      store: expect.stringMatching(/^file:/) as string,
    })
    const headers = { 'x-api-key': 'acme-key', prefer: 'code=404', host: 'crm.test', origin: 'http://a.test' }
    const response = await sandbox.fetch('/api/templates?page=1&limit=10&types=sms&statuses=approved', { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe('http://a.test')
    expect(await sandbox.assumptions.get('newContactStatus')).toMatchObject({ choice: 'absent' })
    expect(await sandbox.assumptions.get('historyOrder')).toMatchObject({ choice: 'oldestFirst' })
  })

  it('is overridden by an option; a list in a variable and a list in an option are joined', async () => {
    const options = { world: 'empty', store: 'memory', profile: {}, faultsByHeader: true, cors: ['http://b.test'] }
    await using sandbox = await createSandbox({ ...options, assume: { historyOrder: 'newestFirst' } })
    expect(await sandbox.health()).toMatchObject({ world: 'empty', store: 'memory' })
    expect(await sandbox.assumptions.get('newContactStatus')).toMatchObject({ choice: 'open' })
    expect(await sandbox.assumptions.get('historyOrder')).toMatchObject({ choice: 'newestFirst' })
    const faulty = await sandbox.fetch('/api/contacts', { method: 'POST', headers: { prefer: 'code=404' } })
    expect(faulty.status).toBe(404)
    for (const origin of ['http://a.test', 'http://b.test']) {
      const { headers } = await sandbox.fetch('/openapi.json', { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBe(origin)
    }
  })

  const wrong: readonly [variable: string, sentence: RegExp, ...values: string[]][] = [
    ['PORT', /^CRM_SANDBOX_PORT must be a port/, 'NaN', '-1', '65536', '1e3', '４０１０'],
    ['SEED', /^CRM_SANDBOX_SEED must be a whole number/, 'many', '1.5'],
    ['LOG', /^CRM_SANDBOX_LOG must be text or json/, 'loud', 'json,text', 'info,warn'],
    ['CORS', /^CRM_SANDBOX_CORS must be one origin as a browser sends it/, '*', 'localhost', 'http://a.test/'],
    ['CORS', /^CRM_SANDBOX_CORS must be one origin/, 'http://A.test', 'http://a.test:80'],
    ['CONTROL_TOKEN', /^CRM_SANDBOX_CONTROL_TOKEN must be 16 to 200 letters/, 'short'],
    ['STORE', /^CRM_SANDBOX_STORE must be memory, file:PATH, or postgres:/, 'redis', 'postgre://crm:secret@db/crm'],
    ['HOST', /^The host .*all interfaces/, '0', '::', '::ffff:0.0.0.0', '0.0.0.0'],
    ['PROFILE', /The profile package\.json cannot be used\. There is no assumption "name"/, 'package.json'],
    ['PROFILE', /^CRM_SANDBOX_PROFILE: The profile \/none\.yaml cannot be read \(ENOENT\)\.$/, '/none.yaml'],
    ['WORLD', /^CRM_SANDBOX_WORLD: There is no world demoo; did you mean demo\?/, 'demoo'],
    ['ASSUME', /^CRM_SANDBOX_ASSUME: badPage must be clamped or refused\.$/, 'badPage=x'],
  ]

  it.each(wrong.flatMap(([variable, sentence, ...values]) => values.map((value) => ({ variable, value, sentence }))))(
    'with a wrong value is refused by its name: $variable=$value',
    async ({ variable, value, sentence }) => {
      vi.stubEnv(`CRM_SANDBOX_${variable}`, value)
      await expect(createSandbox()).rejects.toThrow(sentence)
    },
  )

  it('with a misspelt name is reported', async () => {
    vi.stubEnv('CRM_SANDBOX_PROFLE', 'profile.yaml')
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
    onTestFinished(() => warn.mockRestore())
    await (await createSandbox()).close()
    expect(warn.mock.calls).toEqual([[expect.stringContaining('close to it: CRM_SANDBOX_PROFILE')]])
  })
})

describe('a wrong option', () => {
  it.each<[options: unknown, sentence: RegExp]>([
    [{ prot: 1 }, /^createSandbox has no option prot; did you mean port\?$/],
    [{ listen: true }, /^createSandbox has no option listen; it has port, host, .*clock\.$/],
    [JSON.parse('{"__proto__":1}'), /^createSandbox has no option __proto__; it has/],
    ['demo', /^createSandbox takes an object with its options, such as \{ port: 0 \}\.$/],
    [null, /takes an object/],
    [[], /takes an object/],
    ...['4010', -1, 1.5, 65_536, NaN, null].map((port): [unknown, RegExp] => [
      { port },
      /^The option port of createSandbox must be a (port, from 0 to 65535|number)\.$/,
    ]),
    ...[Date.now, new Date(), { now: () => new Date() }, { now: () => NaN }].map((clock): [unknown, RegExp] => [
      { clock },
      /^The option clock of createSandbox must be an object whose now\(\) gives/,
    ]),
    [{ seed: 'x' }, /seed of createSandbox must be a number/],
    [{ seed: 0.5 }, /seed of createSandbox must be a whole number of at most 15 digits/],
    [{ keepAlive: 10 }, /keepAlive of createSandbox must be a number of milliseconds, from 1,000 to 3,600,000/],
    [{ keepAlive: '75s' }, /keepAlive of createSandbox must be a number/],
    [{ host: 1 }, /host of createSandbox must be a string/],
    [{ public: 'yes' }, /public of createSandbox must be true or false/],
    [{ allowHosts: 'crm.test' }, /allowHosts of createSandbox must be a list of names/],
    [{ allowHosts: ['http://x'] }, /allowHosts of createSandbox must be a name without a port/],
    [{ cors: '*' }, /cors of createSandbox must be a list of origins/],
    [{ cors: ['*'] }, /cors of createSandbox must be one origin as a browser sends it/],
    [{ controlToken: '' }, /controlToken of createSandbox must be 16 to 200 letters/],
    [{ log: true }, /log of createSandbox must be \{ level, write \}/],
    [{ log: { level: 'loud', write: () => undefined } }, /the level is one of trace/],
    [{ log: { level: 'info' } }, /write takes a line/],
    [{ store: '' }, /store of createSandbox must be memory, file:PATH/],
    [{ store: 'redis' }, /store of createSandbox must be memory, file:PATH, or postgres:/],
    [{ store: 'file:' }, /store of createSandbox must be memory, file:PATH/],
    [{ faults: { status: 503 } }, /faults of createSandbox must be a file, or a list of faults/],
    [{ faults: [{ status: 503 }, { status: 99 }] }, /^Fault 2 of the start is refused: status must be a status, from/],
    [{ faults: [null] }, /^Fault 1 of the start is refused: /],
    [{ world: 1 }, /world of createSandbox must be a name, a file, or an object with teams/],
    [{ assume: 'keyScope=team' }, /assume of createSandbox must be an object/],
    [{ assume: { keyScop: 'team' } }, /There is no assumption "keyScop"; close to it: keyScope/],
  ])('is refused in one sentence: %o', async (options, sentence) => {
    const error: unknown = await createSandbox(options as object).catch((why: unknown) => why)
    expect(error).toBeInstanceOf(Error)
    const { name, message } = error as Error
    expect(message).toMatch(sentence)
    expect(message).toMatch(/^[^\n]+[.?]$/)
    expect(name).toMatch(/^(CannotStart|UnreadableChoice)$/)
  })

  it('may be undefined, which means the default', async () => {
    const names = ['port', 'host', 'public', 'allowHosts', 'cors', 'intercept', 'controlToken', 'log', 'store', 'world']
    const all = [...names, 'assume', 'seed', 'clock'].map((name) => [name, undefined])
    const sandbox = await createSandbox(Object.fromEntries(all) as object)
    await sandbox.close()
    expect(sandbox.listening).toBeUndefined()
  })
})

it.each([{}, { port: 0, controlToken: 'a-control-token-of-ours' }])(
  'starts with faults, which a reset deletes, with %j',
  async (options) => {
    await using sandbox = await createSandbox({ ...options, faults: [{ operation: 'listTemplates', status: 503 }] })
    const url = `${sandbox.url}/api/templates`
    expect((await sandbox.fetch(url)).status).toBe(503)
    await sandbox.reset()
    expect((await sandbox.fetch(url)).status).toBe(401)
  },
)

it('leaves no port open when it cannot start', async () => {
  await using first = await createSandbox({ world, port: 0 })
  const port = first.listening?.port ?? 0
  await expect(createSandbox({ world, port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`)
  await expect(createSandbox({ world, port: 0, host: '0.0.0.0' })).rejects.toThrow('--public')
})

it('responds while a test uses fake timers', async () => {
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

it('has a fetch that takes a path, a URL or a Request, as clients expect', async () => {
  await using sandbox = await createSandbox()
  const init = postAs('demo-key', { firstName: 'Ada', lastName: 'Lovelace' })
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
