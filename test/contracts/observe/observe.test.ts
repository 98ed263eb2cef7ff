import { laws } from '../../../contracts/judge/judge.ts'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../../index.ts'
import { readAll, serverThatSays } from '../client/helpers.ts'
import { sendRaw } from '../../mock/raw-http.ts'
import { observing } from './helpers.ts'
import { readFileSync } from 'node:fs'
import { rows } from '../../../contracts/client/operations.ts'
import { operations } from '../../../spec/operations.ts'
import { promises } from '../../../spec/promises.ts'
import { serverThat } from '../../for-one-test.ts'

const contact = {
  ...{ _id: 'c1', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@private.example', teamId: 'demo' },
  ...{ createdAt: '2026-03-01T09:00:00.000Z', updatedAt: '2026-03-01T09:00:00.000Z' },
}

const headers = { 'x-api-key': 'key-of-a-team', 'content-type': 'application/json' }

/** Sends JSON, by POST unless there is no body. */
const send = (url: string, body?: unknown, others: Readonly<Record<string, string>> = headers) =>
  fetch(url, body === undefined ? { headers: others } : { method: 'POST', headers: others, body: JSON.stringify(body) })

const names = { firstName: 'Ada', lastName: 'Lovelace' }

describe('a response', () => {
  it('that breaks a promise is reported once, with a count, and passed back unchanged', async () => {
    const { url, lines, observations } = await observing(await serverThatSays(200, { success: true, data: contact }))
    for (let count = 0; count < 3; count++) {
      const response = await send(`${url}/api/contacts`, names)
      expect([response.status, await response.json()]).toEqual([200, { success: true, data: contact }])
    }
    expect(lines).toEqual(['✗ contact.createAnswers201: createContact answered 200: expected 201, got 200'])
    const { findings } = observations.toJson()
    expect(findings).toMatchObject([{ promise: 'contact.createAnswers201', outcome: 'broken', count: 3 }])
    expect(observations.exitCode).toBe(1)
  })

  it('that breaks a promise with another status is reported too', async () => {
    const statuses = [422, 409, 422]
    const server = await serverThat((_, response) => {
      response.writeHead(statuses.shift() ?? 500, { 'content-type': 'application/json' }).end('{"success":false}')
    })
    const { url, observations } = await observing(server)
    for (let count = 0; count < 3; count++) await send(`${url}/api/contacts`, names)
    expect(observations.toJson().findings).toMatchObject([
      { promise: 'error.statusIsDocumented', status: 422, count: 2 },
      { promise: 'error.statusIsDocumented', status: 409, count: 1 },
    ])
  })

  it('that is as documented is counted only', async () => {
    const { url, lines, observations } = await observing(await serverThatSays(201, { success: true, data: contact }))
    await send(`${url}/api/contacts`, names)
    expect([lines, observations.exitCode]).toEqual([[], 0])
    expect(observations.toJson().judged).toEqual([{ item: 'createContact', count: 1 }])
  })

  it('that breaks a usual promise is a warning, which only --strict counts', async () => {
    const answer = { success: false, message: 'No such contact' }
    const exitCodes = [false, true].map(async (strict) => {
      const { url, lines, observations } = await observing(await serverThatSays(404, answer), { strict })
      await send(`${url}/api/templates/t1`)
      expect(lines).toEqual([expect.stringMatching(/^! error\.notFoundText: getTemplate answered 404/)])
      return observations.exitCode
    })
    expect(await Promise.all(exitCodes)).toEqual([0, 1])
  })

  it('that breaks a promise as a known deviation says does not count, until it expires', async () => {
    const exitCodes = ['2099-12-31', '2020-12-31'].map(async (expires) => {
      const known = [{ promise: 'contact.createAnswers201', reason: 'ticket 4711', expires }] as const
      const server = await serverThatSays(200, { success: true, data: contact })
      const { url, observations } = await observing(server, { known })
      await send(`${url}/api/contacts`, names)
      return observations.exitCode
    })
    expect(await Promise.all(exitCodes)).toEqual([0, 1])
  })

  it('to a request without a credential must not succeed', async () => {
    const { url, lines } = await observing(await serverThatSays(201, { success: true, data: contact }))
    await send(`${url}/api/contacts`, names, { 'content-type': 'application/json' })
    expect(lines).toEqual(['✗ access.noCredentialIs401: createContact answered 201: expected 401, got 201'])
  })

  it('to a request that must be refused is a finding', async () => {
    const { url, lines } = await observing(await serverThatSays(201, { success: true, data: contact }))
    await send(`${url}/api/contacts`, { firstName: 'Ada' })
    expect(lines).toEqual([
      '~ bad request: createContact: lastName is required',
      '✗ contact.createRequires: createContact answered 201: expected a refusal, since lastName is required, got 201',
    ])
  })

  it.each([
    ['templates', { templateType: 'sms', name: 'Hours' }, 'template.smsRequires'],
    ['templates', { templateType: 'whatsapp', name: 'Hours' }, 'template.whatsappRequires'],
    [
      'messages/sendBulkNewMessages',
      { channel: 'email', to: 'ada@private.example', content: 'Hello', providerId: 'p1' },
      'message.bulkEmailRequiresASubject',
    ],
  ])('to %s %j breaks the promise about that form: %s', async (path, body, promise) => {
    const { url, lines } = await observing(await serverThatSays(201, { success: true }))
    await send(`${url}/api/${path}`, body)
    expect(lines).toContainEqual(expect.stringContaining(promise))
  })

  it('is not judged when HTTP explains its status, or when no operation is documented there', async () => {
    const { url, lines, observations } = await observing(
      await serverThat((request, response) => {
        response.writeHead(request.url === '/login' ? 200 : 304).end()
      }),
    )
    await send(`${url}/login?email=ada@private.example`)
    await send(`${url}/api/templates/t1`, undefined, { ...headers, 'if-none-match': '"1"' })
    expect(lines).toEqual([])
    expect(observations.toJson().unjudged.map(({ item }) => item)).toEqual(['GET /login', 'getTemplate'])
    expect(observations.exitCode).toBe(3)
  })
})

describe('one exchange shows', () => {
  const message = {
    ...{ _id: 'm1', channel: 'sms', direction: 'outgoing', content: 'Hello', status: 'sent', contactId: 'c1' },
    ...{ conversationId: 'v1', createdAt: contact.createdAt },
  }
  const history = (pagination: object, ...messages: object[]) => ({
    data: [{ date: '2026-03-01', messages }],
    pagination: { total: 2, currentPage: 1, totalPages: 2, hasMore: true, ...pagination },
  })
  const template = {
    _id: 't1',
    templateType: 'sms',
    name: 'Hours',
    uniqueName: 'hours',
    content: 'We',
    status: 'approved',
  }
  const list = (pagination: object, ...data: object[]) => ({
    data,
    pagination: { totalResults: 2, totalPages: 2, currentPage: 1, limit: 1, hasMore: true, ...pagination },
  })
  const sms = { channel: 'sms', content: 'Hello', providerId: 'p1' }
  const query = 'page=1&limit=1&types=sms&statuses=approved'
  const conversation = {
    _id: 'v1',
    teamId: 'demo',
    createdAt: contact.createdAt,
    contactId: { _id: 'c1', name: 'Ada' },
  }

  it.each([
    ['message.keepsItsChannel', '/messages/sendMessage', { ...sms, channel: 'whatsapp', to: '+12125550100' }, message],
    ['message.goesToTheConversationNamed', '/messages/sendMessage', { ...sms, conversationId: 'v2' }, message],
    ['message.isOutgoing', '/messages/sendMessage', { ...sms, contactId: 'c1' }, { ...message, direction: 'incoming' }],
    ['message.isSent', '/messages/sendMessage', { ...sms, contactId: 'c1' }, { ...message, status: 'queued' }],
    ['conversation.contactIsTheOneMeant', '/conversations', { contactId: 'c2' }, conversation],
    [
      'quote.createShowsTheRecord',
      '/quotes',
      { dealId: 'd1' },
      { _id: 'q1', dealId: 'd2', name: 'Q', status: 'draft' },
    ],
    ['template.smsStartsApproved', '/templates', { ...template, provider: 'p1' }, { ...template, status: 'pending' }],
  ])('that %s is broken', async (promise, path, body, data) => {
    const status = path === '/messages/sendMessage' ? 200 : 201
    const { url, observations } = await observing(
      await serverThatSays(status, { success: true, message: 'Done', data }),
    )
    await send(`${url}/api${path}`, body)
    expect(observations.toJson().findings.map((finding) => finding.promise)).toEqual([promise])
  })

  it.each([
    ['message.historyIsOfOneConversation', '/messages/v2?page=1&limit=9', history({}, message)],
    ['message.historyFiltersByChannel', '/messages/v1?page=1&limit=9&channel=email', history({}, message)],
    ['message.historyLimitHolds', '/messages/v1?page=1&limit=1', history({}, message, { ...message, _id: 'm2' })],
    ['message.historyCurrentPage', '/messages/v1?page=2&limit=1', history({}, message)],
    [
      'message.historyDatesAreDistinct',
      '/messages/v1?page=1&limit=9',
      { ...history({}), data: [...history({}, message).data, ...history({}, { ...message, _id: 'm2' }).data] },
    ],
    ['conversation.listIsOfOneContact', '/conversations/getAllConversationsOfContact/c2', { data: [conversation] }],
    [
      'template.listFiltersByType',
      `/templates?${query}`,
      list({}, { ...template, templateType: 'email', subject: 'S' }),
    ],
    ['template.typesMayRepeat', `/templates?${query}&types=email`, list({}, { ...template, templateType: 'whatsapp' })],
    ['template.listFiltersByStatus', `/templates?${query}`, list({}, { ...template, status: 'pending' })],
    ['template.listLimitHolds', `/templates?${query}`, list({}, template, { ...template, _id: 't2' })],
    ['template.listCurrentPage', `/templates?${query.replace('page=1', 'page=2')}`, list({}, template)],
    ['template.listTotalPages', `/templates?${query}`, list({ totalPages: 3 }, template)],
    ['template.listTotalPages', `/templates?${query}`, list({ totalPages: 1 }, template)],
    ['template.listHasMore', `/templates?${query}`, list({ hasMore: false }, template)],
    ['message.historyHasMore', '/messages/v1?page=1&limit=1', history({ hasMore: false }, message)],
    ['message.historyHasMore', '/messages/v1?page=2&limit=1', history({ currentPage: 2 }, message)],
  ])('that %s is broken by a list', async (promise, path, body) => {
    const { url, observations } = await observing(
      await serverThatSays(200, { success: true, message: 'Done', ...body }),
    )
    await send(`${url}/api${path}`)
    expect(observations.toJson().findings.map((finding) => finding.promise)).toEqual([promise])
  })

  it('that a repeated request with the same key was carried out twice, unless the data may be new', async () => {
    let count = 0
    const server = await serverThat((_, response) => {
      response.writeHead(201, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ success: true, data: { ...contact, _id: `c${count++}` } }))
    })
    const { url, lines } = await observing(server)
    const keyed = (key: string) => send(`${url}/api/contacts`, names, { ...headers, 'idempotency-key': key })
    await keyed('one')
    await send(`${url}/reset`, {})
    await keyed('one')
    await keyed('two')
    expect(lines).toEqual([])
    await keyed('one')
    expect(lines).toEqual([
      expect.stringMatching(/^! envelope\.retriesAreSafe: createContact answered 201: expected the/),
    ])
  })
})

describe('a bad request', () => {
  it.each([
    ['createContact: lastName is required', '/api/contacts', JSON.stringify({ firstName: 'Ada' })],
    ['createContact: the body must be valid JSON', '/api/contacts', '{'],
    [
      'findOrCreateConversation: nickname is not a field of this request',
      '/api/conversations/getConversationByPhoneAndEmail',
      '{"nickname":"Ada"}',
    ],
  ])('is sent on, and reported apart: %s', async (complaint, path, body) => {
    await using sandbox = await createSandbox({ port: 0 })
    const { url, lines, observations } = await observing(sandbox.url)
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'x-api-key': 'demo-key' },
      body,
    })
    expect(response.status).toBe(400)
    expect(lines).toEqual([`~ bad request: ${complaint}`])
    expect(observations.exitCode).toBe(0)
  })

  it('counts with --strict', async () => {
    const server = await serverThatSays(400, { success: false, message: 'lastName is missing' })
    const { url, observations } = await observing(server, { strict: true })
    await send(`${url}/api/contacts`, { firstName: 'Ada' })
    expect(observations.exitCode).toBe(1)
  })

  it('is refused with --block, and never reaches the server', async () => {
    let count = 0
    const server = await serverThat((_, response) => {
      count++
      response.end()
    })
    const { url } = await observing(server, { block: true })
    const response = await send(`${url}/api/contacts`, { firstName: 'Ada' })
    const message = 'crm-sandbox observe refused this request: lastName is required'
    expect([response.status, await response.json(), count]).toEqual([400, { success: false, message }, 0])
  })
})

it.each([
  [
    'POST',
    '/contacts',
    '{"firstName":"Ada","lastName":"L","emial":"a@b.c"}',
    'createContact has no field emial (did you mean email?)',
  ],
  [
    'GET',
    '/messages/c1?page=1&limit=5&chanel=sms',
    undefined,
    'listMessages has no parameter chanel (did you mean channel?)',
  ],
  ['GET', '/templates/t1?page=1', undefined, 'getTemplate has no parameter page'],
  ['DELETE', '/contacts/c1', '{"force":true}', 'deleteContact takes no body'],
  ['DELETE', '/contacts/c1', '{}', undefined],
])(
  'what an operation does not have is reported, and is no bad request: %s %s',
  async (method, path, body, sentence) => {
    const server = await serverThatSays(500, { success: false, message: 'Internal server error' })
    const { url, lines, observations } = await observing(server, { strict: true, block: true })
    await fetch(`${url}/api${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
    expect(lines).toEqual(sentence === undefined ? [] : [`~ not documented: ${sentence}`])
    expect(observations.exitCode).toBe(0)
    expect(JSON.stringify(observations.toDocument())).toContain(sentence ?? 'Sent, though not documented')
  },
)

describe('the proxy', () => {
  it('sends requests on unchanged, with the prefix of the target', async () => {
    const seen: unknown[] = []
    const server = await serverThat((request, response) => {
      void readAll(request).then((body) => {
        const { method, url, headers: sent, rawHeaders } = request
        seen.push([method, url, sent.authorization, rawHeaders.includes('X-Tenant'), body.toString()])
        response.setHeader('set-cookie', ['a=1', 'b=2'])
        response.writeHead(418, 'Teapot', { 'x-own': 'kept' }).end('tea')
      })
    })
    const { url } = await observing(`${server}/crm`)
    const sent = httpRequest(url, {
      method: 'PATCH',
      path: '/api/../x%2Fy?q=%20&q=2',
      headers: { authorization: 'Bearer abc', 'X-Tenant': 't' },
    })
    sent.end('some text')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(seen).toEqual([['PATCH', '/crm/api/../x%2Fy?q=%20&q=2', 'Bearer abc', true, 'some text']])
    expect([response.statusCode, String(await readAll(response)), response.headers['x-own']]).toEqual([
      418,
      'tea',
      'kept',
    ])
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2'])
  })

  it('passes large bodies, and judges the compressed ones as their text', async () => {
    const server = await serverThat((request, response) => {
      void readAll(request).then((body) => {
        const digest = createHash('sha256').update(body).digest('hex')
        const zipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
        if (request.url === '/api/contacts') response.writeHead(201, zipped)
        response.end(
          request.url === '/api/contacts' ? gzipSync(JSON.stringify({ data: { ...contact, digest } })) : body,
        )
      })
    })
    const { url, observations } = await observing(server)
    const large = randomBytes(20 * 1024 * 1024)
    const echoed = await fetch(`${url}/files`, { method: 'PUT', body: large })
    expect(Buffer.from(await echoed.arrayBuffer()).equals(large)).toBe(true)
    // A body beyond the limit is not checked, so its missing lastName is not reported.
    const json = JSON.stringify({ firstName: 'Ada', source: large.toString('base64') })
    const response = await fetch(`${url}/api/contacts`, { method: 'POST', headers, body: json })
    const { data } = (await response.json()) as { data: { digest: string } }
    expect(data.digest).toBe(createHash('sha256').update(json).digest('hex'))
    expect(observations.toJson()).toMatchObject({
      badRequests: [],
      findings: [],
      judged: [{ item: 'createContact', count: 1 }],
    })
  })

  it('judges no more large bodies at once than there is room for, and passes the others', async () => {
    const large = JSON.stringify({ data: { ...contact, source: 'x'.repeat(15 * 1024 * 1024) } })
    const open: ServerResponse[] = []
    const server = await serverThat((_, response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).write(large.slice(0, -1))
      open.push(response)
    })
    const { url, observations } = await observing(server)
    let received = 0
    const create = async () => {
      const response = await fetch(`${url}/api/contacts`, { method: 'POST', headers, body: JSON.stringify(names) })
      for await (const chunk of response.body ?? []) received += (chunk as Buffer).length
    }
    const all = Promise.all(Array.from({ length: 10 }, create))
    await expect.poll(() => received).toBe(10 * (large.length - 1))
    for (const response of open) response.end('}')
    await all
    expect(observations.toJson()).toMatchObject({ judged: [{ count: 8 }], unjudged: [{ reason: 'tooLong', count: 2 }] })
  })

  it.each(['request', 'response'])(
    'unpacks no more than 16 MiB of a %s, passes its bytes, and says so',
    async (side) => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
      const zipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      const server = await serverThat((request, response) => {
        void readAll(request).then((body) => {
          response.writeHead(201, side === 'response' ? zipped : { 'content-type': 'application/json' })
          response.end(
            side === 'response' ? bomb : JSON.stringify({ data: { ...contact, source: String(body.length) } }),
          )
        })
      })
      const { url, observations } = await observing(server)
      const body = side === 'request' ? bomb : JSON.stringify(names)
      const sent = httpRequest(`${url}/api/contacts`, {
        method: 'POST',
        headers: { ...headers, ...(side === 'request' && zipped) },
      })
      sent.end(body)
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const received = await readAll(response)
      if (side === 'response') expect(received.equals(bomb)).toBe(true)
      else expect(received.toString()).toContain(`"source":"${bomb.length}"`)
      expect(observations.toJson().unjudged).toEqual([{ item: 'createContact', reason: 'tooLong', count: 1 }])
      expect(JSON.stringify(observations.toDocument())).toContain('Not judged, as a body is longer than 16 MiB, has')
    },
  )

  it.each([
    ['another name', 'GET /_sandbox/world HTTP/1.1', ['Host: evil.test'], /not called evil\.test; .*--allow-host/],
    [
      'a page of another name',
      'GET / HTTP/1.1',
      ['Host: localhost', 'Origin: http://evil.test:4011'],
      /pages of http:\/\/evil/,
    ],
    ['a page without a name', 'GET / HTTP/1.1', ['Host: localhost', 'Origin: null'], /pages of null/],
    ['another server', 'GET http://internal.test/ HTTP/1.1', ['Host: localhost'], /must be a path/],
  ])('refuses a request to %s', async (_, line, lines, sentence) => {
    const asked: unknown[] = []
    const server = await serverThat((request, response) => {
      asked.push(request.url)
      response.end()
    })
    const { url } = await observing(server)
    const { status, body, headers } = await sendRaw(url, [line, ...lines])
    expect([status, asked]).toEqual([400, []])
    expect(headers['x-sandbox-unknown-host']).toBe(lines.includes('Host: evil.test') ? 'evil.test' : undefined)
    expect((JSON.parse(body) as { message: string }).message).toMatch(sentence)
  })

  it('passes requests to its names and to the allowed ones, and no header that Connection names', async () => {
    const seen: unknown[] = []
    const server = await serverThat((request, response) => {
      seen.push([request.headers.origin, request.headers['x-own'], request.headers['x-kept']])
      response.writeHead(200, { connection: 'x-hop', 'x-hop': '1', 'x-kept': '1' }).end()
    })
    const { url } = await observing(server, { allowHosts: ['app.test'] })
    const own = ['Host: app.test:4011', 'Origin: https://app.test', 'Connection: x-own', 'X-Own: 1', 'X-Kept: 1']
    const { headers: received } = await sendRaw(url, ['GET / HTTP/1.1', ...own])
    expect([received['x-hop'], received['x-kept']]).toEqual([undefined, '1'])
    await sendRaw(url, ['GET / HTTP/1.1', 'Host: 127.0.0.1', 'Origin: http://localhost:5173'])
    expect(seen).toEqual([
      ['https://app.test', undefined, '1'],
      ['http://localhost:5173', undefined, undefined],
    ])
  })

  it('passes an event stream as it comes', async () => {
    await using sandbox = await createSandbox({ port: 0 })
    const { url } = await observing(sandbox.url)
    const abort = new AbortController()
    const stream = await fetch(`${url}/_sandbox/requests/follow`, { signal: abort.signal })
    await createContact(sandbox)
    const reader = stream.body?.getReader()
    let text = ''
    while (!text.includes('createContact')) text += Buffer.from((await reader?.read())?.value ?? []).toString()
    abort.abort()
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
  })

  it('passes the head of an event stream before its first event', async () => {
    const server = await serverThat((_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
    )
    const { url } = await observing(server)
    const abort = new AbortController()
    const stream = await fetch(`${url}/events`, { signal: abort.signal })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    abort.abort()
  })

  it('answers 502 when the target cannot be reached, and counts that apart', async () => {
    const { url, lines, observations } = await observing('http://127.0.0.1:1')
    const response = await send(`${url}/api/contacts`, names)
    const message = expect.stringMatching(
      /^crm-sandbox observe gets no response from http:\/\/127\.0\.0\.1:1 \(.*ECONNREFUSED/,
    )
    expect([response.status, await response.json()]).toEqual([502, { success: false, message }])
    expect(lines).toEqual([expect.stringMatching(/^\? no response: createContact: connect ECONNREFUSED/)])
    expect(observations.exitCode).toBe(3)
  })

  it.each([
    [false, 0, 'no promise was broken; 2 requests got no response'],
    [true, 3, 'inconclusive; 2 requests got no response'],
  ])('says in the verdict that the target closed connections, with strict %s', async (strict, exitCode, verdict) => {
    let count = 0
    const server = await serverThat((_, response) => {
      if (++count > 1) response.destroy()
      else response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ data: contact }))
    })
    const { url, observations } = await observing(server, { strict })
    for (let sent = 0; sent < 3; sent++) await send(`${url}/api/contacts`, names)
    expect([observations.exitCode, observations.toDocument().verdict]).toEqual([exitCode, verdict])
  })

  it('breaks off a response that the target breaks off', async () => {
    const server = await serverThat((_, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"success"', () => response.destroy())
    })
    const { url, lines } = await observing(server)
    const response = await send(`${url}/api/contacts`, names)
    await expect(response.text()).rejects.toThrow()
    expect(lines).toEqual(['? no response: createContact: the response broke off'])
  })
})

describe('a report', () => {
  const secret = 'canary-key-of-a-team'

  it('contains no body and no credential', async () => {
    const data = { ...contact, createdAt: `yesterday, ${secret}` }
    const { url, observations, lines } = await observing(await serverThatSays(201, { success: true, data }))
    await send(`${url}/api/contacts`, names, { ...headers, 'x-api-key': secret })
    await send(`${url}/files/${secret}`, {}, { ...headers, 'x-api-key': secret })
    expect(lines[0]).toMatch(/, got \{"data\.createdAt":a text \(hidden\)\}$/)
    const text = JSON.stringify([observations.toJson(), observations.toDocument(), observations.toCases()])
    expect(text).toContain('contact.timesAreIso')
    expect(text).not.toMatch(/canary|private\.example|Lovelace|yesterday/)
  })

  it('contains the bodies of a finding with --bodies, still without credentials', async () => {
    const data = {
      ...contact,
      createdAt: `yesterday, ${secret}`,
      apiKey: 'canary-api',
      auth: { token: 'canary-token' },
    }
    const { url, observations } = await observing(await serverThatSays(201, { data }), { bodies: true })
    const body = { ...names, password: 'canary-password' }
    await send(`${url}/api/contacts`, body, { ...headers, 'x-api-key': secret })
    const text = JSON.stringify(observations.toDocument())
    expect(text).toMatch(/yesterday, \[redacted\]/)
    expect(text).not.toContain('canary')
  })

  it('lists in JUnit each judged operation and each finding', async () => {
    const { url, observations } = await observing(await serverThatSays(200, { data: contact }))
    await send(`${url}/api/contacts`, { firstName: 'Ada' })
    await send(`${url}/api/contacts`, names)
    const cases = observations.toCases().cases.map(({ name, result }) => [name, result])
    expect(cases).toEqual([
      ['createContact was judged', 'passed'],
      ['contact.createAnswers201', 'failure'],
      ['contact.createRequires', 'failure'],
      ['createContact: lastName is required', 'passed'],
    ])
  })

  it('gives two findings about one promise and one operation different names in JUnit', async () => {
    const statuses = [422, 418]
    const server = await serverThat((_, response) => {
      response.writeHead(statuses.shift() ?? 500, { 'content-type': 'application/json' }).end('{"success":false}')
    })
    const { url, observations } = await observing(server)
    for (let count = 0; count < 2; count++) await send(`${url}/api/contacts`, names)
    const named = observations.toCases().cases.map(({ name }) => name)
    expect(named).toEqual(expect.arrayContaining(['error.statusIsDocumented', 'error.statusIsDocumented (2)']))
  })
})

const createContact = (sandbox: Sandbox) =>
  sandbox.fetch('/api/contacts', {
    method: 'POST',
    headers: { ...headers, 'x-api-key': 'demo-key' },
    body: JSON.stringify(names),
  })

/** The promises that the code of observe names, or finds by the shape or the status of a response. */
function judgedPromises(): string[] {
  const code = ['document', 'requests', 'teams']
    .map((file) => readFileSync(`contracts/judge/laws/${file}.ts`, 'utf8'))
    .join('\n')
  const alone = laws.filter(({ needsAll = false }) => !needsAll).flatMap((law) => law.promises)
  const shapes = Object.values(rows).flatMap(({ shape }) => shape.map(([, id]) => id))
  const statuses = Object.values(operations).map(({ id, successStatuses }) =>
    promises.find((one) => one.operations.includes(id) && successStatuses.some((is) => is === one.status)),
  )
  return promises
    .filter(
      (entry) =>
        alone.includes(entry.id) ||
        (code.includes(`'${entry.id}'`) && !entry.id.endsWith('StayInTheTeam')) ||
        shapes.includes(entry.id) ||
        statuses.includes(entry) ||
        isRefusal(entry),
    )
    .map(({ id }) => id)
}

const isRefusal = ({ kind }: (typeof promises)[number]) => kind === 'missing' || kind === 'unlisted' || kind === 'value'

it('docs/observe.md lists the promises that observe judges, with their strength', () => {
  const [, list = ''] = readFileSync('docs/observe.md', 'utf8').split('## What is judged')
  const listed = [...list.matchAll(/^- `(\w+)`: ([^]*?)\n(?! )/gm)].flatMap(([, group = '', names = '']) =>
    [...names.matchAll(/`(\w+)`(\s\(usual\))?/g)].map(
      ([, name = '', usual]) => `${group}.${name} ${usual === undefined ? 'firm' : 'usual'}`,
    ),
  )
  const strengthOf = (id: string) => promises.find((entry) => entry.id === id)?.strength ?? 'firm'
  expect(listed).toEqual(judgedPromises().map((id) => `${id} ${strengthOf(id)}`))
})
