import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { examples, furnished } from './asks.ts'
import { openSandbox } from './harness.ts'
import { head, openSocket } from './raw.ts'

const key = 'x-api-key: acme-key'
const product = JSON.stringify(examples.createProduct.body)
const create = (...headers: string[]) =>
  head('/api/products', 'POST', [...headers, 'content-type: application/json', `content-length: ${product.length}`]) +
  product

describe('several requests on one connection', () => {
  const told = async (bytes: string) => {
    const { sandbox } = await openSandbox({ world: furnished, port: 0 })
    const socket = await openSocket(sandbox.url)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(bytes)
    await closed
    const statuses = [
      ...Buffer.concat(chunks)
        .toString()
        .matchAll(/HTTP\/1\.1 (\d+) /g),
    ].map(([, status]) => Number(status))
    return { statuses, products: (await sandbox.world()).teams[0]?.products?.length }
  }
  const open = create(key).replace('Connection: close\r\n', '')

  it('are answered in order', async () => {
    const bytes =
      open + head('/api/nowhere', 'GET', []).replace('Connection: close\r\n', '') + open + create('x-api-key: x')
    expect(await told(bytes)).toEqual({ statuses: [201, 404, 201, 401], products: 3 })
  })

  const badChunk = open.replace(/content-length: \d+\r\n\r\n[^]*/, 'transfer-encoding: chunked\r\n\r\nZZ\r\n')
  it.each([
    ['BREW / HTTP/1.1\r\n\r\n'],
    ['CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    [badChunk],
    [`GET / HTTP/1.1\r\nHost: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('are answered before an invalid one, and not processed after it: %j', async (invalid) => {
    expect(await told(open + open + invalid + open)).toEqual({ statuses: [201, 201, 400], products: 3 })
  })

  it('are never read from the body of another request', async () => {
    const hidden = `content-length: ${open.length}\r\n\r\n${open}`
    expect(await told(head('/api/templates/x', 'GET', [key, hidden.split('\r\n')[0] ?? '']) + open)).toEqual({
      statuses: [404],
      products: 1,
    })
  })

  it('continue after a body that was not read', async () => {
    const refused = open.replace('acme-key', 'nobody')
    expect(await told(refused + create(key))).toEqual({ statuses: [401, 201], products: 2 })
  })

  it('are refused without a valid credential before their body arrives', async () => {
    const announced = `POST /api/products HTTP/1.1\r\nHost: localhost\r\nx-api-key: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\nConnection: close\r\n\r\n`
    expect(await told(announced)).toEqual({ statuses: [401], products: 1 })
  })

  it('may use Expect: 100-continue', async () => {
    expect(await told(create(key, 'Expect: 100-continue'))).toEqual({ statuses: [100, 201], products: 2 })
  })
})

it.each(['CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 'BREW / HTTP/1.1\r\n\r\n'])(
  'closes the socket after its answer to %j, even if the client keeps its side open',
  async (bytes) => {
    const { sandbox } = await openSandbox({ port: 0 })
    const { hostname, port } = new URL(sandbox.url)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.on('error', () => undefined)
    const ended = new Promise((resolve) => socket.once('end', resolve))
    socket.write(bytes)
    socket.resume()
    await ended
    await sandbox.close() // waits for every socket
    socket.destroy()
  },
)
