import { createHash } from 'node:crypto'
import { join } from 'node:path'
import Fastify from 'fastify'
import { controlDocument } from '../../mock/control/document.ts'
import { noContext } from '../../mock/control/nouns.ts'
import { addControlPlane } from '../../mock/control/control-plane.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../mock/create-sandbox.ts'
import { openStore } from '../../mock/store/open-store.ts'
import { describedOperations, resolve, type Schema } from '../../spec/document.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newFolder } from '../for-one-test.ts'
import { openSandbox, twoTeams } from './helpers.ts'
import { sendRaw } from './raw-http.ts'

const document = await controlDocument()

/** A route of the control plane with a value for each parameter, and a body that it accepts. */
interface Door {
  readonly method: string
  readonly path: string
  readonly body?: string
}

/** Every route that the control plane adds, so that the tests of access cover all of them. */
async function findDoors(): Promise<readonly Door[]> {
  const app = Fastify()
  const found: Door[] = []
  app.addHook('onRoute', ({ method, url }) => {
    // HEAD of a route is the GET without its body.
    for (const one of [method].flat()) if (one !== 'HEAD') found.push(doorOf(one, url))
  })
  addControlPlane(app, noContext)
  await app.ready()
  await app.close()
  return found
}

/** Ids of records in the world of the tests, so that an accepted request changes something. */
const idsInWorld: Readonly<Record<string, string>> = { teamId: 'acme' }

function doorOf(method: string, url: string): Door {
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => idsInWorld[name] ?? 'unknown')
  const body = bodies.get(`${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
  return { method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
}

const bodies = new Map(
  describedOperations(document).map(({ method, path, requestBody }) => {
    const { example } = requestBody?.content['application/json'] ?? {}
    return [`${method.toUpperCase()} ${path}`, requestBody && (example ?? {})]
  }),
)

/** A hash of the world of the sandbox and of every answer of the control plane to a GET without parameters. */
async function hashOfEverything(sandbox: Sandbox): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(await sandbox.world()))
  for (const path of readable) {
    const headers = sandbox.controlToken === undefined ? {} : { 'x-sandbox-token': sandbox.controlToken }
    const answer = await sandbox.fetch(path, { headers })
    hash.update((await answer.text()).replace(/"uptimeSeconds":\d+/, ''))
  }
  return hash.digest('hex')
}

/** Routes with a response that waits for a request, that is a stream, or that differs each time and is no JSON. */
const lasting = ['/_sandbox/metrics', '/_sandbox/events', '/_sandbox/requests/follow', '/_sandbox/requests/wait']

const readable = describedOperations(document)
  // The journal contains refused requests too, and no request changes the worlds of the package.
  .filter(({ path }) => !/^\/_sandbox\/(requests|worlds)/.test(path) && !lasting.includes(path))
  .filter(({ method, path, parameters }) => method === 'get' && !path.includes('{') && !parameters.some(isNeeded))
  .map(({ path }) => path)

function isNeeded({ required }: { required?: boolean }): boolean {
  return required === true
}

const unknown: Door = { method: 'GET', path: '/_sandbox/nowhere' }
const known = await findDoors()
const doors = [...known, unknown]

it('has a door for each operation of its document, and no other', async () => {
  const documented = describedOperations(await controlDocument()).map(({ method, path }) => pathOf(method, path))
  expect(known.map(({ method, path }) => pathOf(method, path)).toSorted()).toEqual(documented.toSorted())
})

const pathOf = (method: string, path: string) => `${method.toUpperCase()} ${path.split('/').length}`

it('would change something, if it let all of them in', async () => {
  const { sandbox, control } = await open()
  const before = await hashOfEverything(sandbox)
  const ending = doors.filter(({ path }) => !lasting.includes(path))
  for (const { method, path, body } of ending) await control(method, path, body)
  expect(await hashOfEverything(sandbox)).not.toBe(before)
})

describe('a request for another host', () => {
  it.each(['evil.test', 'localhost.evil.test', '169.254.169.254', 'LOCALHOST'])(
    'can neither read nor change anything: %s',
    async (host) => {
      const { sandbox } = await open({ port: 0 })
      const before = await hashOfEverything(sandbox)
      for (const { method, path, body = '' } of doors) {
        const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, `Content-Length: ${Buffer.byteLength(body)}`]
        const typed = body === '' ? lines : [...lines, 'Content-Type: application/json']
        const { status, body: told } = await sendRaw(sandbox.url, typed, body)
        expect(`${method} ${path} ${status}`).toBe(`${method} ${path} 400`)
        expect(JSON.parse(told)).toEqual({ success: false, message: expect.any(String) as string })
      }
      expect(await hashOfEverything(sandbox)).toBe(before)
    },
  )
})

describe('a page of another site', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'http://evil.test' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.test' },
    { origin: 'http://localhost:3000' },
    { origin: 'http://localhost, http://evil.test' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost', 'sec-fetch-site': 'cross-site' },
  ]

  it.each(foreign)('can neither read nor change anything: %o', async (headers) => {
    const { sandbox, control } = await open()
    const before = await hashOfEverything(sandbox)
    for (const { method, path, body } of doors) {
      const { status, told } = await control(method, path, body, headers)
      expect(`${method} ${path} ${status}`).toBe(`${method} ${path} 403`)
      expect([...told.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    expect(await hashOfEverything(sandbox)).toBe(before)
  })

  it('is distinguished from a page of this sandbox and from a URL in the address bar', async () => {
    const { control } = await open()
    const own = { origin: 'http://crm-sandbox.invalid', 'sec-fetch-site': 'same-origin' }
    expect((await control('GET', '/_sandbox/health', undefined, own)).status).toBe(200)
    expect((await control('GET', '/_sandbox/health', undefined, { 'sec-fetch-site': 'none' })).status).toBe(200)
  })
})

describe('without the control token', () => {
  it('a client reads from the health only that the sandbox is up, by GET or HEAD', async () => {
    const { sandbox, control } = await open({ controlToken: 'a-control-token-of-ours' })
    expect((await sandbox.fetch('/_sandbox/health', { method: 'HEAD' })).status).toBe(200)
    expect((await sandbox.fetch('/_sandbox/teams', { method: 'HEAD' })).status).toBe(401)
    const up = { success: true, message: 'The sandbox is up' }
    expect(await control('GET', '/_sandbox/health')).toMatchObject({ status: 200, body: up })
    expect((await control('GET', '/_sandbox/health')).body).not.toHaveProperty('data')
    expect((await control('GET', '/_sandbox/health', undefined, { origin: 'http://evil.test' })).status).toBe(403)
    for (const [method, path] of [
      ['POST', '/_sandbox/health'],
      ['GET', '/_sandbox/health/'],
      ['GET', '/_sandbox/teams'],
    ] as const) {
      expect((await control(method, path)).status).toBe(401)
    }
  })
})

it('needs no control token to say whether it lives and is ready, by GET or HEAD', async () => {
  const { sandbox, control } = await open({ controlToken: 'a-control-token-of-ours' })
  for (const [path, message] of [
    ['/_sandbox/live', 'The sandbox runs'],
    ['/_sandbox/ready', 'The sandbox takes requests'],
  ] as const) {
    expect(await control('GET', path)).toMatchObject({ status: 200, body: { success: true, message } })
    expect((await sandbox.fetch(path, { method: 'HEAD' })).status).toBe(200)
    expect((await control('GET', path, undefined, { origin: 'http://evil.test' })).status).toBe(403)
    expect((await control('POST', path)).status).toBe(401)
    expect((await control('GET', `${path}/`)).status).toBe(401)
  }
})

describe('a control token', () => {
  const controlToken = 'a-control-token-of-ours'
  const worldWithToken = {
    teams: twoTeams.teams.slice(0, 1).map((team) => ({ ...team, _id: 'third', apiKeys: [controlToken] })),
  }
  const wrong: Record<string, string>[] = [
    {},
    { 'x-sandbox-token': `${controlToken}x` },
    { 'x-sandbox-token': controlToken.toUpperCase() },
    { 'x-sandbox-token': 'acme-key' },
    { authorization: `Basic ${controlToken}` },
    { 'x-api-key': controlToken },
    { 'x-sandbox-token': 'wrong', authorization: `Bearer ${controlToken}` },
  ]

  it.each(wrong)('is required: %o is answered 401', async (headers) => {
    const { sandbox, control } = await open({ controlToken })
    const before = await hashOfEverything(sandbox)
    for (const { method, path, body: sent } of doors) {
      const { status, body } = await control(method, path, sent, headers)
      if (/^\/_sandbox\/(live|ready)$/.test(path)) continue
      const isBare = path === '/_sandbox/health' && !('x-sandbox-token' in headers) && !('authorization' in headers)
      expect(`${method} ${path} ${status}`).toBe(`${method} ${path} ${isBare ? 200 : 401}`)
      if (isBare) expect(body).toEqual({ success: true, message: 'The sandbox is up' })
      if (isBare) continue
      expect(body).toEqual({ success: false, message: expect.any(String) as string })
    }
    expect(await hashOfEverything(sandbox)).toBe(before)
  })

  it.each([{ 'x-sandbox-token': controlToken }, { authorization: `Bearer ${controlToken}` }])(
    'is accepted as %o',
    async (headers) => {
      const { control } = await open({ controlToken })
      expect((await control('POST', '/_sandbox/teams', {}, headers)).status).toBe(201)
    },
  )

  it('is required for every spelling of the path', async () => {
    const { sandbox } = await openSandbox({ port: 0, controlToken })
    for (const path of [
      '/%5Fsandbox/teams',
      '/_sandbox/%74eams',
      '//_sandbox/teams',
      '/docs/../_sandbox/teams',
      '/_sandbox;/teams',
      '/_sandbox%2Fteams',
      '/docs/..%2f_sandbox/teams',
    ]) {
      const { status } = await sendRaw(sandbox.url, [`GET ${path} HTTP/1.1`, 'Host: localhost'])
      expect([400, 401, 404]).toContain(status)
    }
  })

  it('cannot be the API key of a team', async () => {
    await expect(open({ controlToken: 'acme-key' })).rejects.toThrow(
      'The control token is the API key of a team; choose another one.',
    )
    const path = `file:${join(newFolder(), 'crm.json')}`
    await (await openSandbox({ store: path })).sandbox.close()
    await expect(open({ store: path, world: worldWithToken, controlToken })).rejects.toThrow(
      'The control token is the API key of a team; choose another one.',
    )
  })

  it.each<[how: string, add: (sandbox: Sandbox) => Promise<unknown>]>([
    ['a new team', ({ teams }) => teams.create({ apiKey: controlToken })],
    ['a world', ({ loadWorld }) => loadWorld(worldWithToken)],
    ['an added world', ({ addWorld }) => addWorld(worldWithToken)],
    [
      'a snapshot',
      async ({ snapshots }) => {
        await snapshots.upload('before', worldWithToken)
        await snapshots.restore('before')
      },
    ],
  ])('is refused as a key of %s, and nothing changes', async (_, add) => {
    const { sandbox } = await open({ controlToken })
    const before = await sandbox.world()
    await expect(add(sandbox)).rejects.toThrow(/^The control token is an API key of team \S+; choose another key$/)
    expect(await sandbox.world()).toEqual(before)
    expect(await sandbox.teams.list()).toHaveLength(before.teams.length)
  })

  it('opens nothing once another process has made it the key of a team', async () => {
    const store = await openStore('memory', { teams: [] })
    const sandbox = await createSandbox({ world: { teams: [] }, controlToken }, undefined, undefined, async () => store)
    onTestFinished(() => sandbox.close())
    await store.addTeam({ _id: 'acme', name: 'Acme', apiKeys: [controlToken] })
    const control = controlOf(sandbox)
    expect(await control('GET', '/_sandbox/teams', undefined, { 'x-sandbox-token': controlToken })).toMatchObject({
      status: 401,
      body: { message: 'The control token is the API key of a team; start the sandbox with another one' },
    })
  })

  it('is generated when other machines can reach the sandbox', async () => {
    const { sandbox } = await openSandbox({ host: '::ffff:0.0.0.0', public: true })
    expect(sandbox.controlToken).toMatch(/^[\w-]{32}$/)
    expect((await sandbox.fetch('/_sandbox/teams')).status).toBe(401)
    expect((await openSandbox()).sandbox.controlToken).toBeUndefined()
  })
})

interface Envelope {
  readonly data: { token: string }
}

async function open(options: Partial<SandboxOptions> = {}) {
  const { sandbox } = await openSandbox({ clock: { now: () => Date.parse('2030-01-31T09:00:00Z') }, ...options })
  return { sandbox, control: controlOf(sandbox) }
}

function controlOf(sandbox: Sandbox) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await sandbox.fetch(path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: answer.status, told: answer.headers, body: (await answer.json()) as Envelope }
  }
}

interface Bad {
  readonly what: string
  readonly text: string
}

const takesJson = { 'content-type': 'application/json' }

/** Bodies that every operation refuses. */
const noBodies: readonly Bad[] = [
  { what: 'null', text: 'null' },
  { what: 'a list', text: '[]' },
  { what: 'a text', text: '"demo"' },
  { what: 'a number', text: '7' },
  { what: 'half of it', text: '{"teamId":' },
  { what: 'an unknown field', text: '{"pigeons":1}' },
  { what: 'a field that reaches into prototypes', text: '{"__proto__":{"pigeons":1}}' },
  { what: 'a hundred thousand levels', text: '['.repeat(100_000) + ']'.repeat(100_000) },
  { what: 'megabytes', text: JSON.stringify({ pigeons: 'x'.repeat(3_000_000) }) },
]

it.each(describedOperations(document))(
  'refuses bad input and changes nothing: $operationId',
  async ({ operationId, method, path, requestBody }) => {
    const { sandbox } = await openSandbox({ clock: { now: () => Date.parse('2030-01-31T09:00:00Z') } })
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'teamId' ? 'acme' : 'unknown'))
    const before = await hashOfEverything(sandbox)
    const { schema = {}, example = {} } = requestBody?.content['application/json'] ?? {}
    const bodies = method === 'get' ? [] : [...noBodies, ...wrongFields(schema, example as object)]
    const answers = bodies.map(async ({ what, text }) => {
      const answer = await sandbox.fetch(url, { method: method.toUpperCase(), headers: takesJson, body: text })
      return { what, status: answer.status, ...((await answer.json()) as { message: string }) }
    })
    // Any parameter of findRecords is a field that the records must have.
    if (operationId !== 'findRecords') {
      const answer = await sandbox.fetch(`${url}?pigeons=1`, { method: method.toUpperCase() })
      answers.push(
        answer.json().then((body) => ({ what: 'a query', status: answer.status, ...(body as { message: string }) })),
      )
    }
    for (const { what, status, message } of await Promise.all(answers)) {
      expect(`${what}: ${status}`).toBe(`${what}: 400`)
      expect(message, what).toMatch(/^[^\n]{10,1000}$/)
    }
    expect(await hashOfEverything(sandbox)).toBe(before)
  },
)

/** The example with each field in turn left out where it is required, and of each type that it has not. */
function wrongFields(schema: Schema, example: object): readonly Bad[] {
  const { properties = {}, required = [] } = resolve<Schema & { required?: string[] }>(document, schema)
  const without = (field: string) => Object.fromEntries(Object.entries(example).filter(([name]) => name !== field))
  const missing = required.map((field) => ({ what: `without ${field}`, text: JSON.stringify(without(field)) }))
  const wrong = Object.entries(properties).flatMap(([field, given]) => {
    const types = typesOf(given)
    const others = types.size === 0 ? [] : wrongValues.filter(([type]) => !types.has(type))
    return others.map(([type, value]) => ({
      what: `${field}: ${type}`,
      text: JSON.stringify({ ...example, [field]: value }),
    }))
  })
  return [...missing, ...wrong]
}

const wrongValues = [
  ['string', 'pigeons'],
  ['number', 7],
  ['boolean', true],
  ['null', null],
  ['array', [[]]],
  ['object', { pigeons: 1 }],
] as const

/** Empty when it is not said. */
function typesOf(given: Schema): Set<string> {
  const { type, enum: listed = [], oneOf = [], anyOf = [] } = resolve<Schema>(document, given)
  const named: unknown[] = [type ?? [], listed.map((value) => (value === null ? 'null' : typeof value))].flat()
  const types = new Set(named.map((name) => (name === 'integer' ? 'number' : (name as string))))
  for (const branch of [...oneOf, ...anyOf]) for (const one of typesOf(branch)) types.add(one)
  return types
}
