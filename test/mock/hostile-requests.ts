import { operations, type OperationId } from '../../spec/operations.ts'
import { examples, targetOf } from './asks.ts'

export const mebibyte = 1024 * 1024

export const evil = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length))

/** The bytes of a request, and the status of its answer. */
export interface Attack {
  readonly what: string
  readonly bytes: string | Buffer
  readonly status: number
}

export const head = (target: string, method: string, headers: readonly string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n')

export const methodOf = (id: OperationId) => operations[id].method.toUpperCase()

export const json = ['content-type: application/json']

export const product = JSON.stringify(examples.createProduct.body)

export const create = (...headers: string[]) =>
  head('/api/products', 'POST', [...headers, ...json, `content-length: ${product.length}`]) + product

export const key = 'x-api-key: acme-key'

type BodyRow = [id: OperationId, what: string, body: unknown, status?: number]

/** Replaces the body of the example. Fields are merged into it. */
export function bodyAttack([id, what, body, status = 400]: BodyRow): Attack {
  const text =
    typeof body === 'string' || Buffer.isBuffer(body)
      ? body
      : JSON.stringify(Object.assign({}, examples[id].body, body))
  const length = Buffer.byteLength(text)
  const headers = ['x-api-key: acme-key', 'content-type: application/json', `content-length: ${length}`]
  const bytes = Buffer.concat([Buffer.from(head(targetOf(id), methodOf(id), headers)), Buffer.from(text)])
  return { what: `${id}: ${what}`, bytes, status }
}

const wide = `{${Array.from({ length: 60_000 }, (_, at) => `"field${at}":0`).join(',')}}`

const longNames = (letters: string) => `{"${evil(letters, mebibyte - 100)}":1}`

export const bodies: BodyRow[] = [
  ['createContact', 'half a character', Buffer.from([0x7b, 0x22, 0xc3])],
  ['createContact', 'UTF-16', Buffer.from('{"firstName":"Ada"}', 'utf16le')],
  ['createContact', 'only quotes', evil('"', mebibyte)],
  ['createContact', 'only escapes', `"${evil('\\"', mebibyte - 2)}`],
  ['createContact', 'a string that does not end', `{"firstName":"${evil('\\\\', mebibyte - 20)}`],
  ['createContact', 'opening brackets', evil('[', mebibyte)],
  ['createContact', 'a long list', `[${evil('0,', mebibyte - 10)}0]`],
  ['createContact', 'a list of empty lists', `[${evil('[],', mebibyte - 10)}[]]`],
  ['createContact', 'a long number', evil('9', mebibyte)],
  ['createContact', 'a name that is an operator', { firstName: { $ne: null } }],
  ['createContact', 'an address that is an operator', { email: { $gt: '' } }],
  ['createContact', 'two addresses in one', { email: 'ada@example.com,grace@example.com' }],
  ['createContact', 'an address with a header in it', { email: 'ada@example.com\r\nBcc: all@example.com' }],
  ['createContact', 'an address of many characters', { email: `${evil('a', 500_000)}@` }],
  ['createContact', 'an address of many dots', { email: `a@${evil('a.', 500_000)}` }],
  ['createContact', 'an address of many @', { email: evil('@', 500_000) }],
  ['createContact', 'an address of many quotes', { email: `"${evil('\\"', 500_000)}` }],
  ['createContact', 'an address of many dashes', { email: `a@${evil('a-', 500_000)}.com` }],
  ['createContact', 'a phone number of many digits', { phone: `+${evil('1', 500_000)}` }],
  ['createContact', 'a phone number in full-width digits', { phone: '+１４１５５５５０１２３' }],
  ['createContact', 'a phone number with a line end', { phone: '+14155550123\n' }],
  ['createContact', 'a status from Object.prototype', { status: 'constructor' }],
  ['createContact', 'groups that are not a list', { groupIds: { length: 1e9 } }],
  ['createCompany', 'infinite revenue', '{"name":"a","annualRevenue":1e400}'],
  ['createProduct', 'an infinite price', '{"name":"a","unitPrice":1e999}'],
  ['createProduct', 'a negative infinite price', '{"name":"a","unitPrice":-1e999}'],
  ['createQuote', 'a deal that is an operator', { dealId: { $exists: true } }],
  ['createQuote', 'a deal from Object.prototype', { dealId: '__proto__' }, 404],
  ['findOrCreateConversation', '60,000 fields', wide],
  ['findOrCreateConversation', 'a field name of a million characters', longNames('x')],
  ['findOrCreateConversation', 'a field name of a million quotes', longNames('\\"')],
  ['findOrCreateConversation', 'a field name of half a million surrogates', longNames('\\ud800')],
  ['createContactWithConversation', '60,000 fields', wide],
  ['sendLiveMessage', 'an attachment with an unlisted field', { attachments: [{ path: '/etc/passwd' }] }],
  ['sendEmailMessage', 'an address with a header in it', { to: 'ada@example.com\nBcc: all@example.com' }],
  ['sendBulkMessages', 'only commas as recipients', { to: evil(',', 100_000) }],
  ['sendBulkMessages', 'many malformed recipients', { to: evil('a,', 100_000) }],
  ['createTemplate', 'a type from Object.prototype', { templateType: '__proto__' }],
]

type QueryRow = [id: OperationId, what: string, query: string, status?: number]

const listed = 'page=1&limit=10&types=sms&statuses=approved'

export const queries: QueryRow[] = [
  ['listTemplates', 'a page that is NaN', listed.replace('page=1', 'page=NaN')],
  ['listTemplates', 'an infinite page', listed.replace('page=1', `page=${'9'.repeat(400)}`)],
  ['listTemplates', 'a page that is an operator', listed.replace('page=1', 'page[$gt]=0')],
  ['listTemplates', 'a page in full-width digits', listed.replace('page=1', `page=${encodeURIComponent('１')}`)],
  ['listTemplates', 'a type from Object.prototype', listed.replace('sms', '__proto__')],
  ['listTemplates', 'a type in an object', listed.replace('types=sms', 'types[0]=sms')],
  ['listTemplates', 'a thousand types', `${listed}${'&types=x'.repeat(1000)}`],
  ['listTemplates', 'an invalid character', listed.replace('sms', '%ff')],
  ['listMessages', 'a channel from Object.prototype', 'channel=constructor'],
  ['deleteContactsByEmail', 'two addresses', 'email=grace@example.com&email=ada@example.com'],
  ['deleteContactsByEmail', 'an operator', 'email[$ne]=x'],
]

export function queryAttack([id, what, query, status = 400]: QueryRow): Attack {
  const [path = ''] = targetOf(id).split('?')
  return { what: `${id}: ${what}`, bytes: head(`${path}?${query}`, methodOf(id), ['x-api-key: acme-key']), status }
}

export const headers: [what: string, bytes: string, status: number][] = [
  ['a key twice', create(key, key), 401],
  ['a key and that of another team', create(key, 'x-api-key: globex-key'), 401],
  [
    'a key of every character',
    create(`x-api-key: ${Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('')}`),
    401,
  ],
  ['a token of 15,000 dots', create(`authorization: Bearer ${'.'.repeat(15_000)}`), 401],
  ['a token of many spaces', create(`authorization: Bearer${' '.repeat(15_000)}x`), 401],
  ['an empty Idempotency-Key', create(key, 'idempotency-key: '), 400],
  [
    'a content type of many parameters',
    head('/api/products', 'POST', [key, `content-type: application/json${';a=b'.repeat(3_000)}`, 'content-length: 2']) +
      '{}',
    400,
  ],
  [
    'a content type of many spaces',
    head('/api/products', 'POST', [key, `content-type: application/json;${' '.repeat(15_000)}x`, 'content-length: 2']) +
      '{}',
    400,
  ],
  [
    'a Content-Encoding',
    head('/api/products', 'POST', [key, ...json, 'content-encoding: gzip', 'content-length: 3']) + '\x1f\x8b\x08',
    400,
  ],
  ['another method in a header', head('/api/templates/x', 'GET', [key, 'x-http-method-override: DELETE']), 404],
  [
    'another path in a header',
    head('/api/nowhere', 'GET', [key, 'x-original-url: /api/templates', 'x-rewrite-url: /_sandbox/reset']),
    404,
  ],
  [
    'two thousand headers',
    head('/api/templates/x', 'GET', [key, ...Array.from({ length: 1_900 }, (_, at) => `a${at}: 1`)]),
    404,
  ],
  ['headers of 20,000 characters', head('/api/templates/x', 'GET', [key, `a: ${'a'.repeat(20_000)}`]), 400],
]

export const paths: [what: string, target: string, status: number][] = [
  ['a path traversal', '/api/templates/../../_sandbox/reset', 404],
  ['an encoded path traversal', '/api/templates/%2e%2e%2f%2e%2e%2f_sandbox', 404],
  ['a file', '/etc/passwd', 404],
  ['an encoded NUL', '/api/templates/x%00.json', 404],
  ['an encoded line end', '/api/templates/x%0d%0aSet-Cookie:%20a=b', 404],
  ['an operator', '/api/templates/[$ne]', 404],
  ['15,000 characters', `/api/templates/${'a'.repeat(15_000)}`, 404],
  ['7,000 segments', `/api${'/a'.repeat(7_000)}`, 404],
  ['15,000 slashes', `/api${'/'.repeat(15_000)}`, 404],
  ['an id of the other team', '/api/templates/66f0a1b2c3d4e5f601239999', 404],
  ['a matrix parameter', '/api/templates/66f0a1b2c3d4e5f601236001;admin=true', 404],
]

const start = 'POST /api/products HTTP/1.1\r\nHost: localhost\r\nx-api-key: acme-key\r\n'

export const refused = 'GET /api/templates?page=x HTTP/1.1\r\nHost: localhost\r\nx-api-key: acme-key\r\n'

const chunked = `${start}content-type: application/json\r\ntransfer-encoding: chunked\r\n`

export const sockets: [what: string, bytes: string, status: number][] = [
  ['text', 'hello\r\n\r\n', 400],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['an unknown method', create(key).replace('POST', 'BREW'), 400],
  ['a tunnel', 'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n', 400],
  ['a URL for a path', create(key).replace('/api', 'http://localhost/api'), 400],
  ['a path with a #', create(key).replace('/api/products', '/api/products#x'), 400],
  ['an asterisk for a path', create(key).replace('/api/products', '*'), 400],
  ['a path with a space', create(key).replace('/api/products', '/api/pro ducts'), 400],
  ['line ends without CR', create(key).replaceAll('\r\n', '\n'), 400],
  ['a header without a name', `${start}: x\r\n\r\n`, 400],
  ['a header with a space in its name', `${start}x y: z\r\n\r\n`, 400],
  ['a folded header', `${start}x: y\r\n z\r\n\r\n`, 400],
  ['a NUL in a header', `${start}x: \0\r\n\r\n`, 400],
  ['a length and chunks', `${chunked}content-length: 2\r\n\r\n0\r\n\r\n`, 400],
  ['chunks and a length', `${start}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['two lengths', `${start}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400],
  ['a length with a sign', `${start}content-length: +2\r\n\r\n{}`, 400],
  ['an enormous length', `${start}content-length: ${'9'.repeat(30)}\r\n\r\n{}`, 400],
  ['a length above the limit', `${start}content-type: application/json\r\ncontent-length: ${2 ** 31}\r\n\r\n{}`, 400],
  ['an unknown encoding', `${start}content-type: application/json\r\ntransfer-encoding: cow\r\n\r\n{}`, 400],
  [
    'chunks and another encoding',
    `${start}content-type: application/json\r\ntransfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ['an invalid chunk', `${chunked}\r\nzz\r\n`, 400],
  ['an invalid chunk after a refused head', `${refused}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ['text after a refused head', `${refused}\r\nzz\r\n\r\n`, 400],
  ['a negative chunk length', `${chunked}\r\n-1\r\n`, 400],
  ['an enormous chunk length', `${chunked}\r\n${'f'.repeat(20)}\r\n`, 400],
  ['a chunk with a huge extension', `${chunked}\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, 400],
  ['a chunk that is longer than its length', `${chunked}\r\n2\r\n{}{}\r\n0\r\n\r\n`, 400],
  ['chunks of one byte', `${chunked}\r\n${'1\r\n[\r\n'.repeat(40)}0\r\nConnection: close\r\n\r\n`, 400],
  ['a body without a length', `${start}Connection: close\r\n\r\n${product}`, 400],
  ['an expectation and no credential', create('Expect: 100-continue'), 401],
  ['an upgrade', head('/api/templates/x', 'GET', [key, 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']), 404],
]
