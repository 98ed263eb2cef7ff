import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { SeenRequest } from '../../../mock/testing/control-client.ts'
import type { Sandbox } from '../../../mock/create-sandbox.ts'
import { openSandbox } from '../helpers.ts'
import { openSocket, sendRaw } from '../raw-http.ts'

const lastOf = async ({ requests }: Sandbox): Promise<SeenRequest | undefined> => (await requests.find({ last: 1 }))[0]

describe('a request that reaches no operation', () => {
  it.each([
    ['has a Host of another name', ['GET /api/contacts HTTP/1.1', 'Host: evil.example'], 400, { limit: 'host' }],
    ['has no Host', ['GET /api/contacts HTTP/1.1'], 400, { limit: 'host' }],
    ['is no HTTP', ['hello'], 400, { limit: 'wellFormed' }],
    ['asks for a tunnel', ['CONNECT example.com:443 HTTP/1.1', 'Host: localhost'], 400, { limit: 'wellFormed' }],
    ['has a path that cannot be decoded', ['GET /%zz HTTP/1.1', 'Host: localhost'], 400, { limit: 'wellFormed' }],
    [
      'asks for a path that there is not',
      ['GET /api/nothing HTTP/1.1', 'Host: localhost'],
      404,
      { promise: 'envelope.pathsAreFixed' },
    ],
    [
      'uses another method',
      ['PUT /api/messages/sendMessage HTTP/1.1', 'Host: localhost'],
      404,
      { assumption: 'wrongMethod' },
    ],
  ])('%s: it is in the journal with its reason, and its answer has its id', async (_what, lines, status, why) => {
    const { sandbox } = await openSandbox({ port: 0 })
    const answer = await sendRaw(sandbox.url, lines)
    const seen = await lastOf(sandbox)
    expect(answer.status).toBe(status)
    expect(answer.headers['x-sandbox-request']).toBe(seen?.id)
    expect(seen).toMatchObject({ status, refused: true, why, answered: { body: JSON.parse(answer.body) as unknown } })
  })

  it('is not one of the control plane or of the pages of the sandbox, which have an id all the same', async () => {
    const { sandbox } = await openSandbox({ port: 0 })
    for (const path of ['/_sandbox/health', '/_sandbox/nothing', '/openapi.json', '/docs']) {
      const answer = await fetch(new URL(path, sandbox.url), { redirect: 'manual' })
      expect(answer.headers.get('x-sandbox-request')).toMatch(/^[0-9a-f]{8}-\d+$/)
    }
    expect(await sandbox.requests.count()).toBe(0)
  })
})

describe('a request that is cut off', () => {
  const head = [
    'POST /api/products HTTP/1.1',
    'Host: localhost',
    'x-api-key: acme-key',
    'Content-Type: application/json',
  ]

  it('in its body is in the journal', async () => {
    const { sandbox } = await openSandbox({ port: 0 })
    const socket = await openSocket(sandbox.url)
    socket.write([...head, 'Expect: 100-continue', 'Content-Length: 100', '', '{"na'].join('\r\n'))
    await once(socket, 'data') // the server has read the head
    const cut = sandbox.requests.wait({ operation: 'createProduct', within: '30s' })
    socket.resetAndDestroy()
    expect(await cut).toMatchObject({ cutOff: true, team: 'acme', why: { limit: 'wellFormed' } })
  })

  it('while its operation works is not undone, and the next request is served', async () => {
    const { sandbox, call } = await openSandbox({ port: 0 })
    const gate = await sandbox.gates.add({ operation: 'createProduct' })
    const socket = await openSocket(sandbox.url)
    const product = '{"name":"Cog","unitPrice":1}'
    socket.write([...head, `Content-Length: ${product.length}`, '', product].join('\r\n'))
    await sandbox.gates.wait(gate.id, { wait: '30s' })
    socket.resetAndDestroy()
    const noted = sandbox.requests.wait({ operation: 'createProduct', within: '30s' })
    await sandbox.gates.release(gate.id)
    expect(await noted).toMatchObject({ status: 201, changed: 'product +1' })
    expect((await call('createProduct', { body: JSON.parse(product) as object })).status).toBe(201)
    expect((await sandbox.world()).teams[0]?.products).toHaveLength(2)
  })
})

describe('the id of a request', () => {
  it('equals the id that the client chose', async () => {
    const { sandbox } = await openSandbox()
    const answer = await sandbox.fetch('/api/products', { headers: { 'x-request-id': 'ours/1' } })
    expect(answer.headers.get('x-sandbox-request')).toBe('ours/1')
    expect(await sandbox.requests.get('ours/1')).toMatchObject({ id: 'ours/1', status: 404 })
  })

  it.each(['a b', 'x'.repeat(129), '\u001b', 'é'])('is a new one when the client chose %j', async (id) => {
    const { sandbox } = await openSandbox({ port: 0 })
    const answer = await sendRaw(sandbox.url, ['GET / HTTP/1.1', 'Host: localhost', `x-request-id: ${id}`])
    expect(answer.headers['x-sandbox-request']).toMatch(/^[0-9a-f]{8}-\d+$/)
  })

  it('repeats with a seed, from the start and after a reset', async () => {
    const ids = async () => {
      const { sandbox } = await openSandbox({ seed: 7 })
      const idOf = async () => (await sandbox.fetch('/api/products')).headers.get('x-sandbox-request')
      const before = [await idOf(), await idOf()]
      await sandbox.reset()
      return { before, after: [await idOf(), await idOf()] }
    }
    const [one, other] = [await ids(), await ids()]
    expect(one).toEqual(other)
    expect(one.after).toEqual(one.before)
  })
})
