import { describe, expect, it } from 'vitest'
import { bindAddress } from '../../mock/http/listening.ts'
import { hostCheck } from '../../lib/host.ts'
import { readHostName } from '../../mock/http/guard.ts'
import { openSandbox } from './helpers.ts'
import { sendRaw } from './raw-http.ts'
import { postAs } from '../for-one-test.ts'

const asJson = (body: string) => JSON.parse(body) as { success: boolean; message: string }

const create = JSON.stringify({ name: 'Analytical Engine', unitPrice: 1 })
const head = (target: string, ...hosts: string[]) => [
  `POST ${target} HTTP/1.1`,
  ...hosts,
  'x-api-key: acme-key',
  'content-type: application/json',
  `content-length: ${create.length}`,
]

describe('a request with a foreign Host', () => {
  const hosts: [what: string, lines: string[]][] = [
    ['another name', ['Host: evil.test']],
    ['its name in capitals', ['Host: LOCALHOST']],
    ['a name that begins with its name', ['Host: localhost.evil.test']],
    ['a name that ends with its name', ['Host: evil.localhost']],
    ['a dot at the end', ['Host: localhost.']],
    ['the unspecified address', ['Host: 0.0.0.0']],
    ['its address as one number', ['Host: 2130706433']],
    ['a foreign IPv6 address', ['Host: [::2]']],
    ['an IPv6 address without brackets', ['Host: ::1']],
    ['a user before it', ['Host: evil@localhost']],
    ['two names in one', ['Host: localhost, evil.test']],
    ['an invalid port', ['Host: localhost:4010:80']],
    ['a second Host', ['Host: localhost', 'Host: localhost']],
    ['nothing', ['Host:']],
    ['no Host at all', []],
  ]

  it.each(hosts)('is refused and changes nothing: %s', async (_what, lines) => {
    const { sandbox, created } = await listening()
    const { status, headers, body } = await sendRaw(sandbox.url, head('/api/products', ...lines), create)
    expect(status).toBe(400)
    expect(asJson(body)).toEqual({ success: false, message: expect.any(String) as string })
    expect(headers).not.toHaveProperty('x-sandbox-assumed')
    expect(await created()).toBe(0)
  })
})

it('finds the unknown name in a header of the refusal, and none for a malformed name', async () => {
  const { sandbox } = await listening()
  const unknown = async (host: string) =>
    (await sendRaw(sandbox.url, head('/api/products', `Host: ${host}`), create)).headers['x-sandbox-unknown-host']
  expect(await unknown('evil.test:4010')).toBe('evil.test')
  expect(await unknown(`${'a'.repeat(200)}.test`)).toBe('a'.repeat(100))
  expect(await unknown('EVIL.test')).toBeUndefined()
  expect(await unknown('localhost')).toBeUndefined()
})

describe('a request with a Host of this sandbox', () => {
  it.each(['localhost', 'localhost:4010', '127.0.0.1', '127.255.0.9:80', '[::1]', '[::1]:4010'])(
    'is answered: %s',
    async (host) => {
      const { sandbox, created } = await listening()
      expect((await sendRaw(sandbox.url, head('/api/products', `Host: ${host}`), create)).status).toBe(201)
      expect(await created()).toBe(1)
    },
  )

  it('may use an allowed name, and no other', async () => {
    const { sandbox } = await openSandbox({ port: 0, allowHosts: ['crm.test'] })
    expect((await sendRaw(sandbox.url, ['GET / HTTP/1.1', 'Host: crm.test:80'])).status).toBe(200)
    expect((await sendRaw(sandbox.url, ['GET / HTTP/1.1', 'Host: a.crm.test'])).status).toBe(400)
  })

  it('may use any address when the sandbox listens on all interfaces, but no foreign name', () => {
    const complaintAbout = hostCheck({ server: 'It', address: '0.0.0.0', isEveryAddress: true, allowHosts: [] })
    const ask = (host: string) => complaintAbout({ url: '/', headers: { host } })
    expect([ask('192.0.2.7:4010'), ask('[2001:db8::1]')]).toEqual([undefined, undefined])
    expect(ask('evil.test')?.message).toContain('--allow-host')
  })
})

describe('an allowed name', () => {
  it.each([
    ['Crm.Test', 'crm.test'],
    ['0:0::1', '[::1]'],
    ['my_service', 'my_service'],
  ])('%s is compared as %s', (text, name) => expect(readHostName(text)).toBe(name))

  it.each(['', 'crm.test:80', 'http://crm.test', 'crm.test.', '*', '.test', 'a b', 'a\0', '%00', '[::1', 'crm/test'])(
    'cannot be %j',
    (text) => expect(() => readHostName(text)).toThrow('must be a name'),
  )
})

describe('a host to listen on', () => {
  const everywhere = ['0', '0.0.0.0', '\uff10.0.0.0', '::']
  const mapped = ['::ffff:0.0.0.0', '::ffff:0:0', '0:0:0:0:0:ffff:0:0', '::%lo', '000.000.000.000']

  it.each([...everywhere, ...mapped])('is refused when it means all interfaces: %j', async (host) => {
    await expect(bindAddress(host, false)).rejects.toThrow('; add --public, or in code public: true, if you want that.')
    await expect(bindAddress(host, true)).resolves.toMatchObject({ reach: 'everyNetwork' })
  })
})

/** A sandbox that listens, and the number of its products. */
async function listening() {
  const { sandbox } = await openSandbox({ port: 0, seed: 1 })
  const created = async () => {
    const next = await sandbox.fetch('/api/products', postAs('acme-key', create))
    const { data } = (await next.json()) as { data: { _id: string } }
    return Number.parseInt(data._id.slice(-8), 16)
  }
  return { sandbox, created }
}

const demo = 'http://localhost:5173'
const other = 'https://demo.example.com'
const key = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }
const body = JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace' })

describe('pages of an origin that is allowed', () => {
  const open = async (cors: readonly string[] = [demo, other]) => {
    const { sandbox } = await openSandbox({ cors })
    return async (method: string, path: string, headers: Record<string, string>, sent?: string) => {
      const answer = await sandbox.fetch(path, { method, headers, ...(sent === undefined ? {} : { body: sent }) })
      return { status: answer.status, headers: Object.fromEntries(answer.headers) }
    }
  }
  const corsIn = ({ headers }: { headers: Record<string, string> }) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control'))

  it.each([demo, other])('read answers, and the headers of the sandbox: %s', async (origin) => {
    const ask = await open()
    for (const [sent, status] of [
      [body, 201],
      ['{}', 400],
    ] as const) {
      const answer = await ask('POST', '/api/contacts', { ...key, origin }, sent)
      expect(answer).toMatchObject({ status, headers: { 'access-control-allow-origin': origin } })
      expect(answer.headers.vary).toMatch(/\bOrigin\b/)
      expect(answer.headers['access-control-expose-headers']).toContain('x-sandbox-assumed')
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    }
    expect((await ask('POST', '/api/contacts', { origin }, body)).headers).toHaveProperty('access-control-allow-origin')
    expect((await ask('GET', '/api/nowhere', { origin })).headers).toHaveProperty('access-control-allow-origin')
    expect((await ask('GET', '/openapi.json', { origin })).headers).toHaveProperty('access-control-allow-origin')
  })

  it('may ask what browsers ask before: the methods and headers of the API', async () => {
    const ask = await open()
    const preflight = {
      origin: demo,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'x-api-key',
    }
    const { status, headers } = await ask('OPTIONS', '/api/contacts/66f0a1b2c3d4e5f6aaaa1001', preflight)
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': demo,
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': expect.stringMatching(/\bidempotency-key\b.*\bx-api-key\b/) as string,
    })
  })

  it.each([
    'http://evil.test',
    'http://localhost:5174',
    'http://localhost:5173.evil.test',
    `${demo}, http://evil.test`,
    'null',
    '*',
    '',
  ])('are told apart from those of any other origin: %j', async (origin) => {
    const ask = await open()
    const answer = await ask('POST', '/api/contacts', { ...key, origin }, body)
    expect(corsIn(answer)).toEqual([])
    expect(answer.headers.vary).toMatch(/\bOrigin\b/)
    const preflight = await ask('OPTIONS', '/api/contacts', { origin, 'access-control-request-method': 'POST' })
    expect([preflight.status, corsIn(preflight)]).toEqual([404, []])
  })

  it.each([
    '/_sandbox/health',
    '/_sandbox/reset',
    '/_sandbox/nowhere',
    '/docs',
    '/',
    '/%5Fsandbox/health',
    '/api/../_sandbox/teams',
  ])('can neither use nor read what is not the API: %s', async (path) => {
    const ask = await open()
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await ask(method, path, { origin: demo, 'access-control-request-method': 'POST' })
      expect(corsIn(answer)).toEqual([])
      if (path.startsWith('/_sandbox')) expect(answer.status).toBe(403)
    }
  })

  it('get nothing more where no origin is allowed', async () => {
    const ask = await open([])
    const answer = await ask('POST', '/api/contacts', { ...key, origin: demo }, body)
    expect([answer.status, corsIn(answer), answer.headers.vary]).toEqual([201, [], undefined])
  })
})
