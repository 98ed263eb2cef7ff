import { describe, expect, it } from 'vitest'
import { furnished, ada, idOf } from './requests.ts'
import { bearerOf, openSandbox, twoTeams } from './helpers.ts'
import { sendRaw } from './raw-http.ts'

const json = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }

describe('a hint', () => {
  const hintTo = async (method: string, path: string, body?: object, headers: Record<string, string> = json) => {
    const { sandbox } = await openSandbox({ world: furnished })
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const answer = await sandbox.fetch(path, init)
    return `${answer.status} ${answer.headers.get('x-sandbox-hint') ?? 'no hint'}`
  }

  it.each([
    ['POST', '/api/contact', 'POST /api/contacts'],
    ['POST', '/api/v1/contacts', 'POST /api/contacts'],
    ['POST', '/api//contacts', 'POST /api/contacts'],
    ['POST', '/api/contacts/createOrUpdate', 'POST /api/contacts/createOrUpdateContact'],
    ['GET', '/api/contacs', 'POST /api/contacts'],
    ['PUT', '/api/product/66f0a1b2c3d4e5f601230001', 'PUT /api/products/{productId}'],
    ['GET', '/api/message/66f0a1b2c3d4e5f601230001?page=1', 'GET /api/messages/{conversationId}'],
    ['GET', '/doc', 'GET /docs'],
    ['GET', '/openapi.yaml', 'GET /openapi.json'],
    ['POST', '/_sandbox/team', 'POST /_sandbox/teams'],
  ])('says what a wrong path may have meant: %s %s', async (method, path, meant) => {
    expect(await hintTo(method, path)).toBe(`404 no such path; did you mean ${meant}`)
  })

  it.each(['/api/zzzzzz', '/qqq', `/api/${'x'.repeat(3000)}`, '/wp-admin.php', '/api/contacts%00'])(
    'points to the list of paths when nothing is like it: %s',
    async (path) => {
      expect(await hintTo('GET', path)).toMatch(
        /^404 no such path; (\/docs shows those that there are|did you mean .*)$/,
      )
    },
  )

  it.each([
    ['GET', '/api/contacts', 'POST'],
    ['PATCH', '/api/contacts/66f0a1b2c3d4e5f601230001', 'PUT or DELETE'],
    ['DELETE', '/api/templates', 'GET or POST'],
    ['POST', '/openapi.json', 'GET'],
    ['GET', '/_sandbox/reset', 'POST'],
    ['POST', '/_sandbox/faults/verify', 'GET or DELETE'],
  ])('says which methods a path takes: %s %s', async (method, path, methods) => {
    expect(await hintTo(method, path)).toBe(`404 this path takes ${methods}, not ${method}`)
  })

  it('names all other faults of a body, and what may be misspelt', async () => {
    const faults = ['channel must be one of sms, whatsapp', 'content is required', 'providerId is required']
    const { sandbox } = await openSandbox()
    const body = JSON.stringify({ channel: 'fax', contnet: 'Hello' })
    const answer = await sandbox.fetch('/api/messages/sendMessage', { method: 'POST', headers: json, body })
    const { message } = (await answer.json()) as { message: string }
    const hint = answer.headers.get('x-sandbox-hint') ?? ''
    const told = faults.filter((fault) => message === fault)
    expect(told).toHaveLength(1)
    for (const fault of faults) expect(hint.includes(fault), fault).toBe(!told.includes(fault))
    expect(hint).toContain('sendMessage has no field contnet (did you mean content?)')
    expect((await sandbox.requests.find({ last: 1 }))[0]?.answered.headers).toMatchObject({ 'x-sandbox-hint': hint })
  })

  const sms = { channel: 'sms', content: 'Hello', providerId: 'fax', to: '+14155550123' }
  const deal = { name: 'Engines', pipeline: 'x', stage: 'x' }
  it.each([
    [
      '/api/messages/sendMessage',
      sms,
      /^this team has email-provider \(email, hello@acme.example.com\), sms-provider \(/,
    ],
    ['/api/deals/create', deal, 'this team has sales'],
    ['/api/deals/create', { ...deal, pipeline: 'sales' }, 'this team has new (of sales), won (of sales)'],
    ['/api/contacts', { ...ada, groupIds: ['x'] }, 'this team has vip'],
  ] as const)('lists what the team has where %s names something else: %o', async (path, body, known) => {
    const assume = { dealReferences: 'refused', contactReferences: 'refused' } as const
    const [acme, ...others] = twoTeams.teams
    const named = { pipelines: [{ _id: 'sales', stages: ['new', 'won'] }], groups: ['vip'] }
    const { sandbox } = await openSandbox({
      assume,
      world: { teams: [...(acme ? [{ ...acme, ...named }] : []), ...others] },
    })
    const answer = await sandbox.fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
    expect([answer.status, answer.headers.get('x-sandbox-hint')]).toEqual([
      400,
      typeof known === 'string' ? known : expect.stringMatching(known),
    ])
  })

  it('reports an id in the path that is malformed, unknown or the id of another kind of record', async () => {
    expect(await hintTo('DELETE', '/api/contacts/ada')).toBe(
      '404 contactId is not in the form of an id, which is 24 hexadecimal characters',
    )
    expect(await hintTo('DELETE', '/api/contacts/66f0a1b2c3d4e5f601230001')).toBe(
      '404 contactId is the id of a company, not of a contact',
    )
    expect(await hintTo('DELETE', '/api/contacts/66f0a1b2c3d4e5f601239999')).toBe(
      '404 contactId is not the id of a contact of this team',
    )
  })

  it('says which of the ids in a body is at fault', async () => {
    const message = { channel: 'chat', content: 'Hello', conversationId: '66f0a1b2c3d4e5f601230001' }
    expect(await hintTo('POST', '/api/messages/sendLiveMessage', message)).toBe(
      '404 conversationId is the id of a company, not of a conversation',
    )
    expect(await hintTo('POST', '/api/quotes', { dealId: 'deal-1' })).toBe(
      '404 dealId is not in the form of an id, which is 24 hexadecimal characters',
    )
  })

  it('looks up the first twenty of a list of ids, and no more', async () => {
    const email = { channel: 'email', subject: 'News', content: 'Hello', providerId: 'email-provider' }
    const [known, unknown] = ['66f0a1b2c3d4e5f601234567', 'nobody']
    const hintAt = (place: number) =>
      hintTo('POST', '/api/messages/sendEmailMessage', {
        ...email,
        recipientIds: Array.from({ length: 25 }, (_, at) => (at === place ? unknown : known)),
      })
    expect(await hintAt(19)).toBe('404 recipientIds is not in the form of an id, which is 24 hexadecimal characters')
    expect(await hintAt(20)).toBe('404 no hint')
  })

  it('reveals nothing about another team', async () => {
    const { sandbox, call } = await openSandbox()
    const theirs = await idOf(call('createContact', { body: ada, key: 'globex-key' }))
    const hints = [theirs, '66f0a1b2c3d4e5f601239999'].map(async (id) => {
      const { headers } = await sandbox.fetch(`/api/contacts/${id}`, { method: 'DELETE', headers: json })
      return headers.get('x-sandbox-hint')
    })
    expect(await hints[0]).toBe('contactId is not the id of a contact of this team')
    expect(await hints[1]).toBe(await hints[0])
  })

  it('reveals nothing to an agent about the templates of other users', async () => {
    const { sandbox, call } = await openSandbox({ world: furnished })
    const headers = await bearerOf(sandbox, { role: 'agent' })
    const hintFor = async (path: string) =>
      (await sandbox.fetch(path, { method: 'DELETE', headers })).headers.get('x-sandbox-hint')
    const [theirs, nobodys] = ['66f0a1b2c3d4e5f601236001', '66f0a1b2c3d4e5f601239999']
    expect(await hintFor(`/api/templates/${theirs}`)).toBe(await hintFor(`/api/templates/${nobodys}`))
    expect(await hintFor(`/api/contacts/${theirs}`)).toBe(await hintFor(`/api/contacts/${nobodys}`))
    expect((await call('getTemplate', { path: { templateId: theirs } })).status).toBe(200)
  })

  it.each([
    [{}, 'send the key of a team as x-api-key, or a token as Authorization: Bearer'],
    [{ 'x-api-key': 'nobody' }, 'no team has this x-api-key'],
    [{ 'x-api-key': 'nobody', authorization: 'Bearer x' }, 'key and token open nothing'],
    [
      { authorization: 'Bearer x' },
      'this token opens nothing: it may be expired, ended by a reset, or signed elsewhere',
    ],
    [{ authorization: 'x.y.z' }, 'send a token with the word Bearer before it, as in Authorization: Bearer TOKEN'],
    [{ authorization: 'Bearer acme-key' }, 'this is the key of a team: send it as x-api-key'],
  ])('says what to send to be let in: %o', async (headers, hint) => {
    expect(await hintTo('GET', '/api/templates?page=1&limit=1&types=sms&statuses=approved', undefined, headers)).toBe(
      `401 ${hint}`,
    )
  })

  it('is not there when the answer says enough', async () => {
    expect(await hintTo('POST', '/api/contacts', { firstName: 'Ada' })).toBe('400 no hint')
    expect(await hintTo('POST', '/api/contacts', { firstName: 'Ada', lastName: 'Lovelace' })).toBe('201 no hint')
  })
})

it('says that the message to reply to is not one, where that is refused', async () => {
  const { sandbox } = await openSandbox({ world: furnished, assume: { replyToUnknown: 'refused' } })
  const body = {
    channel: 'email',
    subject: 'News',
    content: 'Hello',
    providerId: 'email-provider',
    to: 'ada@example.com',
    replyToMessageId: '66f0a1b2c3d4e5f601230001',
  }
  const init = { method: 'POST', headers: json, body: JSON.stringify(body) }
  const { headers } = await sandbox.fetch('/api/messages/sendEmailMessage', init)
  expect(headers.get('x-sandbox-hint')).toBe('replyToMessageId is the id of a company, not of a message')
})

it('repeats no part of the request', async () => {
  const { sandbox } = await openSandbox({ port: 0 })
  for (const target of ['GET /api/<script>', 'GET /api/%0d%0aset-cookie:a=b', 'PROPFIND /api/contacts']) {
    const { headers } = await sendRaw(sandbox.url, [`${target} HTTP/1.1`, 'Host: localhost'])
    expect(headers['x-sandbox-hint']).toMatch(/^[\w ;,/{}.-]+$/)
    expect(headers['set-cookie']).toBeUndefined()
  }
})
