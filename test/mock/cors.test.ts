import { describe, expect, it } from 'vitest'
import { openSandbox } from './helpers.ts'

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
