import { describe, expect, it } from 'vitest'
import { furnished, operationIds, targetOf } from './asks.ts'
import { openSandbox } from './harness.ts'
import { sendRaw } from './raw.ts'

const notFound = { success: false, message: 'Resource not found' }
const refusal = { success: false, message: expect.any(String) as string }

describe('a path', () => {
  const ask = async (target: string, method = 'GET', body?: string, contentType = 'application/json') => {
    const { sandbox } = await openSandbox({ port: 0, world: furnished })
    const length = body === undefined ? [] : [`content-type: ${contentType}`, `content-length: ${body.length}`]
    const head = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'x-api-key: acme-key', ...length]
    const answer = await sendRaw(sandbox.url, head, body)
    expect(await sandbox.world()).toEqual(furnished)
    return { ...answer, body: answer.body === '' ? undefined : (JSON.parse(answer.body) as unknown) }
  }

  it.each([
    '/api',
    '/api/',
    '/api/nowhere',
    '/api/product',
    '/api/Products',
    '/API/products',
    '/v1/api/products',
    '/api//products',
    '/api/products/a/b',
    '/api/./products',
    '/api/companies',
    '/api/deals/create/x',
    '/api/products;x=1',
    '/api/products%3Fa=1',
    '/api%2Fproducts',
    '/',
    '/index.html',
    '/.env',
  ])('that is not in the document is answered 404, whatever is sent to it: %s', async (target) => {
    const bodies: [string | undefined, string?][] = [[undefined], ['{}'], ['{'], ['x', 'text/plain'], ['x', '@@@']]
    for (const method of ['POST', 'PUT', 'DELETE'])
      for (const [body, contentType] of bodies)
        expect(await ask(target, method, body, contentType)).toMatchObject({ status: 404, body: notFound })
  })

  it('that is not in the document is answered 404, also with a body that is too large', async () => {
    expect(await ask('/api/nowhere', 'POST', 'x'.repeat(1024 * 1024 + 1))).toMatchObject({
      status: 404,
      body: notFound,
    })
  })

  it.each([
    ['/api/templates/%ZZ', 400],
    ['/api/templates/%', 400],
    ['/api/templates/%C0%AF', 400],
    ['/api/templates/%FF', 400],
    ['/api/templates/%00', 404],
    ['/api/templates/%2e%2e', 404],
    ['/api/templates/..%2f..%2fetc%2fpasswd', 404],
    ['/api/templates/%25%32%66', 404],
    ['/api/templates/__proto__', 404],
    ['/api/templates/constructor', 404],
    ['/api/templates/%20', 404],
    ["/api/templates/'%20or%201=1", 404],
    ['/api/templates/%F0%9F%9A%82', 404],
    [`/api/templates/${'a'.repeat(15_000)}`, 404],
    [`/api/templates/${'%41'.repeat(5_000)}`, 404],
    [`/api/templates${'/a'.repeat(7_000)}`, 404],
    [`/api/templates/${'a'.repeat(20_000)}`, 400],
    ['/api/templates/\0', 400],
    ['/api/templates/a b', 400],
  ])('with an unusual id is answered in the envelope: %s', async (target, status) => {
    expect(await ask(target)).toMatchObject({ status, body: refusal })
  })

  it.each(['HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY', 'PROPFIND', 'PURGE'])(
    'does not accept %s, and changes nothing',
    async (method) => {
      for (const id of operationIds) {
        const { status, headers } = await ask(targetOf(id), method, method === 'QUERY' ? '{' : undefined)
        expect({ id, status, assumed: headers['x-sandbox-assumed'] }).toEqual({
          id,
          status: 404,
          assumed: 'wrongMethod',
        })
      }
    },
  )

  it.each(['BREW', 'get', 'GE T', 'CONNECT'])('does not accept an invalid method: %s', async (method) => {
    expect(await ask('/api/templates', method)).toMatchObject({ status: 400, body: refusal })
  })
})

describe('wrongMethod', () => {
  const targets = [...new Set(operationIds.map((id) => targetOf(id)))]

  it.each([
    ['notFound', 404],
    ['badRequest', 400],
  ] as const)('=%s answers %i on every documented path', async (wrongMethod, status) => {
    const { sandbox } = await openSandbox({ world: furnished, assume: { wrongMethod } })
    for (const target of targets) {
      const answer = await sandbox.fetch(target, { method: 'PATCH', headers: { 'x-api-key': 'acme-key' } })
      expect([target, answer.status, await answer.json()]).toEqual([target, status, refusal])
      expect(answer.headers.get('x-sandbox-assumed')).toContain('wrongMethod')
    }
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('compares decoded paths', async () => {
    const { sandbox } = await openSandbox({ assume: { wrongMethod: 'badRequest' } })
    expect((await sandbox.fetch('/api/p%72oducts', { method: 'PATCH' })).status).toBe(400)
  })

  it('is not relied on for unknown paths', async () => {
    const { sandbox } = await openSandbox()
    expect((await sandbox.fetch('/api/nowhere')).headers.get('x-sandbox-assumed')).toBeNull()
  })
})
