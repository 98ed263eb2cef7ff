import { describe, expect, it } from 'vitest'
import { concernedBy, examples, furnished, ada, unknownId } from './requests.ts'
import { openFurnished } from './requests.ts'
import type { SandboxOptions } from '../../mock/create-sandbox.ts'
import { openSandbox } from './helpers.ts'

describe('a request with more than is documented', () => {
  const unlisted = concernedBy('unlistedFields').filter(
    (id) => id !== 'createContactWithConversation' && id !== 'createConversation',
  )

  it.each(unlisted)('unlistedFields decides what %s does with an unlisted field', async (id) => {
    const body = { ...examples[id].body, favouriteEngine: 'Difference' }
    const kept = await openFurnished({ unlistedFields: 'kept', templateFields: 'allSent' })
    const dropped = await openFurnished({ unlistedFields: 'dropped' })
    const refused = await openFurnished({ unlistedFields: 'refused' })
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

  it.each(unlisted)('serverFieldsSent decides what %s does with a field that the service writes', async (id) => {
    for (const [field, value] of Object.entries({
      _id: unknownId,
      teamId: 'theirs',
      createdAt: '1815',
      updatedAt: '1843',
    })) {
      const body = { ...examples[id].body, [field]: value }
      const ignored = await openFurnished({ serverFieldsSent: 'ignored' })
      const refused = await openFurnished({ serverFieldsSent: 'refused' })
      const good = await ignored.call(id, { ...examples[id], body })
      const bad = await refused.call(id, { ...examples[id], body })
      expect([good.status < 300, bad.status]).toEqual([true, 400])
      expect(bad.body.message).toBe(`${field} is written by the service; leave it out`)
      expect([good.assumed, bad.assumed]).toEqual(Array(2).fill(expect.arrayContaining(['serverFieldsSent'])))
      expect(JSON.stringify(await ignored.sandbox.world())).not.toContain(JSON.stringify(value))
      expect(await refused.sandbox.world()).toEqual(furnished)
    }
  })
})

const json = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }

async function open(options: Partial<SandboxOptions> = {}) {
  const { sandbox } = await openSandbox(options)
  const send = (path: string, body?: object, method = body ? 'POST' : 'GET') =>
    sandbox.fetch(path, { method, headers: json, ...(body && { body: JSON.stringify(body) }) })
  return { sandbox, send }
}

const template = '/api/templates/66f0a1b2c3d4e5f601239999'
const contact = { firstName: ada.firstName, lastName: ada.lastName }
const sms = { channel: 'sms', to: '+14155550123', content: 'Hi', provider: 'sms-provider' }

const named = [
  ['/api/contacts', { ...contact, emial: 'a@b.co' }, 201, 'createContact has no field emial (did you mean email?)'],
  ['/api/contacts', { ...contact, zzz: 1, _id: 'x' }, 201, 'createContact has no field zzz, _id'],
  [
    '/api/contacts',
    { ...contact, 'é\r\n': 1, b2: 1, b3: 1, b4: 1, b5: 1 },
    201,
    String.raw`createContact has no field "?\r\n", b2, b3, and 2 others`,
  ],
  [
    '/api/contacts?page=1',
    { ...contact, Email: 'a@b.co' },
    201,
    'createContact has no parameter page; createContact has no field Email (did you mean email?)',
  ],
  [
    '/api/contacts',
    { firstname: 'Ada', lastName: 'L' },
    400,
    'createContact has no field firstname (did you mean firstName?)',
  ],
  [
    '/api/messages/sendMessage',
    sms,
    400,
    'sendMessage has no field provider (did you mean providerId?); this team has email-provider (email, hello@acme.example.com), sms-provider (sms, +14155550100), whatsapp-provider (whatsapp, +14155550101)',
  ],
  [
    '/api/quotes',
    { dealId: 'deal-1', titel: 'x' },
    404,
    'createQuote has no field titel; dealId is not in the form of an id, which is 24 hexadecimal characters',
  ],
] as const

describe('a field or parameter that an operation does not have', () => {
  it.each(named)('is named in the answer and in the journal: %s %j', async (path, body, status, hint) => {
    const { sandbox, send } = await open()
    const answer = await send(path, body)
    expect([answer.status, answer.headers.get('x-sandbox-hint')]).toEqual([status, hint])
    expect((await sandbox.requests.find())[0]?.answered.headers).toMatchObject({ 'x-sandbox-hint': hint })
  })

  it('is named in a form and in a list of any length', async () => {
    const { sandbox, send } = await open()
    const form = new FormData()
    for (const [name, value] of Object.entries({ templateType: 'whatsapp', name: 'Hi', bodyy: 'x' }))
      form.set(name, value)
    const answer = await sandbox.fetch('/api/templates', {
      method: 'POST',
      headers: { 'x-api-key': 'acme-key' },
      body: form,
    })
    expect(answer.headers.get('x-sandbox-hint')).toMatch(
      /^also: content is required; .*; createTemplate has no field bodyy$/,
    )
    const list = await send('/api/templates?page=1&limit=1&types=sms&statuses=approved&status=x')
    expect(list.headers.get('x-sandbox-hint')).toBe('listTemplates has no parameter status (did you mean statuses?)')
  })

  it('is not named when an assumption accepts it under another name', async () => {
    const { send } = await open()
    const answer = await send('/api/templates?page=1&limit=1&types[]=sms&statuses[]=approved')
    expect([answer.status, answer.headers.get('x-sandbox-hint')]).toEqual([200, null])
  })

  it('is also a body, where the operation takes none, unless it is an empty object', async () => {
    const { send } = await open()
    const told = await Promise.all([{ force: true }, {}].map((body) => send(template, body, 'DELETE')))
    expect(told.map(({ headers }) => headers.get('x-sandbox-hint'))).toEqual([
      'deleteTemplate takes no body; templateId is not the id of a template of this team',
      'templateId is not the id of a template of this team',
    ])
    const refused = await send('/api/contacts/deleteContactsByEmail', { email: 'ada@example.com' }, 'DELETE')
    expect(refused.headers.get('x-sandbox-hint')).toBe('deleteContactsByEmail takes no body')
  })

  it('is refused inside an attachment, with the nearest field', async () => {
    const { send } = await open()
    const body = { channel: 'chat', content: 'Hi', to: '+14155550123', attachments: [{ filename: 'plan.png' }] }
    expect(await (await send('/api/messages/sendLiveMessage', body)).json()).toMatchObject({
      message: 'filename is not a field of attachments (did you mean fileName?)',
    })
  })

  it('has its secret redacted in the journal', async () => {
    const { sandbox, send } = await open()
    await send('/api/contacts', { ...contact, 'acme-key': 1 })
    expect(JSON.stringify((await sandbox.requests.find())[0]?.answered.headers)).not.toContain('acme-key')
  })
})

describe('a strict sandbox', () => {
  it.each([
    [
      '/api/contacts',
      { ...contact, emial: 'a@b.co' },
      'createContact has no field emial (did you mean email?)',
      'emial',
    ],
    ['/api/contacts', { ...contact, createdAt: 'x' }, 'createContact has no field createdAt', 'createdAt'],
    [`${template}?x=1`, undefined, 'getTemplate has no parameter x', 'x'],
    [template, { force: true }, 'deleteTemplate takes no body', undefined, 'DELETE'],
  ] as const)('refuses it and says that the real service may not: %s %j', async (path, body, hint, field, method?) => {
    const { sandbox, send } = await open({ strict: true })
    const answer = await send(path, body, method)
    expect([answer.status, answer.headers.get('x-sandbox-hint'), await answer.json()]).toEqual([
      400,
      hint,
      { success: false, message: `${hint}; this sandbox is strict, and the real service may not refuse it` },
    ])
    expect(answer.headers.get('x-sandbox-assumed') ?? '').not.toMatch(/unlisted|serverFields/)
    const [entry] = await sandbox.requests.find()
    expect(entry).toMatchObject({ why: { limit: 'strict', ...(field !== undefined && { field }) }, changed: '' })
    expect((await sandbox.world()).teams[0]?.contacts ?? []).toEqual([])
  })

  it('accepts documented fields', async () => {
    const { send } = await open({ strict: true })
    expect((await send('/api/contacts', ada)).status).toBe(201)
  })
})
