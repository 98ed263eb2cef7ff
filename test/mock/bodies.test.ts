import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { operations, type OperationId } from '../../spec/operations.ts'
import { examples, furnished, withBody } from './requests.ts'
import { openFurnished } from './requests.ts'
import { openSandbox } from './helpers.ts'
import { sendRaw } from './raw-http.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { postAs } from '../for-one-test.ts'

const engine = { name: 'Difference engine', unitPrice: 1200 }
const sms = { channel: 'sms', content: 'Hello', providerId: 'sms-provider' }
const refusal = { success: false, message: expect.any(String) as string }

const accepted = [
  'application/json',
  'Application/JSON',
  'application/json;',
  'application/json;charset=utf-8',
  'application/json ; charset="utf-8"',
  'application/json; charset=utf8',
]

const refused = [
  'application/json; charset=utf-16',
  'application/json; charset=utf-8; charset=utf-7',
  'application/json; boundary=x',
  'application/json, text/plain',
  'application/jsonx',
  'application/ld+json',
  'application/x-www-form-urlencoded',
  'application/*',
  'application',
  'text/json',
  'text/plain; application/json',
  'multipart/form-data',
  'multipart/mixed; boundary=x',
  '*/*',
  '@@@',
  'null',
  '',
]

const noObjects = ['', ' ', 'null', '1', '"text"', '[{}]', '{', '{}{}', '{"name":"Ada",}', "{'name':'Ada'}", '\0']

describe.each(withBody)('the body of %s', (id) => {
  const example = JSON.stringify(examples[id].body)

  it('is required to be a valid JSON object, whatever its content type', async () => {
    const { sandbox, call, send } = await openFurnished()
    const wrong = JSON.stringify(
      Object.fromEntries(Object.keys(examples[id].body ?? {}).map((field) => [field, [[0]]])),
    )
    for (const body of [wrong, 'name=Ada&unitPrice=1', ...noObjects])
      for (const type of ['application/json', 'text/plain']) {
        const { status, body: told } = await send(id, body, { 'content-type': type })
        expect({ type, body, status, told }).toEqual({ type, body, status: 400, told: refusal })
      }
    const none = await call(id, { ...examples[id], body: undefined })
    expect(none).toMatchObject({ status: 400, body: { message: /JSON body/ } })
    expect(none.assumed).not.toContain('missingContentType')
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('is refused under any other content type than JSON, even when it is valid', async () => {
    const { sandbox, send } = await openFurnished()
    for (const type of refused) {
      const { status, body } = await send(id, example, { 'content-type': type })
      expect({ type, status, body }).toMatchObject({ type, status: 400, body: { message: /Content-Type/ } })
    }
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('is accepted as JSON, in any spelling of the content type', async () => {
    const { sandbox, send } = await openFurnished()
    for (const type of accepted) {
      const { status } = await send(id, example, { 'content-type': type })
      expect(operations[id].successStatuses, type).toContain(status)
      await sandbox.reset()
    }
  })

  it('without a content type follows missingContentType', async () => {
    const { send, sandbox } = await openFurnished()
    const answer = await send(id, example)
    expect(answer).toMatchObject({ status: 400, body: { message: /Content-Type: application\/json/ } })
    expect(answer.assumed).toContain('missingContentType')
    expect(await sandbox.world()).toEqual(furnished)
    const { send: sendAsJson } = await openFurnished({ missingContentType: 'readAsJson' })
    expect(await sendAsJson(id, '{"name":[[]],"templateType":[],"status":1}')).toMatchObject({ status: 400 })
    const { status, assumed } = await sendAsJson(id, example)
    expect(operations[id].successStatuses).toContain(status)
    expect(assumed).toContain('missingContentType')
  })

  it('cannot be a form, unless it is a template', async () => {
    const form = (boundary: string) => {
      const fields = Object.entries({ templateType: 'whatsapp', content: 'Gone', language: 'en' })
      const parts = fields.map(
        ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      return `${parts.join('')}--${boundary}--\r\n`
    }
    const { send } = await openFurnished({ templateTypeChange: 'ignored' })
    for (const [type, boundary] of [
      ['multipart/form-data; boundary=x', 'x'],
      ['Multipart/Form-Data ; charset=utf-8;boundary=x', 'x'],
      ['multipart/form-data; boundary="a;b"', 'a;b'],
      ['multipart/form-data; boundary="a b"', 'a b'],
    ] as const) {
      const { status, body } = await send(id, form(boundary), { 'content-type': type })
      if (id === 'updateTemplate') expect(status).toBe(200)
      else if (id !== 'createTemplate') expect(body.message).toBe('Content-Type must be application/json')
    }
  })
})

describe('a JSON body', () => {
  const nested = (depth: number) =>
    `{"name":"Engine","unitPrice":1,"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  const product = async (body: string) => (await openFurnished()).sendJson('createProduct', body)

  it.each(['application/json', 'multipart/form-data; boundary=x'])('must not be compressed: %s', async (type) => {
    const { sandbox, send } = await openFurnished()
    const sendAs = (encoding: string) =>
      send('createTemplate', JSON.stringify(examples.createTemplate.body), {
        'content-type': type,
        'content-encoding': encoding,
      })
    for (const encoding of ['gzip', 'br', 'identity, gzip'])
      expect(await sendAs(encoding)).toMatchObject({
        status: 400,
        body: { message: 'a body must not be compressed; send it without Content-Encoding' },
      })
    expect(await sandbox.world()).toEqual(furnished)
    if (type === 'application/json') expect((await sendAs('identity')).status).toBe(201)
  })

  it('may be nested 32 levels deep, and brackets in strings do not count', async () => {
    expect((await product(nested(32))).status).toBe(201)
    expect((await product(JSON.stringify({ ...engine, sku: '\\"[{'.repeat(1000) }))).status).toBe(201)
  })

  it.each([33, 150_000])('is refused when nested %i levels deep', async (depth) => {
    const { sandbox, sendJson } = await openFurnished()
    expect(await sendJson('createProduct', nested(depth))).toMatchObject({
      status: 400,
      body: { message: 'the body must not be nested deeper than 32 levels' },
    })
    expect(await sandbox.world()).toEqual(furnished)
    expect((await sendJson('createProduct', JSON.stringify(engine))).status).toBe(201)
  })

  it('with a repeated field has the last value', async () => {
    const { body } = await product('{"name":"First","unitPrice":1,"name":"Last"}')
    expect(body.data.name).toBe('Last')
  })

  it('may begin with a byte order mark, and contain any character', async () => {
    const name = '機関 🚂 \u2028'
    expect((await product(`\uFEFF${JSON.stringify({ ...engine, name })}`)).body.data.name).toBe(name)
  })

  it('may be sent in chunks', async () => {
    const { sandbox } = await openSandbox({ port: 0 })
    const text = JSON.stringify(engine)
    const chunks = [text.slice(0, 9), text.slice(9)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
    const head = ['POST /api/products HTTP/1.1', 'Host: localhost', 'x-api-key: acme-key']
    const { status } = await sendRaw(
      sandbox.url,
      [...head, 'content-type: application/json', 'transfer-encoding: chunked'],
      `${chunks.join('')}0\r\n\r\n`,
    )
    expect(status).toBe(201)
  })

  const polluted = '{"polluted":true}'
  it.each([
    `{"__proto__":${polluted}}`,
    `{\n"__proto__"\r\n :\t${polluted}}`,
    `{"\\u005f_proto_\\u005F":${polluted}}`,
    '{"__proto__":null}',
    `{"__proto__":{},"__proto__":${polluted}}`,
    `{"a":{"b":{"c":[[{"__proto__":${polluted}}]]}}}`,
    `{ "constructor" : { "prototype" : ${polluted} } }`,
    `{"additionalFields":{"constructor":{"prototype":${polluted}}}}`,
    `{"constructor":{"name":"x","prototype":null}}`,
  ])('is refused when it reaches into prototypes: %s', async (body) => {
    const { sandbox, sendJson } = await openFurnished()
    for (const id of ['createContact', 'updateContact', 'createProduct', 'createOrUpdateContact'] as const) {
      const whole = body.replace('{', '{"firstName":"Ada","lastName":"Lovelace","unitPrice":1,')
      expect(await sendJson(id, whole)).toMatchObject({
        status: 400,
        body: { message: 'the body must not hold the keys __proto__ or constructor.prototype' },
      })
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('may have harmless fields of any name, which the response returns', async () => {
    const { sendJson } = await openFurnished({ unlistedFields: 'kept' })
    const odd = { constructor: 'x', prototype: 'y', toString: 'z', hasOwnProperty: 1, length: 2, then: 3, toJSON: 4 }
    const { status, body } = await sendJson('createProduct', JSON.stringify({ ...engine, ...odd }))
    expect([status, body.data]).toEqual([201, expect.objectContaining(odd)])
  })
})

describe('wrongType=cast', () => {
  const open = () => openFurnished({ wrongType: 'cast', recordFields: 'allSent' })
  const message = { channel: 'chat', content: 'Hello', to: '+14155550123' }

  it.each([
    ['createProduct', { name: 12, unitPrice: '12.5' }, { name: '12', unitPrice: 12.5 }],
    [
      'createContact',
      { firstName: true, lastName: 'Lovelace', phone: 14155550123 },
      { firstName: 'true', phone: '14155550123' },
    ],
    ['updateQuote', { acceptOnlinePayment: 'false' }, { acceptOnlinePayment: false }],
    ['createContact', { firstName: 'Ada', lastName: 'Lovelace', groupIds: ['a', 5] }, { groupIds: ['a', '5'] }],
    [
      'sendLiveMessage',
      { ...message, content: 5, attachments: [{ fileName: 'a' }, { fileSize: 12 }] },
      { content: '5' },
    ],
  ] as const)('%s reads %j as %j', async (id, body, shown) => {
    const { call } = await open()
    const answer = await call(id, { ...examples[id], body })
    expect(operations[id].successStatuses).toContain(answer.status)
    expect(answer.body.data).toMatchObject(shown)
    expect(answer.assumed).toContain('wrongType')
  })

  it.each([
    ['createProduct', []],
    ['createProduct', 'engine'],
    ['createProduct', { name: ['x'], unitPrice: 1 }],
    ['createProduct', { name: 'x', unitPrice: 'much' }],
    ['createProduct', { name: 'x', unitPrice: '' }],
    ['createProduct', { name: 'x', unitPrice: 'Infinity' }],
    ['createProduct', { unitPrice: '12.5', 'a.b.c': 1 }],
    ['updateQuote', { acceptOnlinePayment: '1' }],
    ['createContact', { firstName: 'Ada', lastName: 'Lovelace', status: 5 }],
    ['createContact', { firstName: 'Ada', lastName: 'Lovelace', groupIds: [null] }],
    ['findOrCreateConversation', { phone: 14155550123 }],
  ] as const)('%s refuses %j all the same', async (id, body) => {
    const { sandbox, call } = await open()
    const before = await sandbox.world()
    expect((await call(id, { ...examples[id], body })).status).toBe(400)
    expect(await sandbox.world()).toEqual(before)
  })
})

it('nationalPhone=accepted keeps the number as it was sent, and checks the other fields', async () => {
  const { call } = await openFurnished({ nationalPhone: 'accepted', wrongType: 'cast' })
  const body = { firstName: 12, lastName: 'Lovelace', phone: '030 1234567' }
  const { data } = (await call('createContactWithConversation', { body })).body
  expect(data.contactId).toMatchObject({ name: '12 Lovelace', phoneNumber: '030 1234567' })
  expect((await call('sendMessage', { body: { ...sms, to: '030 1234567' } })).body.data.contactId).toBe(
    data.contactId._id,
  )
  for (const odd of [{ phone: 'x' }, { lastName: [] }])
    expect((await call('createContactWithConversation', { body: { ...body, ...odd } })).status).toBe(400)
})

describe('emptyString', () => {
  it('=refused reports another mistake of the body first', async () => {
    const { call } = await openFurnished()
    const { body } = await call('createProduct', { body: { name: '', unitPrice: 'x' } })
    expect(body.message).toBe('unitPrice must be a number')
  })

  it.each([
    ['refused', 400],
    ['accepted', 200],
  ] as const)('=%s: an empty e-mail address in the query is answered %i', async (emptyString, status) => {
    const { call, sandbox } = await openFurnished({ emptyString })
    const answer = await call('deleteContactsByEmail', { query: { email: '' } })
    expect([answer.status, answer.assumed]).toEqual([status, expect.arrayContaining(['emptyString'])])
    expect((await sandbox.world()).teams[0]?.contacts).toEqual(furnished.teams[0]?.contacts)
  })
})

describe('a large JSON body', () => {
  const withFields = (count: number, form: (at: number) => string) =>
    `{"firstName":"Ada","lastName":"Lovelace",${Array.from({ length: count - 2 }, (_, at) => form(at)).join()}}`

  it.each([
    ['fields', withFields(60_000, (at) => `"field${at}":1`), 'have more than 10000 fields'],
    ['fields with spaces', withFields(10_001, (at) => `"field${at}" : 1`), 'have more than 10000 fields'],
    ['fields of lists', withFields(60_000, (at) => `"list${at}":[]`), 'have more than 10000 fields'],
    ['objects', `{"additionalFields":{"list":[${'{},'.repeat(300_000)}{}]}}`, 'have more than 50000 values'],
    ['levels', '['.repeat(500_000) + ']'.repeat(500_000), 'be nested deeper than 32 levels'],
  ])('of too many %s is refused before it is parsed', async (_, body, complaint) => {
    const { sandbox, sendJson } = await openFurnished()
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    const response = await sendJson('createContact', body)
    expect(parse.mock.calls.flat()).not.toContain(body)
    expect(response).toMatchObject({ status: 400, body: { message: `the body must not ${complaint}` } })
    expect(await sandbox.world()).toEqual(furnished)
  })
})

describe('a long list', () => {
  const list = (length: number) => JSON.stringify(Array.from({ length }, () => ''))
  const fields = (length: number) => `{${Array.from({ length }, (_, at) => `"f${at}":""`).join(',')}}`

  // A body may have 10,000 fields and 50,000 values.
  it.each<[what: string, id: OperationId, body: (length: number) => string, length?: number]>([
    ['items', 'createCompany', (length) => `{"name":"a","contacts":${list(length)}}`],
    ['items deep within', 'createProduct', (length) => `{"name":"a","unitPrice":1,"x":[{"y":${list(length)}}]}`],
    ['fields', 'createProduct', (length) => fields(length - 2).replace('{', '{"name":"a","unitPrice":1,'), 10_000],
    ['fields in a text', 'createProduct', (length) => JSON.stringify({ ...engine, sku: fields(length) }), 20_000],
    ['fields within', 'createCompany', (length) => `{"name":"a","additionalFields":${fields(length)}}`, 9_000],
  ])('may have thousands of %s', async (_, id, body, length = 45_000) => {
    for (const unlistedFields of ['kept', 'dropped'] as const) {
      const { sendJson } = await openFurnished({ unlistedFields })
      expect((await sendJson(id, body(length))).status).toBe(201)
    }
  })
})

it('missingContentType is not relied on without a body, nor with a body of the type JSON', async () => {
  const { call, sendJson } = await openFurnished()
  expect((await call('getTemplate', examples.getTemplate)).assumed).not.toContain('missingContentType')
  expect((await sendJson('createProduct', '{}')).assumed).not.toContain('missingContentType')
})

describe('the size of a body', () => {
  const mebibyte = 1024 * 1024
  const ofSize = (bytes: number, filler = 'x') => {
    const empty = JSON.stringify({ ...engine, description: '' })
    const room = bytes - Buffer.byteLength(empty)
    const width = Buffer.byteLength(filler)
    const text = filler.repeat(Math.floor(room / width)) + 'x'.repeat(room % width)
    return JSON.stringify({ ...engine, description: text })
  }
  const ask = async (bytes: number, assume: WrittenChoices = {}, filler?: string) => {
    const { sendJson } = await openFurnished(assume)
    return sendJson('createProduct', ofSize(bytes, filler))
  }

  const sizes: [choice: string, bytes: number, status: number, relies: boolean][] = [
    ['hundredKiB', 100 * 1024, 201, false],
    ['hundredKiB', 100 * 1024 + 1, 400, true],
    ['oneMiB', mebibyte, 201, true],
    ['oneMiB', mebibyte + 1, 400, true],
    ['tenMiB', mebibyte + 1, 201, true],
    ['tenMiB', 10 * mebibyte, 201, true],
    ['tenMiB', 10 * mebibyte + 1, 400, true],
    ['none', 11 * mebibyte, 201, true],
  ]
  it.each(sizes)('bodyLimit=%s: %i bytes are answered %i', async (bodyLimit, bytes, status, relies) => {
    const answer = await ask(bytes, { bodyLimit } as WrittenChoices)
    expect(answer.status).toBe(status)
    expect(answer.assumed.includes('bodyLimit')).toBe(relies)
    if (status === 400) expect(answer.body.message).toMatch(/^the body must not be larger than (1 MiB|10 MiB|100 KiB)$/)
  })

  it('is counted in bytes, not in characters', async () => {
    expect((await ask(mebibyte, {}, '機')).status).toBe(201)
    expect((await ask(mebibyte + 1, {}, '機')).status).toBe(400)
  })

  it('is counted in chunks too, and a body that is too large is refused before all of it is read', async () => {
    const { sandbox } = await openSandbox({ port: 0 })
    const head = [
      'POST /api/products HTTP/1.1',
      'Host: localhost',
      'x-api-key: acme-key',
      'content-type: application/json',
    ]
    const chunk = `40000\r\n${' '.repeat(0x40000)}\r\n`
    const chunked = await sendRaw(sandbox.url, [...head, 'transfer-encoding: chunked'], `${chunk.repeat(5)}0\r\n\r\n`)
    const announced = await sendRaw(sandbox.url, [...head, `content-length: ${mebibyte + 1}`])
    expect([chunked.status, announced.status]).toEqual([400, 400])
  })

  it('bodyLimit=none refuses a body that is longer than the longest string, instead of failing', async () => {
    const { sandbox } = await openSandbox({ port: 0, assume: { bodyLimit: 'none' } })
    const { status, body } = await sendRaw(sandbox.url, [
      'POST /api/products HTTP/1.1',
      'Host: localhost',
      'x-api-key: acme-key',
      'content-type: application/json',
      `content-length: ${2 ** 30}`,
    ])
    expect([status, JSON.parse(body)]).toEqual([
      400,
      { success: false, message: 'the body is larger than this server can hold' },
    ])
  })

  it.each([401, 400])('answers %i to a client that is still sending a body that is too large', async (status) => {
    const { sandbox } = await openSandbox({ port: 0 })
    const answer = await fetch(
      `${sandbox.url}/api/products`,
      postAs(status === 401 ? 'nobody' : 'acme-key', 'x'.repeat(20 * mebibyte)),
    )
    expect([answer.status, await answer.json()]).toEqual([status, refusal])
  })
})
