import type { OperationId } from '../../spec/operations.ts'
import { targetOf } from './asks.ts'
import { type Attack, head, methodOf, json, product, create, key } from './raw-requests.ts'

type QueryRow = [id: OperationId, what: string, query: string, status?: number]

const listed = 'page=1&limit=10&types=sms&statuses=approved'

export const queries: QueryRow[] = [
  ['listTemplates', 'nothing', ''],
  ['listTemplates', 'no types', 'page=1&limit=10&statuses=approved'],
  ['listTemplates', 'page zero', listed.replace('page=1', 'page=0')],
  ['listTemplates', 'a negative page', listed.replace('page=1', 'page=-1')],
  ['listTemplates', 'half a page', listed.replace('page=1', 'page=1.5')],
  ['listTemplates', 'a page in hexadecimal', listed.replace('page=1', 'page=0x1')],
  ['listTemplates', 'a page with an exponent', listed.replace('page=1', 'page=1e3')],
  ['listTemplates', 'a page that is NaN', listed.replace('page=1', 'page=NaN')],
  ['listTemplates', 'an infinite page', listed.replace('page=1', `page=${'9'.repeat(400)}`)],
  ['listTemplates', 'two pages', `${listed}&page=2`],
  ['listTemplates', 'a page in brackets', listed.replace('page=1', 'page[]=1')],
  ['listTemplates', 'a page that is an operator', listed.replace('page=1', 'page[$gt]=0')],
  ['listTemplates', 'an empty page', listed.replace('page=1', 'page=')],
  ['listTemplates', 'a space for a page', listed.replace('page=1', 'page=%20')],
  ['listTemplates', 'a page in full-width digits', listed.replace('page=1', `page=${encodeURIComponent('１')}`)],
  ['listTemplates', 'a limit above the largest', listed.replace('limit=10', 'limit=101')],
  ['listTemplates', 'an enormous limit', listed.replace('limit=10', 'limit=999999999999999')],
  ['listTemplates', 'an unknown type', listed.replace('sms', 'pigeon')],
  ['listTemplates', 'a type from Object.prototype', listed.replace('sms', '__proto__')],
  ['listTemplates', 'a type in an object', listed.replace('types=sms', 'types[0]=sms')],
  ['listTemplates', 'a thousand types', `${listed}${'&types=x'.repeat(1000)}`],
  ['listTemplates', 'a thousand commas', listed.replace('sms', ','.repeat(1000))],
  ['listTemplates', 'an empty status', listed.replace('approved', '')],
  ['listTemplates', 'an invalid character', listed.replace('sms', '%ff')],
  ['listMessages', 'an unknown channel', 'channel=pigeon'],
  ['listMessages', 'a channel from Object.prototype', 'channel=constructor'],
  ['listMessages', 'two channels', 'channel=sms&channel=email'],
  ['listMessages', 'a negative limit', 'limit=-10'],
  ['deleteContactsByEmail', 'nothing', ''],
  ['deleteContactsByEmail', 'an empty address', 'email='],
  ['deleteContactsByEmail', 'two addresses', 'email=grace@example.com&email=ada@example.com'],
  ['deleteContactsByEmail', 'an operator', 'email[$ne]=x'],
  ['deleteContactsByEmail', 'an address under another name', 'Email=grace@example.com'],
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
  ['a key of 15,000 characters', create(`x-api-key: ${'a'.repeat(15_000)}`), 401],
  ['a key from Object.prototype', create('x-api-key: __proto__'), 401],
  ['a key from Map.prototype', create('x-api-key: size'), 401],
  ['a key with a tab in it', create('x-api-key: acme\tkey'), 401],
  ['a token of three dots', create('authorization: Bearer ...'), 401],
  ['a token of 15,000 dots', create(`authorization: Bearer ${'.'.repeat(15_000)}`), 401],
  ['a token of many spaces', create(`authorization: Bearer${' '.repeat(15_000)}x`), 401],
  ['a token with alg none', create('authorization: Bearer eyJhbGciOiJub25lIn0.e30.'), 401],
  ['a token with alg __proto__', create('authorization: Bearer eyJhbGciOiJfX3Byb3RvX18ifQ.e30.x'), 401],
  ['an Idempotency-Key of 256 characters', create(key, `idempotency-key: ${'a'.repeat(256)}`), 400],
  ['an empty Idempotency-Key', create(key, 'idempotency-key: '), 400],
  [
    'a content type of 15,000 characters',
    head('/api/products', 'POST', [key, `content-type: ${'a'.repeat(15_000)}`, 'content-length: 2']) + '{}',
    400,
  ],
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
    'two content types',
    head('/api/products', 'POST', [key, 'content-type: text/plain', ...json, `content-length: ${product.length}`]) +
      product,
    400,
  ],
  [
    'a form without a boundary',
    head('/api/templates', 'POST', [key, 'content-type: multipart/form-data', 'content-length: 2']) + '{}',
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
  ['a double-encoded path traversal', '/api/templates/%252e%252e%252f', 404],
  ['a Windows path traversal', '/api/templates/..%5c..%5cboot.ini', 404],
  ['a file', '/etc/passwd', 404],
  ['two slashes', '//api/templates/x', 404],
  ['a slash at the end', '/api/templates/x/', 404],
  ['an encoded NUL', '/api/templates/x%00.json', 404],
  ['an encoded line end', '/api/templates/x%0d%0aSet-Cookie:%20a=b', 404],
  ['an overlong encoding', '/api/templates/%c0%ae', 400],
  ['half an escape', '/api/templates/%4', 400],
  ['an empty escape', '/api/templates/%%', 400],
  ['half a character', '/api/templates/%e2%82', 400],
  ['an encoded surrogate', '/api/templates/%ed%a0%80', 400],
  ['__proto__', '/api/templates/__proto__', 404],
  ['hasOwnProperty', '/api/templates/hasOwnProperty', 404],
  ['an operator', '/api/templates/[$ne]', 404],
  ['SQL', "/api/templates/1'%20OR%20'1'='1", 404],
  ['a script', '/api/templates/%3Cscript%3Ealert(1)%3C/script%3E', 404],
  ['15,000 characters', `/api/templates/${'a'.repeat(15_000)}`, 404],
  ['5,000 escapes', `/api/templates/${'%41'.repeat(5_000)}`, 404],
  ['7,000 segments', `/api${'/a'.repeat(7_000)}`, 404],
  ['15,000 slashes', `/api${'/'.repeat(15_000)}`, 404],
  ['an id of the other team', '/api/templates/66f0a1b2c3d4e5f601239999', 404],
  ['an id that is one character too long', '/api/templates/66f0a1b2c3d4e5f6012360011', 404],
  ['an id in capitals', '/api/templates/66F0A1B2C3D4E5F601236001', 404],
  ['a matrix parameter', '/api/templates/66f0a1b2c3d4e5f601236001;admin=true', 404],
]

const start = 'POST /api/products HTTP/1.1\r\nHost: localhost\r\nx-api-key: acme-key\r\n'

export const refused = 'GET /api/templates?page=x HTTP/1.1\r\nHost: localhost\r\nx-api-key: acme-key\r\n'

const chunked = `${start}content-type: application/json\r\ntransfer-encoding: chunked\r\n`

export const sockets: [what: string, bytes: string, status: number][] = [
  ['text', 'hello\r\n\r\n', 400],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['an unknown version', 'GET / HTTP/1.9\r\nHost: localhost\r\n\r\n', 400],
  ['an unknown method', create(key).replace('POST', 'BREW'), 400],
  ['a method in lower case', create(key).replace('POST', 'post'), 400],
  ['a tunnel', 'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n', 400],
  ['a URL for a path', create(key).replace('/api', 'http://localhost/api'), 400],
  ['a path with a #', create(key).replace('/api/products', '/api/products#x'), 400],
  ['an asterisk for a path', create(key).replace('/api/products', '*'), 400],
  ['a path with a space', create(key).replace('/api/products', '/api/pro ducts'), 400],
  ['no Host', create(key).replace('Host: localhost\r\n', ''), 400],
  ['a foreign Host', create(key).replace('Host: localhost', 'Host: evil.test'), 400],
  ['line ends without CR', create(key).replaceAll('\r\n', '\n'), 400],
  ['a header without a name', `${start}: x\r\n\r\n`, 400],
  ['a header with a space in its name', `${start}x y: z\r\n\r\n`, 400],
  ['a space before a colon', `${start}content-length : 2\r\n\r\n{}`, 400],
  ['a folded header', `${start}x: y\r\n z\r\n\r\n`, 400],
  ['a NUL in a header', `${start}x: \0\r\n\r\n`, 400],
  ['a length and chunks', `${chunked}content-length: 2\r\n\r\n0\r\n\r\n`, 400],
  ['chunks and a length', `${start}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['two lengths', `${start}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400],
  ['a negative length', `${start}content-length: -1\r\n\r\n`, 400],
  ['a length with a sign', `${start}content-length: +2\r\n\r\n{}`, 400],
  ['a length in hexadecimal', `${start}content-length: 0x2\r\n\r\n{}`, 400],
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
