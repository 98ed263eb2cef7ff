import { describe, expect, it } from 'vitest'
import { openSandbox } from './harness.ts'
import { openSocket, sendRaw, untilClosed } from './raw.ts'

const tooMuch = 'x'.repeat(20_000)

describe('bytes that are not a valid request', () => {
  it.each([
    ['not HTTP', 'hello\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['another version', 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a space in the target', 'GET /api /contacts HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: localhost\r\nx-api-key: a\0b\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an invalid chunk', 'POST /api/contacts HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a huge header', `GET / HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${tooMuch}\r\n\r\n`],
    ['a huge target', `GET /${tooMuch} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ])('are answered 400, and the connection is closed: %s', async (_what, bytes) => {
    const { sandbox } = await openSandbox({ port: 0 })
    const socket = await openSocket(sandbox.url)
    const answer = untilClosed(socket)
    socket.write(bytes)
    const { status, headers, body } = await answer
    // The request before the invalid bytes may have been answered already.
    expect([400, 401]).toContain(status)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(body.split('HTTP/1.1')[0] ?? '')).toEqual({
      success: false,
      message: expect.any(String) as string,
    })
    expect((await fetch(`${sandbox.url}/`)).status).toBe(200)
  })
})

describe('an unusual request', () => {
  const ask = async (target: string, ...lines: string[]) => {
    const { sandbox } = await openSandbox({ port: 0 })
    return sendRaw(sandbox.url, [`${target} HTTP/1.1`, 'Host: localhost', 'x-api-key: acme-key', ...lines])
  }

  it('may have an unknown Expect header', async () => {
    expect((await ask('GET /', 'Expect: a-miracle')).status).toBe(200)
  })

  it.each(['PATCH /api/contacts', 'TRACE /', 'PROPFIND /', 'OPTIONS /api/contacts', 'HEAD /api/templates'])(
    'is answered 404 for a method that the path does not have: %s',
    async (target) => {
      expect((await ask(target)).status).toBe(404)
    },
  )

  it('may have an id of any length', async () => {
    expect((await ask(`DELETE /api/products/${'x'.repeat(8_000)}`)).status).toBe(404)
  })

  it.each(['/%', '/api/%ZZ', '/api/contacts/%E0%A4%A'])(
    'is answered 400 when its path cannot be decoded: %s',
    async (path) => {
      const { status, body } = await ask(`GET ${path}`)
      expect([status, body]).toEqual([400, '{"success":false,"message":"the path is not well formed"}'])
    },
  )
})
