import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Outgoing, type Transport, NoResponse } from '../../../contracts/client/transport.ts'
import { undiciTransport } from '../../../contracts/client/transport.ts'
import { pactumTransport } from '../../../contracts/pactum-transport.ts'
import { readAll } from './helpers.ts'
import { serverThat } from '../../for-one-test.ts'
import { longestWait } from '../../longest-wait.ts'

const transports: [name: string, create: (origin: string) => Transport][] = [
  ['undici', undiciTransport],
  ['pactum', () => pactumTransport()],
]

describe.each(transports)('The transport by %s', (_, create) => {
  /** A transport that is closed when the test is over. */
  function open(origin: string): Transport {
    const transport = create(origin)
    onTestFinished(() => transport.close())
    return transport
  }

  const get = (url: string, timeout = longestWait) => open(new URL(url).origin).send(requestTo(url), timeout)

  describe('sends', () => {
    it.each<[string, Partial<Outgoing>]>([
      ['a read', {}],
      ['a path and a query as they are', { url: "/a%2F..%2F'b?email=a%2Bb%40example.com&types=sms&types=email" }],
      ['headers', { headers: { accept: 'application/json', 'x-api-key': 'key', 'idempotency-key': '7' } }],
      ['JSON', { method: 'POST', ...bodyOf('{"name":"Größe"}', 'application/json') }],
      ['a text with placeholders of pactum', { method: 'PUT', ...bodyOf('$S{x} {{y}} $M{z}', 'text/plain') }],
      ['bytes', { method: 'POST', ...bodyOf(Buffer.from([0, 255, 13, 10, 0]), 'multipart/form-data; boundary=x') }],
      ['an empty body', { method: 'POST', headers: { 'content-type': 'application/json' } }],
      ['a delete', { method: 'DELETE' }],
    ])('%s', async (_, change) => {
      const received: [IncomingMessage, Buffer][] = []
      const url = await serverThat((request, answer) => {
        void readAll(request).then((body) => {
          received.push([request, body])
          answer.end('{}')
        })
      })
      const request = { ...requestTo(''), ...change }
      await open(url).send({ ...request, url: `${url}${change.url ?? '/'}` }, longestWait)
      const [[message, body] = []] = received
      expect([message?.method, message?.url]).toEqual([request.method, change.url ?? '/'])
      expect(message?.headers).toMatchObject(request.headers)
      expect(body).toEqual(change.body ?? Buffer.alloc(0))
    })
  })

  it.each([
    ['unpacked', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(64 * 1024 * 1024))],
    ['as it comes', {}, Buffer.alloc(17 * 1024 * 1024)],
    ['of many values', {}, `[${'{},'.repeat(5_000_000)}{}]`, 'has more than 250,000 values'],
  ])('reads no more than 16 MiB of a response, %s', async (_, sent, body, how = 'is longer than 16 MiB') => {
    const url = await serverThat((_request, answer) => answer.writeHead(200, sent).end(body))
    await expect(get(url)).rejects.toMatchObject({ message: `the response ${how}`, how: 'none' })
  })

  describe('returns', () => {
    it.each([
      ['a success', 200, {}, '{"success":true}'],
      ['an empty answer', 204, {}, ''],
      ['a refusal', 422, { 'retry-after': '1' }, '{"message":"no"}'],
      ['letters of any script', 200, {}, '{"name":"Größe 大 😀"}'],
      ['a byte order mark', 200, {}, '\ufeff{}'],
      ['a header that is repeated', 200, { 'set-cookie': ['a=1', 'b=2'] }, ''],
      ['a header in capitals', 200, { 'CONTENT-TYPE': 'text/html' }, '<html>'],
    ])('%s', async (_, status, headers, text) => {
      const answer = await get(await serverThat((_, answer) => answer.writeHead(status, headers).end(text)))
      expect(answer).toMatchObject({ status, text })
      for (const [name, value] of Object.entries(headers)) expect(answer.headers[name.toLowerCase()]).toEqual(value)
    })

    it.each([
      ['GZIP', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ])('what was compressed as %s', async (encoding, compress) => {
      const bytes = compress('{"name":"Größe"}')
      const url = await serverThat((_, answer) => answer.setHeader('content-encoding', encoding).end(bytes))
      expect(await get(url)).toMatchObject({ status: 200, text: '{"name":"Größe"}' })
    })

    it.each([301, 307])('a redirect with %i, and does not follow it', async (status) => {
      let seen = 0
      const elsewhere = await serverThat((_, answer) => {
        seen++
        answer.end()
      })
      const url = await serverThat((_, answer) => answer.writeHead(status, { location: elsewhere }).end())
      expect(await get(url)).toMatchObject({ status, headers: { location: elsewhere } })
      expect(seen).toBe(0)
    })
  })

  describe('reports as unanswered', () => {
    it.each<[string, string | ((socket: Socket) => void), string, NoResponse['how']]>([
      ['a server that is not there', 'http://127.0.0.1:1', 'connect ECONNREFUSED 127.0.0.1:1', 'none'],
      ['one that hangs', () => undefined, tooSlow, 'none'],
      ['one that hangs after the headers', (socket) => socket.write(nine), tooSlow, 'none'],
      ['one that drips', drip, tooSlow, 'none'],
      ['one that closes the connection', (socket) => socket.end(), closed, 'lost'],
      ['one that closes it in the middle of the headers', (socket) => socket.end(ok), closed, 'lost'],
      ['one that closes it in the middle of the body', (socket) => socket.end(`${nine}{`), cut, 'cut'],
      ['one that closes it between two chunks', (socket) => socket.end(`${chunked}1\r\n{\r\n`), cut, 'cut'],
      ['one that does not speak HTTP', (socket) => socket.end('220 mail\r\n'), 'the response is not HTTP', 'none'],
    ])('%s', async (_, behaviour, message, how) => {
      const url = typeof behaviour === 'string' ? behaviour : await socketsThat(behaviour)
      const failure = await get(url, message === tooSlow ? 200 : longestWait).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(NoResponse)
      expect(failure).toMatchObject({ message, how })
    })
  })

  it.each([
    ['uses connections again', {}, 1, 4],
    ['closes each connection after a request with connection: close', { connection: 'close' }, 10, 10],
  ])('%s', async (_, headers, fewest, most) => {
    const sockets = new Set<unknown>()
    const url = await serverThat((request, answer) => {
      sockets.add(request.socket)
      answer.end('{}')
    })
    const transport = open(url)
    for (let i = 0; i < 10; i++) await transport.send({ ...requestTo(url), headers }, longestWait)
    expect(sockets.size).toBeGreaterThanOrEqual(fewest)
    expect(sockets.size).toBeLessThanOrEqual(most)
  })

  it('aborts one request and no other request of the process', async () => {
    const slow: ServerResponse[] = []
    const url = await serverThat((request, answer) => {
      if (request.url === '/slow') slow.push(answer)
      else if (request.url !== '/hangs') answer.end('{}')
    })
    const transport = open(url)
    const others = [
      transport.send(requestTo(`${url}/slow`), longestWait),
      open(url).send(requestTo(`${url}/slow`), longestWait),
      new Promise((resolve, reject) => http.get(`${url}/slow`, resolve).on('error', reject)),
    ]
    await expect.poll(() => slow).toHaveLength(others.length)
    await expect(transport.send(requestTo(`${url}/hangs`), 100)).rejects.toThrow('no response within 0.1 seconds')
    for (const answer of slow) answer.end('{}')
    expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual(others.map(() => 'fulfilled'))
    expect(await transport.send(requestTo(url), longestWait)).toMatchObject({ status: 200 })
  })
})

const requestTo = (url: string): Outgoing => ({ method: 'GET', url, headers: {} })

function bodyOf(content: string | Buffer, type: string) {
  return { body: Buffer.from(content as string), headers: { 'content-type': type } }
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

const nine = `${ok}content-length: 9\r\n\r\n`
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`

const tooSlow = 'no response within 0.2 seconds'
const closed = 'the connection was closed without a response (ECONNRESET)'
const cut = 'the response broke off'

function drip(socket: Socket): void {
  socket.write(`${ok}content-length: 1000\r\n\r\n`)
  const timer = setInterval(() => socket.write(' '), 20)
  socket.on('close', () => clearInterval(timer))
}

/** A server that does this with a connection once a request arrives. */
async function socketsThat(behave: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => behave(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
