import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { seeEachChoice } from './each-choice.ts'
import { openSandbox, twoTeams } from './harness.ts'

// Fields that the document allows one by one, and that make no sense together or in their form.

const sms = {
  templateType: 'sms',
  name: 'Hours',
  uniqueName: 'hours',
  content: 'We open',
  provider: 'sms-provider',
}
const whatsapp = {
  templateType: 'whatsapp' as const,
  name: 'Order',
  uniqueName: 'order',
  content: 'Your order {{1}} has left',
  category: 'UTILITY',
  language: 'en',
  provider: 'whatsapp-provider',
}
const button = { type: 'QUICK_REPLY', text: 'Thanks' }
const chat = { channel: 'chat', content: 'Hello', to: '+14155550123' }
const message = { ...chat, channel: 'whatsapp', providerId: 'whatsapp-provider' }
const parameter = { type: 'text', text: '42' }
const engine = { name: 'Engine', unitPrice: 1, sku: 'DE-1' }
const file = {
  fileName: 'a.png',
  fileSize: '1 KB',
  mimeType: 'image/png',
  mediaUrl: 'https://files.example.com/a.png',
}
const sent: World = {
  teams: twoTeams.teams.map((team) => ({
    ...team,
    templates: [{ ...whatsapp, _id: `${team._id}-order`, uniqueName: 'sent', status: 'approved', ownerId: 'key' }],
  })),
}
const ofTemplate = { ...message, templateId: 'acme-order' }

seeEachChoice({
  templateHeaderFields: {
    story: (call) =>
      call('createTemplate', { body: { ...whatsapp, isHeader: false, headerType: 'text', headerText: 'News' } }),
    shows: { accepted: 201, refused: 400 },
    otherwise: (call) =>
      call('createTemplate', { body: { ...whatsapp, isHeader: true, headerType: 'text', headerText: 'News' } }),
  },
  templateButtonForm: {
    story: (call) => call('createTemplate', { body: { ...whatsapp, templateButtons: [{ type: 'PIGEON' }] } }),
    shows: { accepted: 201, refused: 400 },
    otherwise: (call) => call('createTemplate', { body: { ...whatsapp, templateButtons: [button] } }),
  },
  templatePlaceholders: {
    story: (call) => call('createTemplate', { body: { ...whatsapp, content: 'Order {{2}}' } }),
    shows: { accepted: 201, refused: 400 },
    otherwise: (call) => call('createTemplate', { body: { ...whatsapp, bodyVariableSampleValues: ['42'] } }),
  },
  templateVariables: {
    story: (call) => call('createTemplate', { body: { ...sms, variables: ['pigeon'] } }),
    shows: { accepted: 201, refused: 400 },
    otherwise: (call) =>
      call('createTemplate', { body: { ...sms, content: 'Dear {{contact.firstName}}', variables: ['firstName'] } }),
  },
  uniqueNameForm: {
    story: (call) => call('createTemplate', { body: { ...sms, uniqueName: 'Opening hours!' } }),
    shows: { accepted: 201, refused: 400 },
    otherwise: (call) => call('createTemplate', { body: { ...sms, uniqueName: 'opening-hours_2' } }),
  },
  unusedParameters: {
    story: (call) => call('sendMessage', { body: { ...message, bodyParameters: [parameter] } }),
    shows: { ignored: 200, refused: 400 },
    otherwise: (call) => call('sendMessage', { body: { ...message, headerParameters: [], bodyParameters: [] } }),
  },
  mediaTypeFields: {
    story: (call) => call('sendLiveMessage', { body: { ...chat, mediaType: 'image' } }),
    shows: { accepted: 200, refused: 400 },
    otherwise: (call) =>
      call('sendLiveMessage', { body: { ...chat, mediaUrl: file.mediaUrl, mediaType: 'image', attachments: [file] } }),
  },
  repeatedParameter: {
    story: (call) => call('deleteContactsByEmail', { query: { email: ['a@example.com', 'b@example.com'] } }),
    shows: { refused: 400, first: 200 },
    otherwise: (call) => call('deleteContactsByEmail', { query: { email: 'a@example.com' } }),
  },
  recordTextForms: {
    story: (call) => call('createCompany', { body: { name: 'Mill', domain: 'not a domain' } }),
    shows: { anyString: 201, checked: 400 },
    otherwise: (call) =>
      call('createCompany', {
        body: {
          name: 'Mill',
          domain: 'mill.example.com',
          email: 'mill@example.com',
          logoUrl: 'https://mill.example.com/a.png',
        },
      }),
  },
  sameRecordTwice: {
    story: async (call) => {
      await call('createProduct', { body: engine })
      return call('createProduct', { body: engine })
    },
    shows: { accepted: 201, refused: 400 },
    otherwise: async (call) => {
      const { body } = await call('createProduct', { body: engine })
      return call('updateProduct', { path: { productId: body.data._id as string }, body: { sku: engine.sku } })
    },
  },
})

/** The request, and the message of its refusal with `assume`. */
type Row = readonly [sent: object, message: string]

const refusals = {
  createTemplate: {
    assume: { templateHeaderFields: 'refused', templatePlaceholders: 'refused', templateButtonForm: 'refused' },
    body: whatsapp,
    rows: [
      [{ isHeader: false, headerText: 'News' }, 'headerText needs isHeader to be true'],
      [{ isHeader: false, headerVariables: ['a'] }, 'headerVariables needs isHeader to be true'],
      [{ isHeader: true }, 'headerText or file is required when isHeader is true'],
      [{ isHeader: true, headerType: 'text' }, 'headerText or file is required when isHeader is true'],
      [{ headerType: 'text' }, 'headerText is required when headerType is text'],
      [{ headerVariableSampleValues: ['a'] }, 'headerText is required with variables of the header'],
      [{ content: 'Dear {{name}}' }, 'content must number its placeholders {{1}}, {{2}} and so on'],
      [{ content: '{{1}} {{3}}' }, 'content must number its placeholders {{1}}, {{2}} and so on'],
      [
        { bodyVariableSampleValues: ['a', 'b'] },
        'bodyVariableSampleValues must have an item for each placeholder of content',
      ],
      [{ headerText: 'To {{2}}' }, 'headerText must number its placeholders {{1}}, {{2}} and so on'],
      [
        { headerText: 'To {{1}}', headerVariables: ['a', 'b'] },
        'headerVariables must have an item for each placeholder of headerText',
      ],
      ...[{}, { type: 'URL', text: 'Look' }, { type: 'URL', text: 'Look', url: 'x' }, { type: 'PHONE_NUMBER' }].map(
        (odd): Row => [
          { templateButtons: [button, odd] },
          'templateButtons[1] must have the type QUICK_REPLY, URL or PHONE_NUMBER, a text, and the url or phone_number',
        ],
      ),
    ],
  },
  sendMessage: {
    assume: { unusedParameters: 'refused', missingParameters: 'refused' },
    body: ofTemplate,
    rows: [
      [
        { bodyParameters: [parameter, parameter] },
        'bodyParameters must hold no more parameters than there are placeholders, which is 1',
      ],
      [
        { headerParameters: [parameter], bodyParameters: [parameter] },
        'headerParameters must hold no more parameters than there are placeholders, which is 0',
      ],
      [
        { bodyParameters: [{ type: 'image' }] },
        'bodyParameters must hold a parameter for the placeholder {{1}} of the template',
      ],
    ],
  },
  sendBulkMessages: {
    assume: { unusedParameters: 'refused' },
    body: message,
    rows: [
      [
        { headerParameters: [parameter] },
        'headerParameters must hold no more parameters than there are placeholders, which is 0',
      ],
    ],
  },
  sendLiveMessage: {
    assume: { mediaTypeFields: 'refused' },
    body: chat,
    rows: [
      [{ mediaType: 'file', mediaUrl: null }, 'mediaType needs a mediaUrl'],
      [{ mediaType: 'pigeon', mediaUrl: file.mediaUrl }, 'mediaType must be one of image, video, audio, file'],
      [{ attachments: [file, { ...file, mediaType: 'video' }] }, 'attachments[1].mediaType must fit its mimeType'],
    ],
  },
  createCompany: {
    assume: { recordTextForms: 'checked', sameRecordTwice: 'refused' },
    body: { name: 'Mill' },
    rows: [
      [{ email: 'x' }, 'email must be an e-mail address, such as ada@example.com'],
      [{ domain: '' }, 'domain must be a domain, such as example.com'],
      [{ logoUrl: 'javascript:x' }, 'logoUrl must be a URL, such as https://example.com'],
    ],
  },
} as const satisfies Record<string, { assume: WrittenChoices; body: object; rows: readonly Row[] }>

describe.each(Object.entries(refusals))('%s', (id, { assume, body, rows }) => {
  it.each<Row>(rows)('refuses %j when that is assumed, and changes nothing', async (fields, expected) => {
    const { call, sandbox } = await openSandbox({ world: sent, assume })
    const before = await sandbox.world()
    const told = await call(id as 'createCompany', { body: { ...body, ...fields } })
    expect([told.status, told.body.message]).toEqual([400, expected])
    expect(await sandbox.world()).toEqual(before)
  })

  it.each<Row>(rows)('accepts %j otherwise, and says on which assumption', async (fields) => {
    const { call } = await openSandbox({ world: sent })
    const told = await call(id as 'createCompany', { body: { ...body, ...fields } })
    expect(told.status).toBeLessThan(300)
    expect(told.assumed.some((name) => name in assume)).toBe(true)
  })
})

it('finds a second sku or domain in an update too', async () => {
  const { call } = await openSandbox({ assume: { sameRecordTwice: 'refused' } })
  await call('createProduct', { body: engine })
  const { body: product } = await call('createProduct', { body: { ...engine, sku: 'DE-2' } })
  const update = await call('updateProduct', { path: { productId: product.data._id as string }, body: { sku: 'DE-1' } })
  expect(update.body.message).toBe('sku is already that of a product of this team')

  await call('createCompany', { body: { name: 'Mill', domain: 'mill.example.com' } })
  const second = await call('createCompany', { body: { name: 'Mill', domain: 'mill.example.com' } })
  expect(second.body.message).toBe('domain is already that of a company of this team')
  const { body: company } = await call('createCompany', { body: { name: 'Mill' } })
  const path = { companyId: company.data._id as string }
  expect((await call('updateCompany', { path, body: { domain: 'mill.example.com' } })).status).toBe(400)
})
