import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Tokens } from '../../mock/core/tokens.ts'
import { bearerOf, openSandbox } from './helpers.ts'

const now = Date.parse('2030-01-31T09:00:00Z')
const seconds = now / 1000
const secret = Buffer.alloc(32, 'ours')
const store = { generation: async () => ({ epoch: 1, tokenSecret: secret.toString('base64url') }) }
const grace = { teamId: 'acme', userId: 'grace', role: 'admin' } as const

const claims = { team: 'acme', sub: 'grace', role: 'admin', iat: seconds, exp: seconds + 60 }
const hs256 = { alg: 'HS256', typ: 'JWT' }

it('a token names the user that it was signed for, until it expires', async () => {
  const clock = { now: () => time }
  let time = now
  const tokens = new Tokens(store, clock)
  const token = await tokens.sign(grace, 60)
  expect(await tokens.verify(token)).toEqual(grace)
  time = now + 59_999
  expect(await tokens.verify(token)).toEqual(grace)
  time = now + 60_000
  expect(await tokens.verify(token)).toBeUndefined()
})

it('a token is a standard JWT, signed with the secret', async () => {
  expect(await verified(signed(hs256, claims))).toEqual(grace)
})

describe('a token of another issuer', () => {
  const whole = signed(hs256, claims)
  const [head = '', payload = '', mark = ''] = whole.split('.')
  const polluted = '{"__proto__":{"team":"acme","sub":"grace","role":"admin"},"exp":9999999999}'

  const hostile: [what: string, token: string][] = [
    ['nothing', ''],
    ['two parts', `${head}.${payload}`],
    ...['none', 'None', 'NONE', 'nOnE', ''].map((alg): [string, string] => [
      `alg ${alg}, unsigned`,
      `${coded({ alg, typ: 'JWT' })}.${payload}.`,
    ]),
    ['alg none, but signed', signed({ alg: 'none' }, claims)],
    ['alg RS256 over our secret', signed({ alg: 'RS256' }, claims)],
    ['another secret', signed(hs256, claims, Buffer.alloc(32, 'theirs'))],
    ['an empty secret', signed(hs256, claims, Buffer.alloc(0))],
    ['a payload that was changed', `${head}.${coded({ ...claims, team: 'globex' })}.${mark}`],
    ['a signature that was cut off', whole.slice(0, -2)],
    ['a payload that is not JSON', `${head}.${Buffer.from('{').toString('base64url')}.${mark}`],
    ['no exp', signed(hs256, { ...claims, exp: undefined })],
    ['an exp that is text', signed(hs256, { ...claims, exp: String(claims.exp) })],
    ['an exp in the past', signed(hs256, { ...claims, exp: seconds - 1 })],
    ['an nbf in the future', signed(hs256, { ...claims, nbf: seconds + 1 })],
    ['no team', signed(hs256, { ...claims, team: undefined })],
    ['no role', signed(hs256, { ...claims, role: undefined })],
    ['an unknown role', signed(hs256, { ...claims, role: 'owner' })],
    ['a role from Object.prototype', signed(hs256, { ...claims, role: 'constructor' })],
    ['its claims in __proto__', signed(hs256, polluted)],
  ]

  it.each(hostile)('is not valid: %s', async (_what, token) => {
    expect(await verified(token)).toBeUndefined()
    expect(({} as { team?: unknown }).team).toBeUndefined()
  })
})

describe('a token of this sandbox', () => {
  it('is not valid in another sandbox', async () => {
    const [one, other] = [await openSandbox(), await openSandbox()]
    const headers = await bearerOf(one.sandbox)
    expect((await other.call('createCompany', { key: null, headers, body: { name: 'Initrode' } })).status).toBe(401)
  })
})

const verified = (token: string) => new Tokens(store, { now: () => now }).verify(token)

const coded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A token that is made without the library. */
function signed(header: object, payload: unknown, by = secret, hash = 'sha256'): string {
  const said = `${coded(header)}.${coded(payload)}`
  return `${said}.${createHmac(hash, by).update(said).digest('base64url')}`
}

it('a token opens nothing after a reset, not even a team of the same id', async () => {
  const { sandbox, call } = await openSandbox()
  const headers = await bearerOf(sandbox)
  const list = () =>
    call('listTemplates', {
      key: null,
      headers,
      query: { page: 1, limit: 10, types: 'sms', statuses: 'approved' },
    })
  expect((await list()).status).toBe(200)
  await sandbox.reset()
  expect((await list()).status).toBe(401)
})
