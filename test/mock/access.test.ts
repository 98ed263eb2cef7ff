import { describe, expect, it } from 'vitest'
import type { WrittenChoices } from '../../spec/choices.ts'
import { operations } from '../../spec/operations.ts'
import { examples, furnished, operationIds, unknownId } from './requests.ts'
import { bearerOf, openSandbox } from './helpers.ts'

const unauthorized = { success: false, message: 'Unauthorized' }
const refused = { status: 401, body: unauthorized }
const unsigned = `${base64('{"alg":"none","typ":"JWT"}')}.${base64('{"sub":"ada","team":"acme","role":"admin"}')}.`
const nonsense = { authorization: 'Bearer nonsense' }

/** Headers without a valid credential. */
const nobody: Readonly<Record<string, Record<string, string>>> = {
  'no key': {},
  'an unknown key': { 'x-api-key': 'nobody-key' },
  'a key in capitals': { 'x-api-key': 'ACME-KEY' },
  'two keys in one': { 'x-api-key': 'acme-key, acme-key' },
  'the id of a team': { 'x-api-key': 'acme' },
  'a property of every object': { 'x-api-key': '__proto__' },
  'an invalid token': nonsense,
  'an unsigned token': { authorization: `Bearer ${unsigned}` },
  'a key as a token': { authorization: 'Bearer acme-key' },
  'another scheme': { authorization: `Basic ${base64('acme:acme-key')}` },
  'a key under another name': { 'api-key': 'acme-key', apikey: 'acme-key' },
}

const badBodies = [
  ['application/json', '{'],
  ['application/json', '['.repeat(40)],
  ['application/json', `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`],
  ['text/plain', '{}'],
  ['multipart/form-data', 'no boundary'],
  ['nonsense', '{}'],
] as const

describe.each(operationIds)('%s', (id) => {
  it('answers 401 without a valid credential, and changes nothing', async () => {
    const { sandbox, call } = await openSandbox({ world: furnished })
    for (const [who, headers] of Object.entries(nobody)) {
      const { status, body } = await call(id, { ...examples[id], key: null, headers })
      expect({ who, status, body }).toEqual({ who, ...refused })
    }
    const { path } = examples[id]
    const unkeyed = { path, key: null, headers: { 'idempotency-key': 'once' } }
    expect(await call(id, unkeyed)).toEqual({ ...refused, assumed: [] })
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('answers 401 and not 400 when the request is invalid too', async () => {
    const { sandbox } = await openSandbox({ world: furnished })
    const { method, path } = operations[id]
    for (const [contentType, body] of badBodies) {
      const answer = await sandbox.fetch(path, {
        method: method.toUpperCase(),
        headers: { 'x-api-key': 'nobody-key', 'content-type': contentType, 'idempotency-key': '' },
        ...(method === 'get' ? {} : { body }),
      })
      expect([answer.status, await answer.json()]).toEqual([401, unauthorized])
    }
  })

  it('accepts the API key and a token of the team, unless bearerRoutes=none', async () => {
    for (const credential of ['key', 'token', 'refusedToken'] as const) {
      const assume: WrittenChoices = credential === 'refusedToken' ? { bearerRoutes: 'none' } : {}
      const { sandbox, call } = await openSandbox({ world: furnished, assume })
      const byToken = credential === 'key' ? {} : { key: null, headers: await bearerOf(sandbox) }
      const { status, assumed } = await call(id, { ...examples[id], ...byToken })
      expect(credential === 'refusedToken' ? [401] : operations[id].successStatuses).toContain(status)
      expect(assumed.includes('bearerRoutes')).toBe(credential !== 'key')
    }
  })
})

describe('a removed team', () => {
  it('is refused with its key and its token, before the body is read, and other teams are not', async () => {
    const { sandbox, call } = await openSandbox()
    const headers = await bearerOf(sandbox)
    await sandbox.teams.delete('acme')
    for (const credential of [{}, { key: null, headers }]) {
      expect(await call('listTemplates', { ...examples.listTemplates, ...credential })).toMatchObject(refused)
      expect(await call('createProduct', { body: '{', ...credential })).toMatchObject(refused)
    }
    expect((await call('listTemplates', { ...examples.listTemplates, key: 'globex-key' })).status).toBe(200)
  })

  it('still gets an answer to each request that waits, and no 5xx', async () => {
    const { sandbox, call } = await openSandbox()
    const asked = Array.from({ length: 50 }, () => call('createProduct', examples.createProduct))
    await sandbox.teams.delete('acme')
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 201 && status !== 401)).toEqual([])
  })
})

it('accepts the names of headers in any case, and the scheme of a token in any spelling', async () => {
  const { sandbox, call } = await openSandbox({ world: furnished })
  const { authorization } = await bearerOf(sandbox)
  const spellings = ['Bearer', 'bearer', 'BEARER', 'Bearer  '].map((scheme) => authorization.replace('Bearer', scheme))
  for (const headers of [{ 'X-API-Key': 'acme-key' }, ...spellings.map((authorization) => ({ authorization }))]) {
    expect((await call('getTemplate', { ...examples.getTemplate, key: null, headers })).status).toBe(200)
  }
})

it('does not rely on bearerRoutes with an invalid token', async () => {
  const { call } = await openSandbox({ world: furnished })
  const { assumed } = await call('getTemplate', { ...examples.getTemplate, key: null, headers: nonsense })
  expect(assumed).not.toContain('bearerRoutes')
})

describe('bothCredentials', () => {
  type Sent = 'good' | 'bad' | 'other'
  const keys: Record<Sent, string> = { good: 'acme-key', bad: 'nobody-key', other: 'globex-key' }

  const ask = async (assume: WrittenChoices, key: Sent, token: Sent, role: 'admin' | 'agent' = 'admin') => {
    const { sandbox, call } = await openSandbox({ world: furnished, assume })
    const bearer = await bearerOf(sandbox, { teamId: token === 'other' ? 'globex' : 'acme', role })
    return call('getTemplate', {
      ...examples.getTemplate,
      key: keys[key],
      headers: token === 'bad' ? nonsense : bearer,
    })
  }

  it.each<[choice: 'key' | 'bearer' | 'refuse', key: Sent, token: Sent, status: number, role?: 'agent']>([
    ['key', 'good', 'bad', 200],
    ['key', 'bad', 'good', 401],
    ['key', 'good', 'other', 200],
    ['key', 'other', 'good', 404],
    ['key', 'good', 'good', 200, 'agent'],
    ['bearer', 'good', 'bad', 401],
    ['bearer', 'bad', 'good', 200],
    ['bearer', 'good', 'other', 404],
    ['bearer', 'other', 'good', 200],
    ['bearer', 'good', 'good', 404, 'agent'],
    ['refuse', 'good', 'bad', 401],
    ['refuse', 'bad', 'good', 401],
    ['refuse', 'good', 'other', 401],
    ['refuse', 'other', 'good', 401],
    ['refuse', 'good', 'good', 404, 'agent'],
  ])('=%s: a key that is %s with a token that is %s is answered %i', async (choice, key, token, status, role) => {
    const answer = await ask({ bothCredentials: choice }, key, token, role)
    expect(answer.status).toBe(status)
    expect(answer.assumed).toContain('bothCredentials')
  })

  it('is not relied on when both are invalid', async () => {
    expect(await ask({}, 'bad', 'bad')).toMatchObject({ status: 401, assumed: [] })
  })

  it.each(['key', 'bearer', 'refuse'] as const)(
    '=%s is not relied on where no role matters, nor with another scheme than Bearer',
    async (bothCredentials) => {
      const { sandbox, call } = await openSandbox({ assume: { bothCredentials } })
      const otherScheme = { authorization: `Basic ${base64('ada:secret')}` }
      for (const headers of [await bearerOf(sandbox, { role: 'agent' }), otherScheme]) {
        const { status, assumed } = await call('createProduct', { ...examples.createProduct, headers })
        expect([status, assumed.includes('bothCredentials')]).toEqual([201, false])
      }
    },
  )

  it('ignores the token when bearerRoutes=none', async () => {
    const answer = await ask({ bothCredentials: 'bearer', bearerRoutes: 'none' }, 'good', 'good')
    expect(answer.status).toBe(401)
    expect(answer.assumed).toEqual(expect.arrayContaining(['bothCredentials', 'bearerRoutes']))
  })
})

function base64(text: string): string {
  return Buffer.from(text).toString('base64url')
}

/** The operations on a record that must exist. */
const naming = operationIds.filter(
  (id) => operations[id].path.includes('{') || id === 'createConversation' || id === 'createQuote',
)

it.each(naming)('%s answers the id of another team like an unknown one, and changes nothing', async (id) => {
  const { sandbox, call } = await openSandbox({ world: furnished })
  const asGlobex = { ...examples[id], key: 'globex-key' }
  const unknown = JSON.parse(JSON.stringify(asGlobex).replaceAll(/[0-9a-f]{24}/g, unknownId)) as typeof asGlobex
  const foreign = await call(id, asGlobex)
  expect(foreign).toEqual(await call(id, unknown))
  expect([foreign.status, foreign.body]).toEqual([404, { success: false, message: 'Resource not found' }])
  expect(await sandbox.world()).toEqual(furnished)
})

it('finds, changes and deletes no contact of another team by its addresses', async () => {
  const { sandbox, call } = await openSandbox({ world: furnished })
  const { email = '', phone = '' } = furnished.teams[0]?.contacts?.[0] ?? {}
  const key = 'globex-key'
  const names = { firstName: 'Ada', lastName: 'Lovelace' }
  expect((await call('deleteContactsByEmail', { query: { email }, key })).body.message).toBe('0 contacts deleted')
  expect((await call('createOrUpdateContact', { body: { ...names, email, phone }, key })).body.message).toBe(
    'Contact created',
  )
  expect((await call('findOrCreateConversation', { body: { phone }, key })).body.message).toBe('Conversation created')
  expect((await sandbox.world()).teams[0]).toEqual(furnished.teams[0])
})
