import { describe, expect, it } from 'vitest'
import type { WrittenChoices } from '../../spec/choices.ts'
import { operations } from '../../spec/operations.ts'
import type { Sandbox } from '../../mock/create-sandbox.ts'
import { examples, furnished, operationIds, targetOf, withBody } from './asks.ts'
import { type Ask, openSandbox } from './harness.ts'

const unauthorized = { success: false, message: 'Unauthorized' }
const unsigned = `${base64('{"alg":"none","typ":"JWT"}')}.${base64('{"sub":"ada","team":"acme","role":"admin"}')}.`

/** Headers without a valid credential. */
const nobody: Readonly<Record<string, Record<string, string>>> = {
  'no key': {},
  'an unknown key': { 'x-api-key': 'nobody-key' },
  'an empty key': { 'x-api-key': '' },
  'a key in capitals': { 'x-api-key': 'ACME-KEY' },
  'the beginning of a key': { 'x-api-key': 'acme-ke' },
  'a key and more': { 'x-api-key': 'acme-keys' },
  'two keys in one': { 'x-api-key': 'acme-key, acme-key' },
  'the id of a team': { 'x-api-key': 'acme' },
  'the name of what every object has': { 'x-api-key': '__proto__' },
  'an invalid token': { authorization: 'Bearer nonsense' },
  'an unsigned token': { authorization: `Bearer ${unsigned}` },
  'no token': { authorization: 'Bearer' },
  'a key as a token': { authorization: 'Bearer acme-key' },
  'another scheme': { authorization: `Basic ${base64('acme:acme-key')}` },
  'a token with no scheme': { authorization: unsigned },
  'a key under another name': { 'api-key': 'acme-key', apikey: 'acme-key' },
}

describe.each(operationIds)('%s', (id) => {
  it('answers 401 without a valid credential, and changes nothing', async () => {
    const { sandbox, call } = await openSandbox({ world: furnished })
    const answers = await Promise.all(
      Object.entries(nobody).map(async ([who, headers]) => {
        const { status, body } = await call(id, { ...examples[id], key: null, headers })
        return [who, { status, body }]
      }),
    )
    const all = Object.keys(nobody).map((who) => [who, { status: 401, body: unauthorized }])
    expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(all))
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('answers 401 and not 400 when the request is invalid too', async () => {
    const { sandbox } = await openSandbox({ world: furnished })
    const { method, path } = operations[id]
    const answers = await Promise.all(
      badBodies.map(async ([contentType, body]) => {
        const answer = await sandbox.fetch(path, {
          method: method.toUpperCase(),
          headers: { 'x-api-key': 'nobody-key', 'content-type': contentType, 'idempotency-key': '' },
          ...(method === 'get' ? {} : { body }),
        })
        return [answer.status, await answer.json()]
      }),
    )
    expect(answers).toEqual(badBodies.map(() => [401, unauthorized]))
  })

  it('accepts the API key and a token of the team', async () => {
    for (const credential of ['key', 'token'] as const) {
      const { sandbox, call } = await openSandbox({ world: furnished })
      const headers = credential === 'key' ? {} : await bearerOf(sandbox)
      const { status } = await call(id, { ...examples[id], ...(credential === 'key' ? {} : { key: null }), headers })
      expect(operations[id].successStatuses).toContain(status)
    }
  })
})

const badBodies = [
  ['application/json', '{'],
  ['application/json', `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`],
  ['text/plain', '{}'],
  ['multipart/form-data', 'no boundary'],
  ['nonsense', '{}'],
] as const

describe('an x-api-key', () => {
  it('of a removed team is answered 401, and so is its token', async () => {
    const { sandbox, call } = await openSandbox()
    const bearer = await bearerOf(sandbox)
    await sandbox.fetch('/_sandbox/teams/acme', { method: 'DELETE' })
    expect(await call('listTemplates', examples.listTemplates)).toMatchObject({ status: 401, body: unauthorized })
    expect(await call('listTemplates', { ...examples.listTemplates, key: null, headers: bearer })).toMatchObject({
      status: 401,
      body: unauthorized,
    })
    expect((await call('listTemplates', { ...examples.listTemplates, key: 'globex-key' })).status).toBe(200)
  })

  it('of a removed team is refused before the body is read, and so is its token', async () => {
    const { sandbox, call } = await openSandbox()
    const headers = await bearerOf(sandbox)
    await sandbox.fetch('/_sandbox/teams/acme', { method: 'DELETE' })
    expect((await call('createProduct', { body: '{' })).status).toBe(401)
    expect(await call('createProduct', { body: '{', key: null, headers })).toMatchObject({
      status: 401,
      body: unauthorized,
    })
  })

  it('of a team that is removed while requests wait still gets an answer to each, and no 5xx', async () => {
    const { sandbox, call } = await openSandbox()
    const asked = Array.from({ length: 50 }, () => call('createProduct', examples.createProduct))
    const removed = sandbox.fetch('/_sandbox/teams/acme', { method: 'DELETE' })
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status))
    expect((await removed).status).toBe(200)
    expect([...statuses].filter((status) => status !== 201 && status !== 401)).toEqual([])
  })

  it('may have its header name in any case', async () => {
    const { call } = await openSandbox()
    const { status } = await call('createProduct', {
      ...examples.createProduct,
      key: null,
      headers: { 'X-API-Key': 'acme-key' },
    })
    expect(status).toBe(201)
  })
})

describe('without a valid credential', () => {
  it.each([
    ['an invalid body', { 'content-type': 'application/json' }, '{"unitPrice":1}'],
    ['another content type', { 'content-type': 'text/plain' }, '{}'],
    ['invalid JSON', { 'content-type': 'application/json' }, '{'],
    ['a body that is too large', { 'content-type': 'application/json' }, `"${'x'.repeat(1024 * 1024)}"`],
    ['a body that is nested too deep', { 'content-type': 'application/json' }, '['.repeat(40)],
  ])('%s is answered 401, and changes nothing', async (_, headers, body) => {
    const { sandbox, call } = await openSandbox()
    const before = await sandbox.world()
    const answer = await call('createProduct', { body, key: null, headers })
    expect(answer).toMatchObject({ status: 401, body: unauthorized, assumed: [] })
    expect(await sandbox.world()).toEqual(before)
  })

  it.each(['listTemplates', 'deleteContactsByEmail'] as const)('an invalid query of %s is answered 401', async (id) => {
    const { call } = await openSandbox()
    expect(await call(id, { key: null })).toMatchObject({ status: 401, body: unauthorized, assumed: [] })
  })

  it.each(withBody)('a valid body of %s is answered 401, and changes nothing', async (id) => {
    const { sandbox, call } = await openSandbox({ world: furnished })
    const answer = await call(id, { ...examples[id], key: null, headers: { 'idempotency-key': 'once' } })
    expect(answer).toMatchObject({ status: 401, body: unauthorized })
    expect(await sandbox.world()).toEqual(furnished)
  })
})

describe('bearerRoutes', () => {
  it.each(operationIds)('=none: %s refuses a token', async (id) => {
    const { sandbox, call } = await openSandbox({ world: furnished, assume: { bearerRoutes: 'none' } })
    const answer = await call(id, { ...examples[id], key: null, headers: await bearerOf(sandbox) })
    expect(answer).toMatchObject({ status: 401, body: unauthorized })
    expect(answer.assumed).toContain('bearerRoutes')
  })

  it('=all: a token is accepted in any spelling of its scheme', async () => {
    const { sandbox, call } = await openSandbox({ world: furnished })
    const { authorization } = await bearerOf(sandbox)
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
      const headers = { authorization: authorization.replace('Bearer', scheme) }
      const answer = await call('getTemplate', { ...examples.getTemplate, key: null, headers })
      expect(answer.status).toBe(200)
      expect(answer.assumed).toContain('bearerRoutes')
    }
  })

  it('is not relied on with a key, nor with an invalid token', async () => {
    const { call } = await openSandbox({ world: furnished })
    const byKey = await call('getTemplate', examples.getTemplate)
    const byNobody = await call('getTemplate', {
      ...examples.getTemplate,
      key: null,
      headers: { authorization: 'Bearer nonsense' },
    })
    expect([...byKey.assumed, ...byNobody.assumed]).not.toContain('bearerRoutes')
  })
})

describe('bothCredentials', () => {
  type Sent = 'good' | 'bad' | 'other'
  const statuses: [choice: 'key' | 'bearer' | 'refuse', key: Sent, token: Sent, status: number][] = [
    ['key', 'good', 'bad', 200],
    ['key', 'bad', 'good', 401],
    ['key', 'good', 'other', 200],
    ['key', 'other', 'good', 404],
    ['bearer', 'good', 'bad', 401],
    ['bearer', 'bad', 'good', 200],
    ['bearer', 'good', 'other', 404],
    ['bearer', 'other', 'good', 200],
    ['refuse', 'good', 'bad', 401],
    ['refuse', 'bad', 'good', 401],
    ['refuse', 'good', 'other', 401],
    ['refuse', 'other', 'good', 401],
  ]
  const keys: Record<Sent, string> = { good: 'acme-key', bad: 'nobody-key', other: 'globex-key' }

  const ask = async (assume: WrittenChoices, key: Sent, token: Sent, role = 'admin'): Promise<Ask & Told> => {
    const { sandbox, call } = await openSandbox({ world: furnished, assume })
    const bearer = await bearerOf(sandbox, token === 'other' ? 'globex' : 'acme', role)
    const headers = token === 'bad' ? { authorization: 'Bearer nonsense' } : bearer
    return call('getTemplate', { ...examples.getTemplate, key: keys[key], headers })
  }
  type Told = Awaited<ReturnType<Awaited<ReturnType<typeof openSandbox>>['call']>>

  it.each(statuses)(
    '=%s: a key that is %s with a token that is %s is answered %i',
    async (choice, key, token, status) => {
      const answer = await ask({ bothCredentials: choice }, key, token)
      expect(answer.status).toBe(status)
      expect(answer.assumed).toContain('bothCredentials')
    },
  )

  it.each([
    ['key', 200],
    ['bearer', 404],
    ['refuse', 404],
  ] as const)(
    '=%s: with a key and a token of one team, decides whether the role of the user applies',
    async (choice, status) => {
      const answer = await ask({ bothCredentials: choice }, 'good', 'good', 'agent')
      expect(answer.status).toBe(status)
      expect(answer.assumed).toContain('bothCredentials')
    },
  )

  it('is not relied on when both are invalid', async () => {
    const { status, assumed } = await ask({}, 'bad', 'bad')
    expect({ status, assumed }).toEqual({ status: 401, assumed: [] })
  })

  it.each(['key', 'bearer', 'refuse'] as const)(
    '=%s is not relied on with a key and a token of one team, where no role matters',
    async (bothCredentials) => {
      const { sandbox, call } = await openSandbox({ assume: { bothCredentials } })
      const headers = await bearerOf(sandbox, 'acme', 'agent')
      const { status, assumed } = await call('createProduct', { ...examples.createProduct, headers })
      expect(status).toBe(201)
      expect(assumed).not.toContain('bothCredentials')
    },
  )

  it.each(['key', 'bearer', 'refuse'] as const)(
    '=%s is not relied on when Authorization has another scheme than Bearer',
    async (bothCredentials) => {
      const { call } = await openSandbox({ assume: { bothCredentials } })
      const headers = { authorization: `Basic ${base64('ada:secret')}` }
      const { status, assumed } = await call('createProduct', { ...examples.createProduct, headers })
      expect(status).toBe(201)
      expect(assumed).not.toContain('bothCredentials')
    },
  )

  it('ignores the token when bearerRoutes=none', async () => {
    const answer = await ask({ bothCredentials: 'bearer', bearerRoutes: 'none' }, 'good', 'good')
    expect(answer.status).toBe(401)
    expect(answer.assumed).toEqual(expect.arrayContaining(['bothCredentials', 'bearerRoutes']))
  })
})

it('serves every operation at its documented method and path', () => {
  expect(operationIds).toHaveLength(32)
  expect(new Set(operationIds.map((id) => `${operations[id].method} ${targetOf(id)}`)).size).toBe(32)
})

async function bearerOf(sandbox: Sandbox, teamId = 'acme', role = 'admin') {
  const answer = await sandbox.fetch('/_sandbox/tokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ teamId, role, userId: `${teamId}-${role}` }),
  })
  const { data } = (await answer.json()) as { data: { token: string } }
  return { authorization: `Bearer ${data.token}` }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64url')
}
