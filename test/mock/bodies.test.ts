import { describe, expect, it } from 'vitest'
import { operations, type OperationId } from '../../spec/operations.ts'
import { examples, furnished, withBody } from './asks.ts'
import { openFurnished } from './furnished.ts'
import { openSandbox } from './harness.ts'
import { sendRaw } from './raw.ts'

const engine = { name: 'Difference engine', unitPrice: 1200 }
const refusal = { success: false, message: expect.any(String) as string }

const accepted = [
  'application/json',
  'Application/JSON',
  'application/json;',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json ; charset="utf-8"',
  'application/json; charset=utf8',
]

const refused = [
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=utf-8; charset=utf-7',
  'application/json; boundary=x',
  'application/json, text/plain',
  'application/json/x',
  'application/jsonx',
  'application/json+x',
  'application/ld+json',
  'application/vnd.api+json',
  'application/x-json',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/xml',
  'application/*',
  'application/',
  'application',
  'text/json',
  'text/plain',
  'text/plain; charset=utf-8',
  'text/plain; application/json',
  'text/html',
  'multipart/form-data',
  'multipart/mixed; boundary=x',
  'json',
  '/json',
  '*/*',
  '@@@',
  'null',
  '',
]

const noObjects = [
  '',
  ' ',
  'null',
  'true',
  '1',
  '"text"',
  '[]',
  '[{}]',
  '{',
  '{}{}',
  '{"name":"Ada",}',
  "{'name':'Ada'}",
  '{name:"Ada"}',
  '{"unitPrice":NaN}',
  '\0',
  '{}//',
]

describe.each(withBody)('the body of %s', (id) => {
  const example = examples[id].body ?? {}
  const wrong = JSON.stringify(Object.fromEntries(Object.keys(example).map((field) => [field, [[0]]])))

  it('is refused when it is not valid, whatever its content type', async () => {
    const { sandbox, send } = await openFurnished()
    for (const type of [...accepted, ...refused]) {
      for (const body of [wrong, '[{}]', '{', 'name=Ada&unitPrice=1']) {
        const { status, body: told } = await send(id, body, { 'content-type': type })
        expect({ type, status, told }).toEqual({ type, status: 400, told: refusal })
      }
    }
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('is accepted as JSON, in any spelling of the content type', async () => {
    for (const type of accepted) {
      const { send } = await openFurnished()
      const { status } = await send(id, JSON.stringify(example), { 'content-type': type })
      expect({ type, isSuccess: operations[id].successStatuses.includes(status) }).toEqual({ type, isSuccess: true })
    }
  })

  it('is refused under any other content type, even when it is valid', async () => {
    const { sandbox, send } = await openFurnished()
    for (const type of refused) {
      const { status, body } = await send(id, JSON.stringify(example), { 'content-type': type })
      expect({ type, status, body }).toMatchObject({ type, status: 400, body: { message: /Content-Type/ } })
    }
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('is refused when it is not a JSON object', async () => {
    const { sandbox, sendJson } = await openFurnished()
    for (const body of noObjects) {
      const { status, body: told } = await sendJson(id, body)
      expect({ body, status, told }).toEqual({ body, status: 400, told: refusal })
    }
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('is required', async () => {
    const { call, sandbox } = await openFurnished()
    const answer = await call(id, { ...examples[id], body: undefined })
    expect(answer).toMatchObject({ status: 400, body: { message: /JSON body/ } })
    expect(answer.assumed).not.toContain('missingContentType')
    expect(await sandbox.world()).toEqual(furnished)
  })
})

describe('a form', () => {
  const form = (boundary: string) => {
    const fields = Object.entries({ templateType: 'whatsapp', content: 'Gone', language: 'en' })
    const parts = fields.map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    return `${parts.join('')}--${boundary}--\r\n`
  }

  it.each([
    ['multipart/form-data; boundary=x', 'x'],
    ['multipart/form-data;boundary=x', 'x'],
    ['Multipart/Form-Data ; boundary=x', 'x'],
    ['multipart/form-data; charset=utf-8; boundary=x', 'x'],
    ['multipart/form-data; boundary="a;b"', 'a;b'],
    ['multipart/form-data; boundary="a b"', 'a b'],
  ])('may be sent as %s', async (type, boundary) => {
    const { send } = await openFurnished({ templateTypeChange: 'ignored' })
    expect((await send('updateTemplate', form(boundary), { 'content-type': type })).status).toBe(200)
  })

  it.each(withBody.filter((id) => id !== 'createTemplate' && id !== 'updateTemplate'))(
    'is refused by %s',
    async (id) => {
      const { send } = await openFurnished()
      const answer = await send(id, form('x'), { 'content-type': 'multipart/form-data; boundary=x' })
      expect(answer).toMatchObject({ status: 400, body: { message: 'Content-Type must be application/json' } })
    },
  )
})

describe('a JSON body', () => {
  const nested = (depth: number) =>
    `{"name":"Engine","unitPrice":1,"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  const product = async (body: string) => (await openFurnished()).sendJson('createProduct', body)

  it('may be nested 32 levels deep, and brackets in strings do not count', async () => {
    expect((await product(nested(32))).status).toBe(201)
    expect((await product(JSON.stringify({ ...engine, sku: '\\"[{'.repeat(1000) }))).status).toBe(201)
  })

  it.each([33, 3_000, 150_000])('is refused when nested %i levels deep', async (depth) => {
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
    expect((await product(`\uFEFF${JSON.stringify({ ...engine, name: '機関 🚂 \u2028' })}`)).body.data.name).toBe(
      '機関 🚂 \u2028',
    )
  })

  it('may be sent in chunks', async () => {
    const { sandbox } = await openSandbox({ port: 0 })
    const text = JSON.stringify(engine)
    const chunks = [text.slice(0, 9), text.slice(9)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
    const { status } = await sendRaw(
      sandbox.url,
      [
        'POST /api/products HTTP/1.1',
        'Host: localhost',
        'x-api-key: acme-key',
        'content-type: application/json',
        'transfer-encoding: chunked',
      ],
      `${chunks.join('')}0\r\n\r\n`,
    )
    expect(status).toBe(201)
  })

  const polluted = '{"polluted":true}'
  const poison: [what: string, body: string][] = [
    ['__proto__', `{"__proto__":${polluted}}`],
    ['__proto__ after a field', `{"name":"a","__proto__":${polluted}}`],
    ['__proto__ with spaces', `{ "__proto__"  :  ${polluted} }`],
    ['__proto__ with line ends', `{\n"__proto__"\r\n:\t${polluted}}`],
    ['__proto__ escaped at its beginning', `{"\\u005f_proto__":${polluted}}`],
    ['__proto__ escaped at its end', `{"__proto_\\u005f":${polluted}}`],
    ['__proto__ escaped in between', `{"__p\\u0072oto__":${polluted}}`],
    ['__proto__ fully escaped', `{"\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f":${polluted}}`],
    ['__proto__ escaped in capitals', `{"\\u005F\\u005Fproto\\u005F\\u005F":${polluted}}`],
    ['__proto__ that is null', '{"__proto__":null}'],
    ['__proto__ that is a list', `{"__proto__":[${polluted}]}`],
    ['__proto__ that is a string', '{"__proto__":"polluted"}'],
    ['__proto__ twice', `{"__proto__":{},"__proto__":${polluted}}`],
    ['__proto__ in custom fields', `{"additionalFields":{"__proto__":${polluted}}}`],
    ['__proto__ in a list', `{"groupIds":[{"__proto__":${polluted}}]}`],
    ['__proto__ in itself', `{"__proto__":{"__proto__":${polluted}}}`],
    ['__proto__ deeply nested', `{"a":{"b":{"c":[[{"__proto__":${polluted}}]]}}}`],
    ['constructor.prototype', `{"constructor":{"prototype":${polluted}}}`],
    ['constructor.prototype escaped', `{"const\\u0072uctor":{"prototype":${polluted}}}`],
    ['constructor.prototype, both escaped', `{"\\u0063onstructor":{"\\u0070rototype":${polluted}}}`],
    ['constructor.prototype with spaces', `{ "constructor" : { "prototype" : ${polluted} } }`],
    ['constructor.prototype in custom fields', `{"additionalFields":{"constructor":{"prototype":${polluted}}}}`],
    ['constructor.prototype in a list', `{"groupIds":[{"constructor":{"prototype":${polluted}}}]}`],
    ['constructor.prototype beside others', `{"constructor":{"name":"x","prototype":null}}`],
  ]

  it.each(poison)('is refused with %s', async (_what, body) => {
    const { sandbox, sendJson } = await openFurnished()
    for (const id of [
      'createContact',
      'updateContact',
      'createProduct',
      'updateCompany',
      'createOrUpdateContact',
    ] as const) {
      const whole = body.replace('{', '{"firstName":"Ada","lastName":"Lovelace","unitPrice":1,')
      expect(await sendJson(id, whole)).toMatchObject({
        status: 400,
        body: { message: 'the body must not hold the keys __proto__ or constructor.prototype' },
      })
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('may have harmless fields of any name, which the response returns', async () => {
    const { sendJson } = await openFurnished({ unlistedFields: 'kept' })
    const odd = { constructor: 'x', prototype: 'y', toString: 'z', hasOwnProperty: 1, length: 2, then: 3, toJSON: 4 }
    const { status, body } = await sendJson('createProduct', JSON.stringify({ ...engine, ...odd }))
    expect(status).toBe(201)
    expect(body.data).toMatchObject(odd)
  })
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
    expect(answer.status).toBe(status)
    expect(answer.assumed).toContain('emptyString')
    expect((await sandbox.world()).teams[0]?.contacts).toEqual(furnished.teams[0]?.contacts)
  })
})

describe('longLists', () => {
  const list = (length: number) => JSON.stringify(Array.from({ length }, () => ''))
  const fields = (length: number) => `{${Array.from({ length }, (_, at) => `"f${at}":""`).join(',')}}`
  const bodies: [what: string, id: OperationId, body: (length: number) => string][] = [
    ['items', 'createCompany', (length) => `{"name":"a","contacts":${list(length)}}`],
    ['items of an unlisted field', 'createProduct', (length) => `{"name":"a","unitPrice":1,"x":${list(length)}}`],
    ['items deep within', 'createProduct', (length) => `{"name":"a","unitPrice":1,"x":[{"y":${list(length)}}]}`],
    ['fields', 'createProduct', (length) => fields(length - 2).replace('{', '{"name":"a","unitPrice":1,')],
    ['fields within', 'createCompany', (length) => `{"name":"a","additionalFields":${fields(length)}}`],
  ]

  it.each(bodies)('=refused takes up to 1,000 %s', async (_, id, body) => {
    const { sendJson, sandbox } = await openFurnished()
    const refused = await sendJson(id, body(1_001))
    expect(refused).toMatchObject({
      status: 400,
      body: { message: /^a list in the body must not have more than 1000 / },
    })
    expect(refused.assumed).toContain('longLists')
    expect(await sandbox.world()).toEqual(furnished)
    const { status, assumed } = await sendJson(id, body(1_000))
    expect([status, assumed.includes('longLists')]).toEqual([201, false])
  })

  it.each(bodies)('=accepted takes tens of thousands of %s', async (_, id, body) => {
    for (const unlistedFields of ['kept', 'dropped'] as const) {
      const { sendJson } = await openFurnished({ longLists: 'accepted', unlistedFields })
      const { status, assumed } = await sendJson(id, body(60_000))
      expect([status, assumed.includes('longLists')]).toEqual([201, true])
    }
  })
})

describe('missingContentType', () => {
  it.each(withBody)('=refused: %s refuses a body without one', async (id) => {
    const { send, sandbox } = await openFurnished()
    const answer = await send(id, JSON.stringify(examples[id].body))
    expect(answer).toMatchObject({ status: 400, body: { message: /Content-Type: application\/json/ } })
    expect(answer.assumed).toContain('missingContentType')
    expect(await sandbox.world()).toEqual(furnished)
  })

  it.each(withBody)('=readAsJson: %s accepts a valid body without one', async (id) => {
    const { send } = await openFurnished({ missingContentType: 'readAsJson' })
    expect(await send(id, '{"name":[[]],"templateType":[],"status":1}')).toMatchObject({ status: 400 })
    const { status, assumed } = await send(id, JSON.stringify(examples[id].body))
    expect(operations[id].successStatuses).toContain(status)
    expect(assumed).toContain('missingContentType')
  })

  it('is not relied on without a body, nor with a body of the type JSON', async () => {
    const { call, sendJson } = await openFurnished()
    expect((await call('getTemplate', examples.getTemplate)).assumed).not.toContain('missingContentType')
    expect((await sendJson('createProduct', '{}')).assumed).not.toContain('missingContentType')
  })
})
