import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { systemClock } from '../../mock/core/clock.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { concernedBy, examples, furnished, operationIds, targetOf, withBody } from './asks.ts'
import { seeEachChoice } from './each-choice.ts'
import { type Call, openSandbox, type Told } from './harness.ts'
import { sendRaw } from './raw.ts'

const unknownId = '66f0a1b2c3d4e5f601239999'
const engine = { name: 'Difference engine', unitPrice: 1200 }
const notFound = { success: false, message: 'Resource not found' }
const refusal = { success: false, message: expect.any(String) as string }

/** A sandbox with the records of the examples, and a function that sends it bytes under any content type. */
async function open(assume: WrittenChoices = {}) {
  const { sandbox, call } = await openSandbox({ world: furnished, assume })
  const send = async (id: OperationId, body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const answer = await sandbox.fetch(targetOf(id), {
      method: operations[id].method.toUpperCase(),
      headers: { 'x-api-key': 'acme-key', ...headers },
      body: new Uint8Array(Buffer.from(body)),
    })
    return {
      status: answer.status,
      body: (await answer.json()) as { success: boolean; message: string; data: Record<string, unknown> },
      assumed: answer.headers.get('x-sandbox-assumed')?.split(', ') ?? [],
    }
  }
  const sendJson = (id: OperationId, body: string | Uint8Array) =>
    send(id, body, { 'content-type': 'application/json' })
  return { sandbox, call, send, sendJson }
}

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
    const { sandbox, send } = await open()
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
      const { send } = await open()
      const { status } = await send(id, JSON.stringify(example), { 'content-type': type })
      expect({ type, isSuccess: operations[id].successStatuses.includes(status) }).toEqual({ type, isSuccess: true })
    }
  })

  it('is refused under any other content type, even when it is valid', async () => {
    const { sandbox, send } = await open()
    for (const type of refused) {
      const { status, body } = await send(id, JSON.stringify(example), { 'content-type': type })
      expect({ type, status, body }).toMatchObject({ type, status: 400, body: { message: /Content-Type/ } })
    }
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('is refused when it is not a JSON object', async () => {
    const { sandbox, sendJson } = await open()
    for (const body of noObjects) {
      const { status, body: told } = await sendJson(id, body)
      expect({ body, status, told }).toEqual({ body, status: 400, told: refusal })
    }
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('is required', async () => {
    const { call, sandbox } = await open()
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
    const { send } = await open({ templateTypeChange: 'ignored' })
    expect((await send('updateTemplate', form(boundary), { 'content-type': type })).status).toBe(200)
  })

  it.each(withBody.filter((id) => id !== 'createTemplate' && id !== 'updateTemplate'))(
    'is refused by %s',
    async (id) => {
      const { send } = await open()
      const answer = await send(id, form('x'), { 'content-type': 'multipart/form-data; boundary=x' })
      expect(answer).toMatchObject({ status: 400, body: { message: 'Content-Type must be application/json' } })
    },
  )
})

describe('a JSON body', () => {
  const nested = (depth: number) =>
    `{"name":"Engine","unitPrice":1,"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  const product = async (body: string) => (await open()).sendJson('createProduct', body)

  it('may be nested 32 levels deep, and brackets in strings do not count', async () => {
    expect((await product(nested(32))).status).toBe(201)
    expect((await product(JSON.stringify({ ...engine, sku: '\\"[{'.repeat(1000) }))).status).toBe(201)
  })

  it.each([33, 3_000, 150_000])('is refused when nested %i levels deep, closed or not', async (depth) => {
    const { sandbox, sendJson } = await open()
    for (const body of [nested(depth), '['.repeat(depth), '{"a":'.repeat(depth)])
      expect(await sendJson('createProduct', body)).toMatchObject({
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
    const { sandbox, sendJson } = await open()
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

  it('may have harmless fields of any name, which are shown again', async () => {
    const { sendJson } = await open()
    const odd = { constructor: 'x', prototype: 'y', toString: 'z', hasOwnProperty: 1, length: 2, then: 3, toJSON: 4 }
    const { status, body } = await sendJson('createProduct', JSON.stringify({ ...engine, ...odd }))
    expect(status).toBe(201)
    expect(body.data).toMatchObject(odd)
  })
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
    const { sendJson } = await open(assume)
    return sendJson('createProduct', ofSize(bytes, filler))
  }

  const sizes: [choice: string, bytes: number, status: number, relies: boolean][] = [
    ['oneMiB', mebibyte - 1, 201, false],
    ['oneMiB', mebibyte, 201, false],
    ['oneMiB', mebibyte + 1, 400, true],
    ['oneMiB', 11 * mebibyte, 400, true],
    ['tenMiB', mebibyte, 201, false],
    ['tenMiB', mebibyte + 1, 201, true],
    ['tenMiB', 10 * mebibyte, 201, true],
    ['tenMiB', 10 * mebibyte + 1, 400, true],
    ['none', mebibyte, 201, false],
    ['none', 11 * mebibyte, 201, true],
  ]
  it.each(sizes)('bodyLimit=%s: %i bytes are answered %i', async (bodyLimit, bytes, status, relies) => {
    const answer = await ask(bytes, { bodyLimit } as WrittenChoices)
    expect(answer.status).toBe(status)
    expect(answer.assumed.includes('bodyLimit')).toBe(relies)
    if (status === 400) expect(answer.body.message).toMatch(/^the body must not be larger than (1|10) MiB$/)
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
    const answer = await fetch(`${sandbox.url}/api/products`, {
      method: 'POST',
      headers: { 'x-api-key': status === 401 ? 'nobody' : 'acme-key', 'content-type': 'application/json' },
      body: 'x'.repeat(20 * mebibyte),
    })
    expect([answer.status, await answer.json()]).toEqual([status, refusal])
  })
})

describe('a path', () => {
  const ask = async (target: string, method = 'GET', body?: string, contentType = 'application/json') => {
    const { sandbox } = await openSandbox({ port: 0, world: furnished })
    const length = body === undefined ? [] : [`content-type: ${contentType}`, `content-length: ${body.length}`]
    const head = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'x-api-key: acme-key', ...length]
    const answer = await sendRaw(sandbox.url, head, body)
    expect(await sandbox.world()).toEqual(furnished)
    return { ...answer, body: answer.body === '' ? undefined : (JSON.parse(answer.body) as unknown) }
  }

  it.each([
    '/api',
    '/api/',
    '/api/nowhere',
    '/api/product',
    '/api/Products',
    '/API/products',
    '/v1/api/products',
    '/api//products',
    '/api/products/a/b',
    '/api/./products',
    '/api/companies',
    '/api/deals/create/x',
    '/api/products;x=1',
    '/api/products%3Fa=1',
    '/api%2Fproducts',
    '/',
    '/index.html',
    '/.env',
  ])('that is not in the document is answered 404, whatever is sent to it: %s', async (target) => {
    const bodies: [string | undefined, string?][] = [[undefined], ['{}'], ['{'], ['x', 'text/plain'], ['x', '@@@']]
    for (const method of ['POST', 'PUT', 'DELETE'])
      for (const [body, contentType] of bodies)
        expect(await ask(target, method, body, contentType)).toMatchObject({ status: 404, body: notFound })
  })

  it('that is not in the document is answered 404, also with a body that is too large', async () => {
    expect(await ask('/api/nowhere', 'POST', 'x'.repeat(1024 * 1024 + 1))).toMatchObject({
      status: 404,
      body: notFound,
    })
  })

  it.each([
    ['/api/templates/%ZZ', 400],
    ['/api/templates/%', 400],
    ['/api/templates/%C0%AF', 400],
    ['/api/templates/%FF', 400],
    ['/api/templates/%00', 404],
    ['/api/templates/%2e%2e', 404],
    ['/api/templates/..%2f..%2fetc%2fpasswd', 404],
    ['/api/templates/%25%32%66', 404],
    ['/api/templates/__proto__', 404],
    ['/api/templates/constructor', 404],
    ['/api/templates/%20', 404],
    ["/api/templates/'%20or%201=1", 404],
    ['/api/templates/%F0%9F%9A%82', 404],
    [`/api/templates/${'a'.repeat(15_000)}`, 404],
    [`/api/templates/${'%41'.repeat(5_000)}`, 404],
    [`/api/templates${'/a'.repeat(7_000)}`, 404],
    [`/api/templates/${'a'.repeat(20_000)}`, 400],
    ['/api/templates/\0', 400],
    ['/api/templates/a b', 400],
  ])('with an unusual id is answered in the envelope: %s', async (target, status) => {
    expect(await ask(target)).toMatchObject({ status, body: refusal })
  })

  it.each(['HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY', 'PROPFIND', 'PURGE'])(
    'does not accept %s, and changes nothing',
    async (method) => {
      for (const id of operationIds) {
        const { status, headers } = await ask(targetOf(id), method, method === 'QUERY' ? '{' : undefined)
        expect({ id, status, assumed: headers['x-sandbox-assumed'] }).toEqual({
          id,
          status: 404,
          assumed: 'wrongMethod',
        })
      }
    },
  )

  it.each(['BREW', 'get', 'GE T', 'CONNECT'])('does not accept an invalid method: %s', async (method) => {
    expect(await ask('/api/templates', method)).toMatchObject({ status: 400, body: refusal })
  })
})

describe('a request with more than is documented', () => {
  const byId = concernedBy('malformedId')
  const odd = (id: OperationId, name: string) => ({
    ...examples[id],
    path: { ...examples[id].path, [name]: 'not an id' },
  })
  const pathNameOf = (id: OperationId) => /\{(\w+)\}/.exec(operations[id].path)?.[1] ?? ''

  it.each(byId)('malformedId decides what %s answers to a malformed id', async (id) => {
    const name = pathNameOf(id)
    const statuses = { notFound: 404, badRequest: 400 }
    for (const [malformedId, status] of Object.entries(statuses)) {
      const { call, sandbox } = await open({ malformedId } as WrittenChoices)
      const answer = await call(id, odd(id, name))
      expect([answer.status, answer.assumed.includes('malformedId')]).toEqual([status, true])
      expect(await sandbox.world()).toEqual(furnished)
    }
  })

  it.each(byId)('malformedId is not relied on by %s for a well-formed id', async (id) => {
    const { call } = await open({ malformedId: 'badRequest' })
    const answer = await call(id, { ...examples[id], path: { [pathNameOf(id)]: unknownId } })
    expect(answer).toMatchObject({ status: 404, body: notFound })
    expect(answer.assumed).not.toContain('malformedId')
  })

  const strays = concernedBy('unlistedFields').filter(
    (id) => id !== 'createContactWithConversation' && id !== 'createConversation',
  )

  it.each(strays)('unlistedFields decides what %s does with an unlisted field', async (id) => {
    const body = { ...examples[id].body, favouriteEngine: 'Difference' }
    const kept = await open({ unlistedFields: 'kept', templateFields: 'allSent' })
    const dropped = await open({ unlistedFields: 'dropped' })
    const refused = await open({ unlistedFields: 'refused' })
    const answers = [
      await kept.call(id, { ...examples[id], body }),
      await dropped.call(id, { ...examples[id], body }),
      await refused.call(id, { ...examples[id], body }),
    ]
    const [whenKept, whenDropped] = answers
    expect(answers.map(({ status }) => status < 300)).toEqual([true, true, false])
    expect(answers.every(({ assumed }) => assumed.includes('unlistedFields'))).toBe(true)
    expect(JSON.stringify(await kept.sandbox.world())).toContain('favouriteEngine')
    expect(JSON.stringify(await dropped.sandbox.world())).not.toContain('favouriteEngine')
    expect(await refused.sandbox.world()).toEqual(furnished)
    if (id !== 'createTemplate') expect(whenKept?.body.data).toHaveProperty('favouriteEngine')
    expect(whenDropped?.body.data).not.toHaveProperty('favouriteEngine')
  })

  it.each(strays)('serverFieldsSent decides what %s does with a field that the service writes', async (id) => {
    for (const [field, value] of Object.entries({
      _id: unknownId,
      teamId: 'theirs',
      createdAt: '1815',
      updatedAt: '1843',
    })) {
      const body = { ...examples[id].body, [field]: value }
      const ignored = await open({ serverFieldsSent: 'ignored' })
      const refused = await open({ serverFieldsSent: 'refused' })
      const good = await ignored.call(id, { ...examples[id], body })
      const bad = await refused.call(id, { ...examples[id], body })
      expect([good.status < 300, bad.status]).toEqual([true, 400])
      expect(bad.body.message).toBe(`${field} is written by the service; leave it out`)
      expect([good.assumed, bad.assumed]).toEqual(Array(2).fill(expect.arrayContaining(['serverFieldsSent'])))
      expect(JSON.stringify(await ignored.sandbox.world())).not.toContain(JSON.stringify(value))
      expect(await refused.sandbox.world()).toEqual(furnished)
    }
  })

  it.each(withBody)('neither is relied on by %s for a body with listed fields only', async (id) => {
    const { call } = await open({ unlistedFields: 'refused', serverFieldsSent: 'refused' })
    const { status, assumed } = await call(id, examples[id])
    expect(operations[id].successStatuses).toContain(status)
    expect(assumed).not.toEqual(expect.arrayContaining(['unlistedFields']))
    expect(assumed).not.toEqual(expect.arrayContaining(['serverFieldsSent']))
  })
})

const seeStatus = async (told: Told | Promise<Told>) => {
  const answer = await told
  return { told: answer, seen: answer.status }
}
const productPath = examples.updateProduct.path

seeEachChoice({
  emptyString: {
    story: (call) => seeStatus(call('createProduct', { body: { ...engine, name: '' } })),
    shows: { refused: 400, accepted: 201 },
    otherwise: (call) => call('createProduct', { body: { ...engine, sku: '' } }),
  },
  emptyUpdate: {
    world: furnished,
    story: (call) => seeStatus(call('updateProduct', { path: productPath, body: {} })),
    shows: { noChange: 200, refused: 400 },
    otherwise: (call) => call('updateProduct', { path: productPath, body: { unitPrice: 1 } }),
  },
  nestedUpdate: {
    world: furnished,
    story: async (call) => {
      await update(call, { additionalFields: { one: 1, two: 2 } })
      const told = await update(call, { additionalFields: { two: 3 } })
      return { told, seen: told.body.data.additionalFields }
    },
    shows: { replaced: { two: 3 }, merged: { one: 1, two: 3 } },
    otherwise: async (call) => {
      await update(call, { additionalFields: { one: 1 } })
      return update(call, { additionalFields: { one: 2, two: 3 } })
    },
  },
  deleteAgain: {
    world: furnished,
    story: async (call) => {
      await call('deleteProduct', { path: productPath })
      return seeStatus(call('deleteProduct', { path: productPath }))
    },
    shows: { notFound: 404, succeeds: 200 },
    otherwise: (call) => call('deleteProduct', { path: { productId: unknownId } }),
  },
  badRequestMessage: {
    story: async (call) => {
      const told = await call('createProduct', { body: { name: 'Engine' } })
      return { told, seen: told.body.message }
    },
    shows: { namesTheField: 'unitPrice is required', general: 'The request is not valid' },
    otherwise: (call) => call('deleteProduct', { path: { productId: unknownId } }),
  },
})

function update(call: Call, body: object) {
  return call('updateCompany', { path: examples.updateCompany.path, body })
}

describe('an update', () => {
  it('merges the custom fields of contacts and companies, and replaces a field of that name elsewhere', async () => {
    const { call } = await open({ nestedUpdate: 'merged' })
    const path = productPath
    await call('updateProduct', { path, body: { additionalFields: 'first' } })
    const { body, assumed } = await call('updateProduct', { path, body: { additionalFields: 'second' } })
    expect(body.data.additionalFields).toBe('second')
    expect(assumed).not.toContain('nestedUpdate')
  })
})

describe('a delete', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/mixed', ''])(
    'with a body of another content type is refused, and deletes nothing: %j',
    async (type) => {
      const { sandbox, send } = await open()
      const answer = await send('deleteProduct', 'x', type === '' ? {} : { 'content-type': type })
      expect(answer).toMatchObject({ status: 400, body: { message: /takes no body of that Content-Type/ } })
      expect(await sandbox.world()).toEqual(furnished)
    },
  )

  it('may have the content type of JSON with or without a body', async () => {
    for (const body of ['', '{}']) {
      const { sendJson } = await open()
      expect((await sendJson('deleteProduct', body)).status).toBe(200)
    }
  })

  it('succeeds when an earlier record had the same id and was deleted', async () => {
    const [acme, ...others] = furnished.teams
    const { productId } = productPath
    const deleted = [{ _id: `products ${productId}`, record: { _id: productId, name: 'Before', unitPrice: 1 } }]
    const { sandbox, call } = await openSandbox({ world: { teams: [{ ...acme, deleted }, ...others] } as World })
    expect((await call('deleteProduct', { path: productPath })).status).toBe(200)
    expect((await sandbox.world()).teams[0]?.deleted).toMatchObject([{ record: { name: 'Difference engine' } }])
  })

  it('is remembered among the latest ten thousand', async () => {
    const [acme, ...others] = furnished.teams
    const idAt = (at: number) => at.toString(16).padStart(24, '0')
    const deleted = Array.from({ length: 10_000 }, (_, at) => ({
      _id: `products ${idAt(at)}`,
      record: { _id: idAt(at), name: 'Before', unitPrice: 1 },
    }))
    const world = { teams: [{ ...acme, deleted }, ...others] } as World
    const { sandbox, call } = await openSandbox({ world, assume: { deleteAgain: 'succeeds' } })
    const again = async (at: number) => (await call('deleteProduct', { path: { productId: idAt(at) } })).status
    expect([await again(0), await again(1)]).toEqual([200, 200])
    await call('deleteProduct', { path: productPath })
    expect([await again(0), await again(1)]).toEqual([404, 200])
    expect((await sandbox.world()).teams[0]?.deleted).toHaveLength(10_000)
  })
})

describe('emptyString', () => {
  it('=refused reports another mistake of the body first', async () => {
    const { call } = await open()
    const { body } = await call('createProduct', { body: { name: '', unitPrice: 'x' } })
    expect(body.message).toBe('unitPrice must be a number')
  })

  it.each([
    ['refused', 400],
    ['accepted', 200],
  ] as const)('=%s: an empty e-mail address in the query is answered %i', async (emptyString, status) => {
    const { call, sandbox } = await open({ emptyString })
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
    const { sendJson, sandbox } = await open()
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
      const { sendJson } = await open({ longLists: 'accepted', unlistedFields })
      const { status, assumed } = await sendJson(id, body(60_000))
      expect([status, assumed.includes('longLists')]).toEqual([201, true])
    }
  })
})

describe('missingContentType', () => {
  it.each(withBody)('=refused: %s refuses a body without one', async (id) => {
    const { send, sandbox } = await open()
    const answer = await send(id, JSON.stringify(examples[id].body))
    expect(answer).toMatchObject({ status: 400, body: { message: /Content-Type: application\/json/ } })
    expect(answer.assumed).toContain('missingContentType')
    expect(await sandbox.world()).toEqual(furnished)
  })

  it.each(withBody)('=readAsJson: %s accepts a valid body without one', async (id) => {
    const { send } = await open({ missingContentType: 'readAsJson' })
    expect(await send(id, '{"name":[[]],"templateType":[],"status":1}')).toMatchObject({ status: 400 })
    const { status, assumed } = await send(id, JSON.stringify(examples[id].body))
    expect(operations[id].successStatuses).toContain(status)
    expect(assumed).toContain('missingContentType')
  })

  it('is not relied on without a body, nor with a body of the type JSON', async () => {
    const { call, sendJson } = await open()
    expect((await call('getTemplate', examples.getTemplate)).assumed).not.toContain('missingContentType')
    expect((await sendJson('createProduct', '{}')).assumed).not.toContain('missingContentType')
  })
})

describe('wrongMethod', () => {
  const targets = [...new Set(operationIds.map((id) => targetOf(id)))]

  it.each([
    ['notFound', 404],
    ['badRequest', 400],
  ] as const)('=%s answers %i on every documented path', async (wrongMethod, status) => {
    const { sandbox } = await openSandbox({ world: furnished, assume: { wrongMethod } })
    for (const target of targets) {
      const answer = await sandbox.fetch(target, { method: 'PATCH', headers: { 'x-api-key': 'acme-key' } })
      expect([target, answer.status, await answer.json()]).toEqual([target, status, refusal])
      expect(answer.headers.get('x-sandbox-assumed')).toContain('wrongMethod')
    }
    expect(await sandbox.world()).toEqual(furnished)
  })

  it('compares decoded paths', async () => {
    const { sandbox } = await openSandbox({ assume: { wrongMethod: 'badRequest' } })
    expect((await sandbox.fetch('/api/p%72oducts', { method: 'PATCH' })).status).toBe(400)
  })

  it('is not relied on for unknown paths', async () => {
    const { sandbox } = await openSandbox()
    expect((await sandbox.fetch('/api/nowhere')).headers.get('x-sandbox-assumed')).toBeNull()
  })
})

describe('rateLimit', () => {
  const limited = async (most: number) => {
    let now = systemClock.now()
    const opened = await openSandbox({ assume: { rateLimit: `perMinute:${most}` }, clock: { now: () => now } })
    const ask = (key = 'acme-key') => opened.call('createProduct', { body: engine, key })
    const pass = (milliseconds: number) => {
      now += milliseconds
    }
    return { ...opened, ask, pass }
  }

  it('=perMinute answers 429 above the limit, and changes nothing', async () => {
    const { ask, sandbox } = await limited(2)
    const answers = [await ask(), await ask(), await ask(), await ask()]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429, 429])
    expect(answers.map(({ assumed }) => assumed.includes('rateLimit'))).toEqual([false, false, true, true])
    expect(answers[2]?.body).toEqual({ success: false, message: 'more than 2 requests a minute' })
    expect((await sandbox.world()).teams[0]?.products).toHaveLength(2)
  })

  it('=perMinute counts each team separately, and starts again after a minute', async () => {
    const { ask, pass } = await limited(1)
    const first = [await ask(), await ask('globex-key'), await ask()]
    pass(59_999)
    const before = await ask()
    pass(1)
    expect([...first, before, await ask()].map(({ status }) => status)).toEqual([201, 201, 429, 429, 201])
  })

  it('=perMinute says in Retry-After how many seconds to wait', async () => {
    const { sandbox, pass } = await limited(1)
    const ask = () => sandbox.fetch('/api/products', { method: 'POST', headers: { 'x-api-key': 'acme-key' } })
    expect((await ask()).headers.has('retry-after')).toBe(false)
    expect((await ask()).headers.get('retry-after')).toBe('60')
    pass(58_500)
    expect((await ask()).headers.get('retry-after')).toBe('2')
    pass(1_500)
    expect((await ask()).headers.has('retry-after')).toBe(false)
  })

  it('=perMinute starts again when the clock is set back', async () => {
    const { ask, pass } = await limited(1)
    await ask()
    pass(-3 * 60 * 60 * 1000)
    expect((await ask()).status).toBe(201)
  })

  it('=perMinute counts refused requests too', async () => {
    const { call, sandbox, ask } = await limited(3)
    const headers = { 'x-api-key': 'acme-key', 'content-type': 'text/plain' }
    expect((await sandbox.fetch('/api/products', { method: 'POST', headers, body: '{}' })).status).toBe(400)
    expect((await call('createProduct', { body: '{' })).status).toBe(400)
    expect((await call('createProduct', { body: {} })).status).toBe(400)
    expect((await ask()).status).toBe(429)
  })

  it('=perMinute does not count requests without a valid credential', async () => {
    const { ask, call } = await limited(1)
    for (let times = 0; times < 3; times++) expect((await call('listTemplates', { key: 'nobody' })).status).toBe(401)
    expect((await ask()).status).toBe(201)
  })

  it('=perMinute starts again after a reset', async () => {
    const { ask, sandbox } = await limited(1)
    await ask()
    await sandbox.reset()
    expect((await ask()).status).toBe(201)
    expect((await ask()).status).toBe(429)
    await sandbox.fetch('/_sandbox/reset', { method: 'POST' })
    expect((await ask()).status).toBe(201)
  })

  it('=none accepts any number of requests', async () => {
    const { call } = await openSandbox()
    const answers = await Promise.all(Array.from({ length: 200 }, () => call('createProduct', { body: engine })))
    expect(answers.every(({ status, assumed }) => status === 201 && !assumed.includes('rateLimit'))).toBe(true)
  })
})

describe('the envelope', () => {
  const reads = concernedBy('statedEnvelope')

  it.each(operationIds)('metaInEnvelope decides whether %s has meta', async (id) => {
    const omitted = await (await open({ metaInEnvelope: 'omitted' })).call(id, examples[id])
    const present = await (await open({ metaInEnvelope: 'present' })).call(id, examples[id])
    expect(omitted.body).not.toHaveProperty('meta')
    expect(present.body).toMatchObject({ success: true, meta: {} })
  })

  it.each(operationIds)('statedEnvelope decides whether %s has success and message', async (id) => {
    const none = await (await open({ statedEnvelope: 'none' })).call(id, examples[id])
    const some = await (await open({ statedEnvelope: 'some' })).call(id, examples[id])
    const shown = expect.any(String) as string
    expect(none.body).toMatchObject({ success: true, message: shown })
    if (!reads.includes(id)) expect(some.body).toMatchObject({ success: true, message: shown })
    else
      expect(Object.keys(some.body as object).sort()).toEqual(
        id.startsWith('listM') || id.startsWith('listT') ? ['data', 'pagination'] : ['data'],
      )
  })

  it('has no meta in a refusal, with any choice', async () => {
    const { call } = await open({ metaInEnvelope: 'present', statedEnvelope: 'some' })
    expect((await call('getTemplate', { path: { templateId: unknownId } })).body).toEqual(notFound)
    expect((await call('getTemplate', { ...examples.getTemplate, key: null })).body).toEqual({
      success: false,
      message: 'Unauthorized',
    })
  })
})

describe('badPage', () => {
  it('=clamped uses the default page of historyPage', async () => {
    const { call } = await open({ badPage: 'clamped', historyPage: 'page1limit20' })
    for (let count = 0; count < 25; count++) await call('sendLiveMessage', examples.sendLiveMessage)
    const { body, assumed } = await call('listMessages', { ...examples.listMessages, query: { limit: 0 } })
    expect(body.pagination.totalPages).toBe(2)
    expect(assumed).toEqual(expect.arrayContaining(['badPage', 'historyPage']))
  })

  it('is not relied on for a page far beyond the end', async () => {
    const { call } = await open()
    const query = { ...examples.listTemplates.query, page: 10_000_000_000 }
    const { status, assumed } = await call('listTemplates', { query })
    expect(status).toBe(200)
    expect(assumed).not.toContain('badPage')
  })
})
