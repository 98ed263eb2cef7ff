import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../mock/create-sandbox.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { examples, furnished, targetOf } from './requests.ts'
import { head, openSocket } from './raw-http.ts'
import { connect } from 'node:net'
import { openSandbox } from './helpers.ts'
import { longestWait } from '../longest-wait.ts'

let sandbox: Sandbox
beforeAll(async () => {
  const assume = {
    contactPhoneForm: 'checked',
    badPage: 'refused',
    largestLimit: 'refusedAboveHundred',
    unknownChannelFilter: 'refused',
    bracketedParameter: 'refused',
  } as const
  sandbox = await createSandbox({ world: furnished, port: 0, assume })
})

afterAll(() => sandbox.close())

const mebibyte = 1024 * 1024
const evil = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length))
const key = 'x-api-key: acme-key'
const methodOf = (id: OperationId) => operations[id].method.toUpperCase()

/** The bytes of a request, and the status of its answer. */
type Attack = [what: string, bytes: string | Buffer, status: number]

/** Replaces the body of the example. Fields are merged into it. */
function withBody(id: OperationId, what: string, body: unknown, status = 400): Attack {
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
  const text = isWhole ? body : JSON.stringify(Object.assign({}, examples[id].body, body))
  const headers = [key, 'content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]
  const bytes = Buffer.concat([Buffer.from(head(targetOf(id), methodOf(id), headers)), Buffer.from(text)])
  return [`${id}: ${what}`, bytes, status]
}

function withQuery(id: OperationId, what: string, query: string): Attack {
  const [path = ''] = targetOf(id).split('?')
  return [`${id}: ${what}`, head(`${path}?${query}`, methodOf(id), [key]), 400]
}

const wide = `{${Array.from({ length: 60_000 }, (_, at) => `"field${at}":0`).join(',')}}`

const bodies: Attack[] = [
  withBody('createContact', 'half a character', Buffer.from([0x7b, 0x22, 0xc3])),
  withBody('createContact', 'only escapes', `"${evil('\\"', mebibyte - 2)}`),
  withBody('createContact', 'opening brackets', evil('[', mebibyte)),
  withBody('createContact', 'a list of empty lists', `[${evil('[],', mebibyte - 10)}[]]`),
  withBody('createContact', 'a name that is an operator', { firstName: { $ne: null } }),
  withBody('createContact', 'an address with a header in it', { email: 'ada@example.com\r\nBcc: all@example.com' }),
  withBody('createContact', 'an address of many dots', { email: `a@${evil('a.', 500_000)}` }),
  withBody('createContact', 'an address of many @', { email: evil('@', 500_000) }),
  withBody('createContact', 'an address of many quotes', { email: `"${evil('\\"', 500_000)}` }),
  withBody('createContact', 'a phone number of many digits', { phone: `+${evil('1', 500_000)}` }),
  withBody('createContact', 'a phone number with a line end', { phone: '+14155550123\n' }),
  withBody('createContact', 'a status from Object.prototype', { status: 'constructor' }),
  withBody('createContact', 'groups that are not a list', { groupIds: { length: 1e9 } }),
  withBody('createProduct', 'an infinite price', '{"name":"a","unitPrice":1e999}'),
  withBody('createQuote', 'a deal from Object.prototype', { dealId: '__proto__' }, 404),
  withBody('findOrCreateConversation', '60,000 fields', wide),
  withBody('findOrCreateConversation', 'a field name of a million', `{"${evil('\\ud800', mebibyte - 100)}":1}`),
  withBody('sendBulkMessages', 'many malformed recipients', { to: evil('a,', 100_000) }),
]

const listed = 'page=1&limit=10&types=sms&statuses=approved'

const queries: Attack[] = [
  withQuery('listTemplates', 'an infinite page', listed.replace('page=1', `page=${'9'.repeat(400)}`)),
  withQuery('listTemplates', 'a page that is an operator', listed.replace('page=1', 'page[$gt]=0')),
  withQuery('listTemplates', 'a type from Object.prototype', listed.replace('sms', '__proto__')),
  withQuery('listTemplates', 'a thousand types', `${listed}${'&types=x'.repeat(1000)}`),
  withQuery('listTemplates', 'an invalid character', listed.replace('sms', '%ff')),
  withQuery('deleteContactsByEmail', 'an operator', 'email[$ne]=x'),
]

const product = JSON.stringify(examples.createProduct.body)
const create = (...headers: string[]) =>
  head('/api/products', 'POST', [...headers, 'content-type: application/json', `content-length: ${product.length}`]) +
  product
const read = (target: string, ...headers: string[]) => head(target, 'GET', [key, ...headers])

const heads: Attack[] = [
  ['a key twice', create(key, key), 401],
  ['a token of 15,000 dots', create(`authorization: Bearer ${'.'.repeat(15_000)}`), 401],
  ['a token of many spaces', create(`authorization: Bearer${' '.repeat(15_000)}x`), 401],
  ['another method in a header', read('/api/templates/x', 'x-http-method-override: DELETE'), 404],
  ['another path in a header', read('/api/nowhere', 'x-original-url: /_sandbox/reset'), 404],
  ['headers of 20,000 characters', read('/api/templates/x', `a: ${'a'.repeat(20_000)}`), 400],
  ['a path traversal', read('/api/templates/../../_sandbox/reset'), 404],
  ['an encoded path traversal', read('/api/templates/%2e%2e%2f%2e%2e%2f_sandbox'), 404],
  ['an encoded line end', read('/api/templates/x%0d%0aSet-Cookie:%20a=b'), 404],
  ['7,000 segments', read(`/api${'/a'.repeat(7_000)}`), 404],
  ['an id of the other team', read('/api/templates/66f0a1b2c3d4e5f601239999'), 404],
]

const start = `POST /api/products HTTP/1.1\r\nHost: localhost\r\n${key}\r\n`
const chunked = `${start}content-type: application/json\r\ntransfer-encoding: chunked\r\n`

const sockets: Attack[] = [
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['a tunnel', 'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n', 400],
  ['a URL for a path', create(key).replace('/api', 'http://localhost/api'), 400],
  ['a length and chunks', `${chunked}content-length: 2\r\n\r\n0\r\n\r\n`, 400],
  ['two lengths', `${start}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400],
  ['a length above the limit', `${start}content-type: application/json\r\ncontent-length: ${2 ** 31}\r\n\r\n{}`, 400],
  ['an unknown encoding', `${start}content-type: application/json\r\ntransfer-encoding: cow\r\n\r\n{}`, 400],
  ['an invalid chunk', `${chunked}\r\nzz\r\n`, 400],
  ['a chunk with a huge extension', `${chunked}\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, 400],
  ['a body without a length', `${start}Connection: close\r\n\r\n${product}`, 400],
  ['an upgrade', read('/api/templates/x', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'), 404],
]

describe.each([
  ['body', bodies],
  ['query', queries],
  ['head', heads],
  ['connection', sockets],
])('a hostile %s', (_place, attacks) => {
  // Work in quadratic time on such bytes takes longer.
  const timeout = longestWait
  it.each(attacks)('%s: is answered, and changes nothing', { timeout }, async (_what, bytes, status) => {
    const { head, body } = await attack(bytes)
    expect({ head, body: JSON.parse(body) as unknown }).toEqual({
      head: expect.stringMatching(`^HTTP/1.1 ${status} `) as string,
      body: { success: false, message: expect.any(String) as string },
    })
    expect(await sandbox.world()).toEqual(furnished)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

/** Sends the bytes, and returns the answer. */
async function attack(bytes: string | Buffer) {
  const socket = await openSocket(sandbox.url)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  await closed
  const text = Buffer.concat(chunks).toString()
  const [head = '', body = ''] = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '').split(/\r\n\r\n(.*)/s)
  // Malformed bytes after a request get a second answer.
  return { head, body: body.split('HTTP/1.1')[0] ?? '' }
}

describe('several requests on one connection', () => {
  const statusesAndProducts = async (bytes: string) => {
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
    expect(await statusesAndProducts(bytes)).toEqual({ statuses: [201, 404, 201, 401], products: 3 })
  })

  const badChunk = open.replace(/content-length: \d+\r\n\r\n[^]*/, 'transfer-encoding: chunked\r\n\r\nZZ\r\n')
  it.each([
    ['BREW / HTTP/1.1\r\n\r\n'],
    ['CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    [badChunk],
    [`GET / HTTP/1.1\r\nHost: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('are answered before an invalid one, and not processed after it: %j', async (invalid) => {
    expect(await statusesAndProducts(open + open + invalid + open)).toEqual({ statuses: [201, 201, 400], products: 3 })
  })

  it('are never read from the body of another request', async () => {
    const hidden = `content-length: ${open.length}\r\n\r\n${open}`
    expect(
      await statusesAndProducts(head('/api/templates/x', 'GET', [key, hidden.split('\r\n')[0] ?? '']) + open),
    ).toEqual({
      statuses: [404],
      products: 1,
    })
  })

  it('continue after a body that was not read', async () => {
    const refused = open.replace('acme-key', 'nobody')
    expect(await statusesAndProducts(refused + create(key))).toEqual({ statuses: [401, 201], products: 2 })
  })

  it('are refused without a valid credential before their body arrives', async () => {
    const announced = `POST /api/products HTTP/1.1\r\nHost: localhost\r\nx-api-key: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\nConnection: close\r\n\r\n`
    expect(await statusesAndProducts(announced)).toEqual({ statuses: [401], products: 1 })
  })

  it('may use Expect: 100-continue', async () => {
    expect(await statusesAndProducts(create(key, 'Expect: 100-continue'))).toEqual({
      statuses: [100, 201],
      products: 2,
    })
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
