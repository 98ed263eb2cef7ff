import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import type { Choice } from '../../spec/assumptions.ts'
import { seeEachChoice } from './each-choice.ts'
import { bearerOf, type Call, openSandbox, type Told, twoTeams } from './harness.ts'

const engine = { name: 'Difference engine', unitPrice: 1200, sku: 'DE-1' }
const chat = { channel: 'chat', content: 'Hello', to: '+14155550123' }
const whatsapp = { ...chat, channel: 'whatsapp', providerId: 'whatsapp-provider' }
const sms = { ...chat, channel: 'sms', providerId: 'sms-provider' }
const template = {
  templateType: 'sms',
  name: 'Hours',
  uniqueName: 'hours',
  content: 'We open',
  provider: 'sms-provider',
}
const lists = { page: 1, limit: 10 }

async function makeProduct(call: Call): Promise<{ productId: string }> {
  return { productId: (await call('createProduct', { body: engine })).body.data._id as string }
}

/** The messages in the conversation of a message. */
async function historyAfter(call: Call, { body }: Told) {
  const told = await call('listMessages', { path: { conversationId: body.data.conversationId as string } })
  const days = told.body.data as { messages: { status: string; content: string }[] }[]
  return { told, messages: days.flatMap(({ messages }) => messages) }
}

async function statusLater(call: Call, message: object) {
  const { told, messages } = await historyAfter(call, await call('sendMessage', { body: message }))
  return { told, seen: messages[0]?.status }
}

const approved: World = {
  teams: twoTeams.teams.map((team) => ({
    ...team,
    templates: [
      {
        _id: `${team._id}-template`,
        templateType: 'whatsapp',
        name: 'Order',
        uniqueName: 'order',
        content: 'Dear {{1}}',
        category: 'UTILITY',
        language: 'en_US',
        status: 'approved',
        provider: 'whatsapp-provider',
        ownerId: `${team._id}-admin`,
      },
    ],
    contacts: [
      {
        _id: '66f0a1b2c3d4e5f601234567',
        firstName: 'Ada',
        lastName: 'Lovelace',
        phone: '+14155550123',
        teamId: team._id,
        createdAt: '2026-03-01T09:30:00.000Z',
        updatedAt: '2026-03-01T09:30:00.000Z',
      },
    ],
    customFields: ['tier'],
  })),
}
const withParameter = (text: string) => ({
  ...whatsapp,
  templateId: 'acme-template',
  bodyParameters: [{ type: 'text', text }],
})
const bulk = { to: '+14155550123', channel: 'sms', content: 'We open', providerId: 'sms-provider' }
const inDays = (days: number) => ({
  date: new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  time: '09:00',
})

seeEachChoice({
  unlistedParameter: {
    story: (call) => call('createProduct', { body: engine, query: { colour: 'teal' } }),
    shows: { ignored: 201, refused: 400 },
    otherwise: (call) => call('listTemplates', { query: { ...lists, types: 'sms', statuses: 'approved' } }),
  },
  unusualJson: {
    story: async (call) => {
      const deep = JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown
      const told = await call('createCompany', { body: { name: 'Mill', additionalFields: { deep } } })
      const sent = '{"name":"Mill","additionalFields":{"__proto__":{"a":1},"constructor":{"prototype":1},"tier":1}}'
      const { body } = await call('createCompany', { body: sent })
      return { told, seen: [told.status, body.data?.additionalFields] }
    },
    shows: { refused: [400, undefined], accepted: [201, { tier: 1 }] },
    otherwise: (call) => call('createCompany', { body: { name: 'Mill', additionalFields: { deep: [[[]]] } } }),
  },
  nullField: {
    story: async (call) => {
      const told = await call('updateProduct', { path: await makeProduct(call), body: { sku: null } })
      return { told, seen: told.status === 400 ? 400 : told.body.data.sku }
    },
    shows: { refused: 400, omitted: 'DE-1', cleared: undefined },
    otherwise: (call) => call('createProduct', { body: engine }),
  },
  nestedUnlistedFields: {
    story: (call) => call('sendLiveMessage', { body: { ...chat, attachments: [{ colour: 'teal' }] } }),
    shows: { refused: 400, accepted: 200 },
    otherwise: (call) => call('sendLiveMessage', { body: { ...chat, attachments: [{ fileName: 'x' }] } }),
  },
  emptyOptionalId: {
    story: (call) => call('sendLiveMessage', { body: { ...chat, conversationId: '' } }),
    shows: { omitted: 200, unknown: 404 },
    otherwise: (call) => call('sendLiveMessage', { body: chat }),
  },
  unreachableMedia: {
    story: (call) => call('sendLiveMessage', { body: { ...chat, mediaUrl: 'https://192.168.0.1/a.png' } }),
    shows: { accepted: 200, refused: 400 },
    otherwise: (call) => call('sendLiveMessage', { body: { ...chat, mediaUrl: 'https://files.example.com/a.png' } }),
  },
  whatsappOutsideSession: {
    story: (call) => statusLater(call, whatsapp),
    shows: { sent: 'sent', failed: 'failed' },
    otherwise: async (call) => (await historyAfter(call, await call('sendMessage', { body: sms }))).told,
  },
  numberThatNobodyHas: {
    story: (call) => statusLater(call, { ...sms, to: '+99912345678' }),
    shows: { sent: 'sent', failed: 'failed' },
    otherwise: async (call) => (await historyAfter(call, await call('sendMessage', { body: sms }))).told,
  },
  bulkFieldOfOtherChannel: {
    story: (call) => call('sendBulkMessages', { body: { ...bulk, subject: 'News' } }),
    shows: { ignored: 200, refused: 400 },
    otherwise: (call) => call('sendBulkMessages', { body: bulk }),
  },
  scheduleHorizon: {
    story: (call) => {
      const body = { ...bulk, scheduleType: 'scheduled', scheduleTime: inDays(500) }
      return call('sendBulkMessages', { body })
    },
    shows: { none: 200 } as Record<Choice<'scheduleHorizon'>, number>,
    otherwise: (call) => call('sendBulkMessages', { body: bulk }),
  },
  smsCategory: {
    story: (call) => call('createTemplate', { body: { ...template, category: 'service' } }),
    shows: { anyString: 201, sameValues: 400 },
    otherwise: (call) => call('createTemplate', { body: { ...template, category: 'UTILITY' } }),
  },
  mergeFieldsInParameters: {
    world: approved,
    story: async (call) => {
      const told = await call('sendMessage', { body: withParameter('{{firstName}}') })
      return { told, seen: told.body.data.content }
    },
    shows: { rendered: 'Dear Ada', raw: 'Dear {{firstName}}' },
    otherwise: (call) => call('sendMessage', { body: withParameter('Ada') }),
  },
  bracketedParameter: {
    story: (call) => call('listTemplates', { query: { ...lists, 'types[]': ['sms'], 'statuses[0]': 'approved' } }),
    shows: { accepted: 200, refused: 400 },
    otherwise: (call) => call('listTemplates', { query: { ...lists, types: 'sms', statuses: 'approved' } }),
  },
  undefinedCustomField: {
    world: approved,
    story: async (call) => {
      const additionalFields = { tier: 'gold', motto: 'Go' }
      const told = await call('createCompany', { body: { name: 'Engines', additionalFields } })
      return { told, seen: told.status === 400 ? 400 : told.body.data.additionalFields }
    },
    shows: { stored: { tier: 'gold', motto: 'Go' }, dropped: { tier: 'gold' }, refused: 400 },
    otherwise: (call) => call('createCompany', { body: { name: 'Engines', additionalFields: { tier: 'gold' } } }),
  },
})

it('unusualJson=accepted reads 500 levels, and no more', async () => {
  const { call } = await openSandbox({ assume: { unusualJson: 'accepted' } })
  const status = async (levels: number) => {
    const deep = JSON.parse('['.repeat(levels - 2) + ']'.repeat(levels - 2)) as unknown
    return (await call('createCompany', { body: { name: 'Mill', additionalFields: { deep } } })).status
  }
  expect([await status(500), await status(501)]).toEqual([201, 400])
})

it('bulkRecipientLimit counts the receivers of an e-mail', async () => {
  const { call } = await openSandbox({ assume: { bulkRecipientLimit: 'atMost:2' } })
  const recipientIds: string[] = []
  for (const name of ['ada', 'grace', 'joan']) {
    const body = { firstName: name, lastName: 'x', email: `${name}@example.com` }
    recipientIds.push((await call('createContact', { body })).body.data._id as string)
  }
  const send = async (count: number) => {
    const email = { channel: 'email', subject: 'News', content: 'Hello', providerId: 'email-provider' }
    const body = { ...email, recipientIds: recipientIds.slice(0, count) }
    const { status, assumed } = await call('sendEmailMessage', { body })
    return [status, assumed.includes('bulkRecipientLimit')]
  }
  expect([await send(1), await send(2), await send(3)]).toEqual([
    [200, false],
    [200, true],
    [400, true],
  ])
})

it('scheduleHorizon=atMost refuses a later time', async () => {
  const { call } = await openSandbox({ assume: { scheduleHorizon: 'atMost:365' } })
  const schedule = async (days: number) => {
    const body = { ...bulk, scheduleType: 'scheduled', scheduleTime: inDays(days) }
    return (await call('sendBulkMessages', { body })).status
  }
  expect([await schedule(300), await schedule(500)]).toEqual([200, 400])
})

it('nullField=cleared keeps what a create requires', async () => {
  const { call } = await openSandbox({ assume: { nullField: 'cleared' } })
  const path = await makeProduct(call)
  expect((await call('updateProduct', { path, body: { name: null } })).status).toBe(400)
  expect((await call('updateProduct', { path, body: { sku: null } })).body.data).toEqual({
    _id: path.productId,
    name: engine.name,
    unitPrice: engine.unitPrice,
  })
  expect((await call('createProduct', { body: { ...engine, sku: null } })).status).toBe(201)
})

describe('expirationDateForm', () => {
  it.each([
    ['dateOrTimestamp', [200, 200, 400]],
    ['timestamp', [200, 400, 400]],
    ['anyString', [200, 200, 200]],
  ] as const)('=%s decides what is accepted', async (choice, statuses) => {
    const { call } = await openSandbox({ assume: { expirationDateForm: choice } })
    const deal = await call('createDeal', { body: { name: 'Engine', pipeline: 'sales', stage: 'offer' } })
    const quote = await call('createQuote', { body: { dealId: deal.body.data._id as string } })
    const path = { quoteId: quote.body.data._id as string }
    const update = (expirationDate: string) => call('updateQuote', { path, body: { expirationDate } })
    const answers = [await update('2030-01-31T09:00:00Z'), await update('2030-01-31'), await update('soon')]
    expect(answers.map(({ status }) => status)).toEqual(statuses)
    expect(answers.map(({ assumed }) => assumed.includes('expirationDateForm'))).toEqual([false, true, true])
  })
})

describe('trailingSlash', () => {
  it.each([
    ['accepted', [201, 200, 404]],
    ['notFound', [404, 404, 404]],
  ] as const)('=%s decides how a path with a slash at its end is answered', async (choice, statuses) => {
    const { sandbox, call } = await openSandbox({ assume: { trailingSlash: choice } })
    const path = await makeProduct(call)
    const ask = (url: string, method: string) =>
      sandbox.fetch(url, {
        method,
        headers: { 'x-api-key': 'acme-key', 'content-type': 'application/json' },
        body: JSON.stringify(engine),
      })
    const answers = [
      await ask('/api/products/', 'POST'),
      await ask(`/api/products/${path.productId}/`, 'PUT'),
      await ask('/api/pigeons/', 'POST'),
    ]
    expect(answers.map(({ status }) => status)).toEqual(statuses)
    expect(answers.map(({ headers }) => headers.get('x-sandbox-assumed')?.includes('trailingSlash') ?? false)).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('templateSendsByAgent', () => {
  it.each([
    ['allowed', 200],
    ['notFound', 404],
  ] as const)('=%s: an agent who sends the template of an admin is answered %i', async (choice, status) => {
    const { sandbox, call } = await openSandbox({ world: approved, assume: { templateSendsByAgent: choice } })
    const headers = await bearerOf(sandbox, { role: 'agent' })
    const told = await call('sendMessage', { body: withParameter('Ada'), key: null, headers })
    expect([told.status, told.assumed.includes('templateSendsByAgent')]).toEqual([status, true])
    expect((await call('sendMessage', { body: withParameter('Ada') })).assumed).not.toContain('templateSendsByAgent')
  })
})
