import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import { openSandbox, twoTeams } from './helpers.ts'
import { whatsapp as template } from './template-requests.ts'
import { ada, idOf, unknownId } from './requests.ts'

// Fields that the document allows one by one, and that make no sense together or in their form.

const chat = { channel: 'chat', content: 'Hello', to: '+14155550123' }
const message = { ...chat, channel: 'whatsapp', providerId: 'whatsapp-provider' }
const deal = { name: 'Engine', pipeline: 'sales', stage: 'talking' }
const engine = { name: 'Difference engine', unitPrice: 1200 }
const approved = {
  ...template,
  templateType: 'whatsapp',
  uniqueName: 'sent',
  status: 'approved',
  ownerId: 'key',
} as const

/** The two teams, each with a pipeline and an approved template. */
const world: World = {
  teams: twoTeams.teams.map((team) => ({
    ...team,
    pipelines: [{ _id: 'sales', stages: ['talking', 'won'] }],
    templates: [{ ...approved, _id: `${team._id}-order` }],
  })),
}

/** The fields of a request, and the message of its refusal with `assume`. */
type Row = readonly [sent: object, message: string]

interface Refusals {
  readonly assume: WrittenChoices
  readonly body: object
  readonly rows: readonly Row[]
}

const none = (field: string) => `${field} names nothing that this team has`

const refusals = {
  createTemplate: {
    assume: { templatePlaceholders: 'refused' },
    body: template,
    rows: [
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
    ],
  },
  sendMessage: {
    assume: { missingParameters: 'refused' },
    body: { ...message, templateId: 'acme-order' },
    rows: [[{ bodyParameters: [{ type: 'image' }] }, 'bodyParameters must hold a parameter for the placeholder {{1}}']],
  },
  createCompany: {
    assume: { recordTextForms: 'checked', contactReferences: 'refused' },
    body: { name: 'Mill' },
    rows: [
      [{ email: 'x' }, 'email must be an e-mail address'],
      [{ domain: '' }, 'domain must be a domain'],
      [{ logoUrl: 'javascript:x' }, 'logoUrl must be a URL'],
      [{ contacts: [unknownId] }, 'contacts'],
    ],
  },
  createDeal: {
    assume: { currencyForm: 'checked', closeDateForm: 'checked', numberRange: 'refused', dealReferences: 'refused' },
    body: deal,
    rows: [
      ...['shells', 'eur', 'EURO', 'QQQ', ''].map((currency): Row => [{ currency }, 'currency must be']),
      ...['soon', '30.06.2026', '2026-02-30', '2026-06-30T25:00Z', '2026-6-3'].map((closeDate): Row => [
        { closeDate },
        'closeDate must be',
      ]),
      [{ amount: -0.01 }, 'amount must be'],
      [{ contacts: [unknownId] }, none('contacts')],
      ...['contactId', 'companyId', 'company', 'owner'].map((field): Row => [{ [field]: unknownId }, none(field)]),
      [{ pipeline: 'shipping' }, none('pipeline')],
      [{ stage: 'lost' }, none('stage')],
    ],
  },
  createProduct: {
    assume: { numberRange: 'refused' },
    body: engine,
    rows: [
      [{ unitPrice: -0.5 }, 'unitPrice must be'],
      [{ unitCost: -0.5 }, 'unitCost must be'],
    ],
  },
} as const satisfies Readonly<Partial<Record<OperationId, Refusals>>>

/** The choices that accept each of these fields. */
const accepting: WrittenChoices = {
  currencyForm: 'anyString',
  closeDateForm: 'anyString',
  numberRange: 'accepted',
  dealReferences: 'accepted',
}

describe.each(Object.entries(refusals) as [keyof typeof refusals, Refusals][])('%s', (id, { assume, body, rows }) => {
  it.each(rows)('refuses %j when that is assumed, and changes nothing', async (fields, expected) => {
    const { call, sandbox } = await openSandbox({ world, assume })
    const before = await sandbox.world()
    const told = await call(id, { body: { ...body, ...fields } })
    expect([told.status, told.body.message]).toEqual([400, expect.stringContaining(expected)])
    expect(await sandbox.world()).toEqual(before)
  })

  it.each(rows)('accepts %j otherwise, and says on which assumption', async (fields) => {
    const { call } = await openSandbox({ world, assume: accepting })
    const told = await call(id, { body: { ...body, ...fields } })
    expect(told.status).toBeLessThan(300)
    expect(told.assumed.some((name) => name in assume)).toBe(true)
  })
})

it('refuses the same in an update, and changes nothing', async () => {
  const { assume, rows } = refusals.createDeal
  const { sandbox, call } = await openSandbox({ world, assume })
  const path = { dealId: await idOf(call('createDeal', { body: deal })) }
  const before = await sandbox.world()
  for (const [fields, message] of rows) {
    const { status, body } = await call('updateDeal', { path, body: { name: 'Other', ...fields } })
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  }
  expect(await sandbox.world()).toEqual(before)
})

it('relies on none of these assumptions with valid values', async () => {
  const { call } = await openSandbox({ world, assume: refusals.createDeal.assume })
  const contactId = await idOf(call('createContact', { body: ada }))
  const companyId = await idOf(call('createCompany', { body: { name: 'Mill' } }))
  const references = { contactId, contacts: [contactId], companyId, company: companyId, owner: 'acme-agent' }
  for (const closeDate of ['2026-06-30', '2026-06-30T10:00Z', '2026-06-30T10:00:00.000+02:00', '2024-02-29']) {
    const body = { ...deal, ...references, currency: 'USD', amount: 0, closeDate }
    const { status, assumed } = await call('createDeal', { body })
    expect([status, assumed]).toEqual([200, ['recordFields']])
  }
})

it('takes a contact of another team for an unknown one', async () => {
  const { call } = await openSandbox({ world, assume: { contactReferences: 'refused', dealReferences: 'refused' } })
  const theirs = await idOf(call('createContact', { body: ada, key: 'globex-key' }))
  expect((await call('createCompany', { body: { name: 'Mill', contacts: [theirs] } })).status).toBe(400)
  expect((await call('createDeal', { body: { ...deal, contactId: theirs } })).status).toBe(400)
})
