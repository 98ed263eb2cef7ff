import { describe, expect, it } from 'vitest'
import { furnished, operationIds, targetOf } from './requests.ts'
import { openSandbox } from './helpers.ts'
import { sendRaw } from './raw-http.ts'

const notFound = { success: false, message: 'Resource not found' }
const refusal = { success: false, message: expect.any(String) as string }
const targets = [...new Set(operationIds.map((id) => targetOf(id)))]

describe('a path', () => {
  it('that is not in the document is answered 404, whatever is sent to it', async () => {
    const { sandbox } = await openSandbox({ port: 0, world: furnished })
    for (const target of [
      '/api',
      '/api/product',
      '/API/products',
      '/api//products',
      '/api/products/a/b',
      '/api/./products',
      '/api/products;x=1',
      '/api/products%3Fa=1',
      '/api%2Fproducts',
      '/index.html',
      '/.env',
    ])
      for (const method of ['POST', 'DELETE'])
        for (const [type, body] of [
          ['application/json', '{'],
          ['text/plain', 'x'],
          ['@@@', 'x'.repeat(1024 * 1024 + 1)],
        ] as const) {
          const lines = [`content-type: ${type}`, `content-length: ${body.length}`, 'x-api-key: acme-key']
          const answer = await sendRaw(sandbox.url, [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...lines], body)
          expect([target, answer.status, JSON.parse(answer.body)]).toEqual([target, 404, notFound])
        }
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('that is not in the document is answered before the body is read', async () => {
    const { sandbox } = await openSandbox({ port: 0 })
    const lines = ['POST /api/nowhere HTTP/1.1', 'Host: localhost', 'content-type: application/json']
    // The request ends after the head.
    const { status } = await sendRaw(sandbox.url, [...lines, 'content-length: 1048576'])
    expect(status).toBe(404)
  })

  it('accepts no undocumented method, and changes nothing', async () => {
    const { sandbox } = await openSandbox({ port: 0, world: furnished })
    for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'PROPFIND'])
      for (const target of targets) {
        const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'x-api-key: acme-key']
        const { status, headers } = await sendRaw(sandbox.url, lines)
        expect({ target, status, assumed: headers['x-sandbox-assumed'] }).toEqual({
          ...{ target, status: 404, assumed: 'wrongMethod' },
        })
      }
    expect(await sandbox.world()).toEqual(furnished)
  })

  it.each(['TRACE', 'PATCH', 'QUERY', 'PROPFIND'])('answers %s on the control plane with 404', async (method) => {
    const { sandbox } = await openSandbox({ port: 0 })
    for (const body of ['', '{']) {
      const lines = ['content-type: application/json', `content-length: ${body.length}`]
      const answer = await sendRaw(
        sandbox.url,
        [`${method} /_sandbox/teams HTTP/1.1`, 'Host: localhost', ...lines],
        body,
      )
      expect([answer.status, JSON.parse(answer.body)]).toEqual([404, notFound])
    }
  })

  it('may have an id of any length, and a request may have an unknown Expect header', async () => {
    const { sandbox } = await openSandbox({ port: 0 })
    const ask = (target: string, ...lines: string[]) =>
      sendRaw(sandbox.url, [`${target} HTTP/1.1`, 'Host: localhost', 'x-api-key: acme-key', ...lines])
    expect((await ask(`DELETE /api/products/${'x'.repeat(8_000)}`)).status).toBe(404)
    expect((await ask('GET /', 'Expect: a-miracle')).status).toBe(200)
    const { status, body } = await ask('GET /api/contacts/%E0%A4%A')
    expect([status, body]).toEqual([400, '{"success":false,"message":"the path is not well formed"}'])
  })
})

describe('wrongMethod', () => {
  it.each([
    ['notFound', 404],
    ['badRequest', 400],
  ] as const)('=%s answers %i on every documented path', async (wrongMethod, status) => {
    const { sandbox } = await openSandbox({ world: furnished, assume: { wrongMethod } })
    for (const target of [...targets, '/api/p%72oducts']) {
      const answer = await sandbox.fetch(target, { method: 'PATCH', headers: { 'x-api-key': 'acme-key' } })
      expect([target, answer.status, await answer.json()]).toEqual([target, status, refusal])
      expect(answer.headers.get('x-sandbox-assumed')).toContain('wrongMethod')
    }
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('is not relied on for unknown paths, nor for those in another case', async () => {
    const { sandbox } = await openSandbox()
    const assumedAt = async (path: string) => (await sandbox.fetch(path)).headers.get('x-sandbox-assumed')
    for (const path of ['/api/nowhere', '/API/Contacts']) expect(await assumedAt(path)).toBe(null)
  })
})
