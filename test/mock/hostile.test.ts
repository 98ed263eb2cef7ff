import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../mock/create-sandbox.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { examples, furnished, targetOf } from './asks.ts'
import { openSandbox } from './harness.ts'
import { openSocket } from './raw.ts'

/** How many times the CPU time of an ordinary request an answer may take. Time on the clock would count other processes. */
const longest = 20
/** One attempt within the limit is enough, because a garbage collection may fall into any of them. */
const attempts = 10

const mebibyte = 1024 * 1024
const evil = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length))

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ world: furnished, port: 0 })
})
afterAll(() => sandbox.close())

/** The bytes of a request, and the status of its answer. */
interface Attack {
  readonly what: string
  readonly bytes: string | Buffer
  readonly status: number
}

const head = (target: string, method: string, headers: readonly string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n')

const methodOf = (id: OperationId) => operations[id].method.toUpperCase()

type BodyRow = [id: OperationId, what: string, body: unknown, status?: number]

/** Replaces the body of the example. Fields are merged into it. */
function bodyAttack([id, what, body, status = 400]: BodyRow): Attack {
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

const bodies: BodyRow[] = [
  // Not JSON.
  ['createContact', 'half a character', Buffer.from([0x7b, 0x22, 0xc3])],
  ['createContact', 'UTF-16', Buffer.from('{"firstName":"Ada"}', 'utf16le')],
  ['createContact', 'compressed', Buffer.from('1f8b0800000000000003abaeb55202000000ffff', 'hex')],
  ['createContact', 'only quotes', evil('"', mebibyte)],
  ['createContact', 'only escapes', `"${evil('\\"', mebibyte - 2)}`],
  ['createContact', 'a string that does not end', `{"firstName":"${evil('\\\\', mebibyte - 20)}`],
  ['createContact', 'opening braces', evil('{', mebibyte)],
  ['createContact', 'opening brackets', evil('[', mebibyte)],
  ['createContact', 'objects in objects', evil('{"a":', mebibyte)],
  ['createContact', 'a long list', `[${evil('0,', mebibyte - 10)}0]`],
  ['createContact', 'a list of empty lists', `[${evil('[],', mebibyte - 10)}[]]`],
  ['createContact', 'a long number', evil('9', mebibyte)],
  ['createContact', 'spaces', evil(' ', mebibyte)],
  ['createContact', 'commas', `{${evil(',', mebibyte - 2)}}`],
  ['createContact', 'a form', 'firstName=Ada&lastName=Lovelace'],
  ['createContact', 'XML', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
  ['createContact', 'YAML', 'firstName: !!js/function "function(){}"'],
  ['createContact', '__proto__', '{"__proto__":{"polluted":true}}'],
  ['createContact', 'constructor.prototype', '{"constructor":{"prototype":{"polluted":true}}}'],
  // Wrong types.
  ['createContact', 'no names', { firstName: undefined, lastName: undefined }],
  ['createContact', 'a name that is null', { firstName: null }],
  ['createContact', 'a name that is a number', { firstName: 1 }],
  ['createContact', 'a name that is true', { firstName: true }],
  ['createContact', 'a name that is a list', { firstName: ['Ada'] }],
  ['createContact', 'a name that is an operator', { firstName: { $ne: null } }],
  ['createContact', 'an empty name', { firstName: '' }],
  ['createContact', 'an address that is an operator', { email: { $gt: '' } }],
  ['createContact', 'an address that is a list', { email: ['ada@example.com'] }],
  ['createContact', 'an address without a local part', { email: '@example.com' }],
  ['createContact', 'an address without a domain', { email: 'ada@' }],
  ['createContact', 'two addresses in one', { email: 'ada@example.com,grace@example.com' }],
  ['createContact', 'an address with a header in it', { email: 'ada@example.com\r\nBcc: all@example.com' }],
  ['createContact', 'an address with a NUL', { email: 'ada@example.com\0' }],
  ['createContact', 'an address of many characters', { email: `${evil('a', 500_000)}@` }],
  ['createContact', 'an address of many dots', { email: `a@${evil('a.', 500_000)}` }],
  ['createContact', 'an address of many @', { email: evil('@', 500_000) }],
  ['createContact', 'an address of many quotes', { email: `"${evil('\\"', 500_000)}` }],
  ['createContact', 'an address of many dashes', { email: `a@${evil('a-', 500_000)}.com` }],
  ['createContact', 'a phone number as text', { phone: 'call me' }],
  ['createContact', 'a phone number of many digits', { phone: `+${evil('1', 500_000)}` }],
  ['createContact', 'a phone number of many pluses', { phone: evil('+', 500_000) }],
  ['createContact', 'a phone number in full-width digits', { phone: '+１４１５５５５０１２３' }],
  ['createContact', 'a phone number with a line end', { phone: '+14155550123\n' }],
  ['createContact', 'an unknown status', { status: 'admin' }],
  ['createContact', 'a status from Object.prototype', { status: 'constructor' }],
  ['createContact', 'groups that are not a list', { groupIds: { length: 1e9 } }],
  ['createContact', 'groups that are numbers', { groupIds: [1] }],
  ['createContact', 'custom fields that are a list', { additionalFields: [1] }],
  ['createContact', 'custom fields that are text', { additionalFields: '{}' }],
  ['createContact', 'custom fields that are null', { additionalFields: null }],
  ['updateContact', 'a status that is a list', { status: ['open'] }],
  ['updateContact', 'a company that is a number', { company: 1 }],
  ['updateContact', 'an invalid address', { email: 'none' }],
  ['createOrUpdateContact', 'no last name', { lastName: undefined }],
  ['createOrUpdateContact', 'an invalid address', { email: 'ada' }],
  ['createOrUpdateContact', 'a status that is a number', { status: 1 }],
  ['createCompany', 'an empty name', { name: '' }],
  ['createCompany', 'a name that is an object', { name: {} }],
  ['createCompany', 'employees as text', { employeeCount: 'twelve' }],
  ['createCompany', 'infinite revenue', '{"name":"a","annualRevenue":1e400}'],
  ['createCompany', 'contacts that are a text', { contacts: 'all' }],
  ['createCompany', 'contacts that are objects', { contacts: [{ _id: '66f0a1b2c3d4e5f601234567' }] }],
  ['updateCompany', 'a name that is a list', { name: [] }],
  ['updateCompany', 'custom fields that are false', { additionalFields: false }],
  ['createProduct', 'no price', { unitPrice: undefined }],
  ['createProduct', 'a price as text', { unitPrice: '1200' }],
  ['createProduct', 'a price that is null', { unitPrice: null }],
  ['createProduct', 'an infinite price', '{"name":"a","unitPrice":1e999}'],
  ['createProduct', 'a negative infinite price', '{"name":"a","unitPrice":-1e999}'],
  ['createProduct', 'a price that is a list', { unitPrice: [1] }],
  ['createProduct', 'an unknown frequency', { billingFrequency: 'hourly' }],
  ['createProduct', 'a frequency from Object.prototype', { billingFrequency: '__proto__' }],
  ['updateProduct', 'a cost as text', { unitCost: 'much' }],
  ['updateProduct', 'a name that is a number', { name: 1 }],
  ['createDeal', 'no pipeline', { pipeline: undefined }],
  ['createDeal', 'a stage that is an object', { stage: {} }],
  ['createDeal', 'an amount as text', { amount: '1' }],
  ['createDeal', 'contacts in an object', { contacts: { 0: 'a' } }],
  ['updateDeal', 'a date that is a number', { closeDate: 20260630 }],
  ['updateDeal', 'a name that is null', { name: null }],
  ['createQuote', 'no deal', { dealId: undefined }],
  ['createQuote', 'a deal that is an operator', { dealId: { $exists: true } }],
  ['createQuote', 'an unknown deal', { dealId: '66f0a1b2c3d4e5f601239999' }, 404],
  ['createQuote', 'a deal from Object.prototype', { dealId: '__proto__' }, 404],
  ['updateQuote', 'an unknown status', { status: 'paid' }],
  ['updateQuote', 'an unknown signature', { signatureOption: 'in-blood' }],
  ['updateQuote', 'a payment as text', { acceptOnlinePayment: 'yes' }],
  ['updateQuote', 'an invalid date', { expirationDate: 'tomorrow' }],
  ['findOrCreateConversation', 'neither address', { email: undefined, phone: undefined }],
  ['findOrCreateConversation', 'an unlisted field', { admin: true }],
  ['findOrCreateConversation', '60,000 fields', wide],
  ['findOrCreateConversation', 'a field name of a million characters', longNames('x')],
  ['findOrCreateConversation', 'a field name of a million quotes', longNames('\\"')],
  ['findOrCreateConversation', 'a field name of half a million surrogates', longNames('\\ud800')],
  ['findOrCreateConversation', 'an address that is a list', { email: ['ada@example.com'] }],
  ['createContactWithConversation', 'a group that is a list', { groupId: ['66f0a1b2c3d4e5f60123aaaa'] }],
  ['createContactWithConversation', 'an unlisted field', { isAdmin: true }],
  ['createContactWithConversation', '60,000 fields', wide],
  ['createConversation', 'an unknown contact', { contactId: '66f0a1b2c3d4e5f601239999' }, 404],
  ['createConversation', 'a contact that is a number', { contactId: 1 }],
  ['createConversation', 'a contact from Object.prototype', { contactId: 'constructor' }, 404],
  ['createConversation', 'an unlisted field', { teamId: 'globex' }],
  ['sendLiveMessage', 'another channel', { channel: 'sms' }],
  ['sendLiveMessage', 'an unknown conversation', { conversationId: '66f0a1b2c3d4e5f601239999' }, 404],
  ['sendLiveMessage', 'content that is a list', { content: ['{{a}}'] }],
  ['sendLiveMessage', 'attachments that are text', { attachments: 'file:///etc/passwd' }],
  ['sendLiveMessage', 'an attachment with an unlisted field', { attachments: [{ path: '/etc/passwd' }] }],
  ['sendLiveMessage', 'an attachment of another type', { attachments: [{ mediaType: 'executable' }] }],
  ['sendLiveMessage', 'an unlisted field', { from: 'somebody else' }],
  ['sendLiveMessage', 'no recipient', { conversationId: undefined }],
  ['sendEmailMessage', 'no subject', { subject: undefined }],
  ['sendEmailMessage', 'an address with a header in it', { to: 'ada@example.com\nBcc: all@example.com' }],
  ['sendEmailMessage', 'recipients that are a text', { recipientIds: 'all' }],
  ['sendEmailMessage', 'unknown recipients', { recipientIds: ['66f0a1b2c3d4e5f601239999'] }, 404],
  ['sendEmailMessage', 'an unknown provider', { providerId: 'nobody' }],
  ['sendEmailMessage', 'a provider from Object.prototype', { providerId: '__proto__' }],
  ['sendMessage', 'another channel', { channel: 'pigeon' }],
  ['sendMessage', 'a channel from Object.prototype', { channel: 'toString' }],
  ['sendMessage', 'an invalid number', { to: '12' }],
  ['sendMessage', 'a provider that is an object', { providerId: {} }],
  ['sendMessage', 'parameters that are an object', { channel: 'whatsapp', bodyParameters: {} }],
  [
    'sendMessage',
    'an unknown template',
    { channel: 'whatsapp', providerId: 'whatsapp-provider', templateId: 'x' },
    404,
  ],
  ['sendBulkMessages', 'no recipient', { to: '' }],
  ['sendBulkMessages', 'only commas as recipients', { to: evil(',', 100_000) }],
  ['sendBulkMessages', 'many malformed recipients', { to: evil('a,', 100_000) }],
  ['sendBulkMessages', 'recipients in a list', { to: ['ada@example.com'] }],
  ['sendBulkMessages', 'no subject', { subject: undefined }],
  ['sendBulkMessages', 'an unknown schedule', { scheduleType: 'yesterday' }],
  [
    'sendBulkMessages',
    'an unknown day',
    { scheduleType: 'scheduled', scheduleTime: { date: '2026-02-31', time: '10:00' } },
  ],
  [
    'sendBulkMessages',
    'an unknown hour',
    { scheduleType: 'scheduled', scheduleTime: { date: '2026-02-01', time: '25:61' } },
  ],
  [
    'sendBulkMessages',
    'a time with an unlisted field',
    { scheduleType: 'scheduled', scheduleTime: { zone: '../../etc' } },
  ],
  ['createTemplate', 'an unknown type', { templateType: 'pigeon' }],
  ['createTemplate', 'a type from Object.prototype', { templateType: '__proto__' }],
  ['createTemplate', 'a type that is a list', { templateType: ['sms'] }],
  ['createTemplate', 'no type', { templateType: undefined }],
  ['createTemplate', 'a name that is taken', { uniqueName: 'way-to-the-mill' }],
  ['createTemplate', 'variables that are a text', { variables: 'contact.firstName' }],
  ['createTemplate', 'a provider of another channel', { provider: 'email-provider' }],
  ['updateTemplate', 'another type', { templateType: 'email' }],
  ['updateTemplate', 'no type', { templateType: undefined }],
  ['updateTemplate', 'content that is a number', { content: 1 }],
]

type QueryRow = [id: OperationId, what: string, query: string, status?: number]

const listed = 'page=1&limit=10&types=sms&statuses=approved'

const queries: QueryRow[] = [
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

function queryAttack([id, what, query, status = 400]: QueryRow): Attack {
  const [path = ''] = targetOf(id).split('?')
  return { what: `${id}: ${what}`, bytes: head(`${path}?${query}`, methodOf(id), ['x-api-key: acme-key']), status }
}

const json = ['content-type: application/json']
const product = JSON.stringify(examples.createProduct.body)
const create = (...headers: string[]) =>
  head('/api/products', 'POST', [...headers, ...json, `content-length: ${product.length}`]) + product
const key = 'x-api-key: acme-key'

const headers: [what: string, bytes: string, status: number][] = [
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

const paths: [what: string, target: string, status: number][] = [
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
const refused = 'GET /api/templates?page=x HTTP/1.1\r\nHost: localhost\r\nx-api-key: acme-key\r\n'
const chunked = `${start}content-type: application/json\r\ntransfer-encoding: chunked\r\n`

const sockets: [what: string, bytes: string, status: number][] = [
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
  ['two Hosts', create(key).replace('Host: localhost', 'Host: localhost\r\nHost: evil.test'), 400],
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

const asAttack = ([what, bytes, status]: [string, string, number]): Attack => ({ what, bytes, status })

const doors: [door: string, attacks: Attack[]][] = [
  ['body', bodies.map(bodyAttack)],
  ['query', queries.map(queryAttack)],
  ['header', headers.map(asAttack)],
  ['path', paths.map(([what, target, status]) => ({ what, bytes: head(target, 'GET', [key]), status }))],
  ['connection', sockets.map(asAttack)],
]

describe.each(doors)('a hostile %s', (_door, attacks) => {
  it.each(attacks)('$what: is answered $status with little work, and changes nothing', async ({ bytes, status }) => {
    const most = longest * (await ordinary())
    const answers: Awaited<ReturnType<typeof attack>>[] = []
    do answers.push(await attack(bytes))
    while ((answers.at(-1)?.work ?? 0) > most && answers.length < attempts)
    for (const { head, body } of answers) {
      expect({ head, body: JSON.parse(body) as unknown }).toEqual({
        head: expect.stringMatching(`^HTTP/1.1 ${status} `) as string,
        body: { success: false, message: expect.any(String) as string },
      })
    }
    expect(Math.min(...answers.map(({ work }) => work))).toBeLessThan(most)
    expect(await sandbox.world()).toEqual(furnished)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

it('tests more than 250 inputs', () => {
  expect(doors.flatMap(([, attacks]) => attacks).length).toBeGreaterThan(250)
})

describe('text that only looks hostile', () => {
  const texts = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE contacts; --",
    '{{constructor.constructor("return process")()}}',
    '${process.env}',
    '#{7*7}',
    '%00%0d%0a',
    '../../../etc/passwd',
    '\u0000\u0001\u001f\u007f',
    '\u202eevil\u202c',
    '\ud800',
    '\ufeff',
    '__proto__',
    'constructor',
    'null',
    'a'.repeat(256 * 1024),
    '\u0301'.repeat(10_000),
    '{{'.repeat(32 * 1024),
    '{"a":1}',
    '=cmd|"/c calc"!A1',
  ]

  it.each(texts.map((text) => [JSON.stringify(text.slice(0, 40)), text]))(
    'is stored and shown unchanged: %s',
    async (_, text) => {
      const { call } = await openSandbox()
      const { body } = await call('createProduct', { body: { name: text, unitPrice: 1, [text.slice(0, 100)]: text } })
      if (text === '__proto__') expect(body).toMatchObject({ success: false })
      else expect(body.data).toMatchObject({ name: text, [text.slice(0, 100)]: text })
    },
  )
})

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

  it('are not processed after an invalid one', async () => {
    const { statuses, products } = await told(`${open}BREW / HTTP/1.1\r\n\r\n${open}`)
    expect([statuses.at(-1), products]).toEqual([400, 2])
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

let measured: number | undefined

/** The CPU time of an ordinary request of the largest size. */
async function ordinary(): Promise<number> {
  if (measured !== undefined) return measured
  const words = `{"words":[${evil('"word",', mebibyte - 100)}""]}`
  const { bytes } = bodyAttack(['createContact', 'a list of words', words])
  const times: number[] = []
  while (times.length < attempts) times.push((await attack(bytes)).work)
  return (measured = Math.min(...times))
}

/** Sends the bytes: the answer, and its CPU time in microseconds. */
async function attack(bytes: string | Buffer) {
  const socket = await openSocket(sandbox.url)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const before = process.cpuUsage()
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  await closed
  const { user, system } = process.cpuUsage(before)
  const text = Buffer.concat(chunks).toString()
  const [head = '', body = ''] = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '').split(/\r\n\r\n(.*)/s)
  return { head, body, work: user + system }
}
