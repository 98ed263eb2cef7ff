import { describe, expect, it } from 'vitest'
import { newObserver } from './helpers.ts'

const times = { createdAt: '2026-03-01T09:00:00.000Z', updatedAt: '2026-03-01T09:00:00.000Z' }
const names = { firstName: 'Ada', lastName: 'Lovelace' }
const contact = { _id: 'c1', teamId: 't1', ...names, ...times }
const deal = { name: 'Engine', pipeline: 'sales', stage: 'new' }
const sms = { channel: 'sms', providerId: 'p1', content: 'Hello' }
const message = {
  ...{ _id: 'm1', channel: 'sms', direction: 'outgoing', content: 'Hello', status: 'sent' },
  ...{ contactId: 'c1', conversationId: 'v1', createdAt: times.createdAt },
}
const company = { _id: 'o1', name: 'Looms', domain: 'looms.example', teamId: 't1' }
const email = { ...message, channel: 'email', subject: 'Hours' }
const conversation = { _id: 'v1', teamId: 't1', createdAt: times.createdAt }
const template = { templateType: 'sms', name: 'Hours', uniqueName: 'hours', content: 'We open', provider: 'p1' }
const failure = { success: false, message: 'lastName is missing' }
const notFound = { success: false, message: 'Resource not found' }

const historyOf = (date: string, ...messages: object[]) => ({
  data: [{ date, messages }],
  pagination: { total: 1, currentPage: 1, totalPages: 1, hasMore: false },
})

type Row = readonly [promises: string[], request: string, body: object | undefined, status: number, answer: object]
type RowWithHeaders = readonly [...Row, headers?: Readonly<Record<string, string>>]

const key = { 'x-api-key': 'key-of-a-team' }

/** The promises that an observer finds broken in these exchanges, one after the other. */
const brokenIn = (...given: Parameters<typeof findingsIn>) => findingsIn(...given).map(({ promise }) => promise)

function findingsIn(
  rows: readonly RowWithHeaders[],
  credential: Readonly<Record<string, string>> = key,
  own = {},
  { alone = false } = {},
) {
  const { observe, observations } = newObserver({ alone })
  for (const [, request, body, status, answer, others] of rows) {
    const [method = '', path = ''] = request.split(' ')
    const bytes = body && Buffer.from(JSON.stringify(body))
    const headers = { ...credential, ...own, ...(body && { 'content-type': 'application/json' }), ...others }
    const passing = observe({ method, url: `/api/${path}`, headers, bytes, at: Date.now() })
    const text = JSON.stringify({ success: status < 400, message: 'Done', ...answer })
    passing.onResponse({ status, headers: { 'content-type': 'application/json' }, text })
  }
  return observations.toJson().findings
}

it.each([false, true])('what another client may have changed is judged if the traffic is alone (%s)', (alone) => {
  const rows: readonly Row[] = [
    [[], 'POST contacts', names, 201, { data: contact }],
    [
      [],
      'PUT contacts/c1',
      { firstName: 'Augusta' },
      200,
      { data: { ...contact, firstName: 'Augusta', lastName: 'L.' } },
    ],
    [[], 'DELETE contacts/c1', undefined, 200, { data: { ...contact, firstName: 'Augusta', lastName: 'L.' } }],
    [[], 'PUT contacts/c1', { firstName: 'Ada' }, 200, { data: contact, message: 'Lovelace again' }],
  ]
  const findings = findingsIn(rows, key, {}, { alone })
  expect(findings.map(({ promise }) => promise)).toEqual(
    alone ? ['contact.updateKeepsTheRest', 'contact.deletedIsGone'] : [],
  )
  expect(JSON.stringify(findings)).not.toContain('Lovelace')
})

it.each<Row>([
  [['access.noCredentialIs401'], 'DELETE contacts/c1', undefined, 404, notFound],
  [['access.noCredentialIs401'], 'POST contacts', names, 400, failure],
  [['access.credentialComesFirst'], 'POST contacts', { firstName: 'Ada' }, 400, failure],
  [[], 'POST contacts', { firstName: 'Ada' }, 401, { success: false, message: 'Unauthorized' }],
])('without a credential, %j is broken by %s %j answering %i', (...row) => {
  expect(brokenIn([row], {})).toEqual(row[0])
})

it.each<Row>([
  // A wrong value that is accepted and then shown is one fault.
  [
    ['contact.groupsAreAList'],
    'POST contacts',
    { ...names, groupIds: [7] },
    201,
    { data: { ...contact, groupIds: [7] } },
  ],
  // A value that was sent comes back changed, or not at all.
  [
    ['deal.createShowsTheRecord'],
    'POST deals/create',
    { ...deal, amount: 100.25 },
    200,
    { data: { _id: 'd1', ...deal, amount: 100 } },
  ],
  [
    ['contact.createShowsWhatWasGiven'],
    'POST contacts',
    { ...names, source: 'A & B' },
    201,
    { data: { ...contact, source: 'A &amp; B' } },
  ],
  [['contact.createShowsWhatWasGiven'], 'POST contacts', { ...names, source: 'Web' }, 201, { data: contact }],
  [
    ['contact.createShowsWhatWasGiven'],
    'POST contacts',
    { ...names, additionalFields: { motto: 'A & B' } },
    201,
    { data: { ...contact, additionalFields: { motto: 'A &amp; B' } } },
  ],
  [['contact.updateShowsTheChange'], 'PUT contacts/c1', { firstName: 'Augusta' }, 200, { data: contact }],
  [
    ['contact.upsertShowsWhatWasGiven'],
    'POST contacts/createOrUpdateContact',
    { ...names, firstName: 'Zoë' },
    200,
    { data: contact },
  ],
  [['company.updateShowsTheChange'], 'PUT companies/edit/o1', { name: 'Engines' }, 200, { data: company }],
  [
    ['template.createAnswersWithTheTemplate'],
    'POST templates',
    template,
    201,
    { data: { ...template, _id: 't1', name: 'HOURS', status: 'approved' } },
  ],
  [
    ['message.keepsItsContent'],
    'POST messages/sendMessage',
    { ...sms, to: '+12125550100', content: '1 < 2' },
    200,
    { data: { ...message, content: '1 &lt; 2' } },
  ],
  [
    ['message.keepsItsLineBreaks'],
    'POST messages/sendMessage',
    { ...sms, to: '+12125550100', content: 'a\nb' },
    200,
    { data: { ...message, content: 'a b' } },
  ],
  [
    ['message.recipientIdMeansContactId'],
    'POST messages/sendMessage',
    { ...sms, recipientId: 'c2' },
    200,
    { data: message },
  ],
  [
    ['conversation.contactIsTheOneMeant'],
    'POST conversations/getConversationByPhoneAndEmail',
    { email: 'ada@example.com' },
    200,
    { data: { ...conversation, contactId: { _id: 'c1', name: 'Ada', email: 'grace@example.com' } } },
  ],
  [
    ['quote.templateDefaultsToBasic'],
    'POST quotes',
    { dealId: 'd1' },
    201,
    { data: { _id: 'q1', dealId: 'd1', name: 'Q', status: 'draft', template: 'default' } },
  ],
  // A server may write these in another way.
  [
    [],
    'POST contacts',
    { firstName: ' Ada ', lastName: 'Love  lace', email: 'Ada@Example.com', phone: '+1 212 555 0100', source: '' },
    201,
    { data: { ...contact, lastName: 'Love lace', email: 'ada@example.com', phone: '+12125550100' } },
  ],
  [[], 'PUT companies/edit/o1', { name: 'Engines' }, 200, {}],
  [[], 'PUT companies/edit/o1', { industry: 'Looms' }, 200, { data: company }],
  [
    [],
    'POST messages/sendMessage',
    { ...sms, to: '+12125550100', content: 'Dear {{firstName}}' },
    200,
    { data: { ...message, content: 'Dear Ada' } },
  ],
  // A record with another id.
  [['contact.answersWithTheContact'], 'PUT contacts/c2', {}, 200, { data: contact }],
  [['contact.deleteAnswersWithTheContact'], 'DELETE contacts/c2', undefined, 200, { data: contact }],
  [
    ['conversation.idOpensIt'],
    'GET conversations/v2',
    undefined,
    200,
    { data: { ...conversation, contactId: { _id: 'c1', name: 'Ada' } } },
  ],
  // Times and histories.
  [['contact.timesAreIso'], 'PUT contacts/c1', {}, 200, { data: { ...contact, createdAt: '2026-03-01 09:00:00Z' } }],
  [
    ['message.createdAtIsIso'],
    'GET messages/v1',
    undefined,
    200,
    historyOf('2026-03-01', { ...message, createdAt: '2026-03-01 09:00:00Z' }),
  ],
  [['message.historyDatesFit'], 'GET messages/v1', undefined, 200, historyOf('2026-02-27', message)],
  [[], 'GET messages/v1', undefined, 200, historyOf('2026-02-28', { ...message, createdAt: '2026-03-01T11:59:00Z' })],
  [
    ['message.emailKeepsItsSubject'],
    'GET messages/v1',
    undefined,
    200,
    historyOf('2026-03-01', { ...email, subject: undefined }),
  ],
  [
    [],
    'GET messages/v1',
    undefined,
    200,
    historyOf('2026-03-01', email, { ...email, direction: 'incoming', subject: '' }),
  ],
  [
    ['message.onlyEmailHasASubject'],
    'GET messages/v1',
    undefined,
    200,
    historyOf('2026-03-01', { ...message, subject: 'Hours' }),
  ],
  // A request that must be refused was accepted.
  [['contact.otherStatusesAreRefused'], 'POST contacts', { ...names, status: 'archived' }, 201, { data: contact }],
  [['deal.amountIsANumber'], 'POST deals/create', { ...deal, amount: 'much' }, 200, { data: { _id: 'd1', ...deal } }],
  [
    ['conversation.nationalPhoneIsRefused'],
    'POST conversations/getConversationByPhoneAndEmail',
    { phone: '0301234567' },
    200,
    { data: { ...conversation, contactId: { _id: 'c1', name: 'Ada' } } },
  ],
  [[], 'POST contacts', { ...names, status: null }, 201, { data: contact }],
  [['message.needsATarget'], 'POST messages/sendMessage', sms, 200, { data: message }],
  [
    ['template.mediaHeaderNeedsAFile'],
    'POST templates',
    { ...template, templateType: 'whatsapp', category: 'UTILITY', language: 'en', headerType: 'image' },
    201,
    { data: { ...template, _id: 't1', templateType: 'whatsapp', status: 'pending' } },
  ],
  // A 404 to a request that names no record.
  [['contact.upsertCreates'], 'POST contacts/createOrUpdateContact', names, 404, notFound],
  [['envelope.pathsAreFixed'], 'GET templates?page=1&limit=5&types=sms&statuses=approved', undefined, 404, notFound],
  [['conversation.createRequires'], 'POST conversations', {}, 404, notFound],
  [[], 'GET templates?page=2&limit=5&types=sms&statuses=approved', undefined, 404, notFound],
  [[], 'DELETE contacts/deleteContactsByEmail?email=a@b.example', undefined, 404, notFound],
  [[], 'POST quotes', { dealId: 'd1' }, 404, notFound],
])('%j is broken by %s %j answering %i', (...row) => {
  expect(brokenIn([row])).toEqual(row[0])
})

const created: Row = [[], 'POST contacts', names, 201, { data: contact }]
const deleted: Row = [[], 'DELETE contacts/c1', undefined, 200, {}]

it('a delete without the contact breaks a promise once, if a response has shown the contact', () => {
  const broken = ['contact.deleteAnswersWithTheContact']
  expect([brokenIn([deleted]), brokenIn([created, deleted])]).toEqual([[], broken])
  expect(brokenIn([created, deleted, created, [[], 'POST reset', {}, 200, {}], deleted])).toEqual(broken)
})

it('only a key that a request has used before may bring another answer', () => {
  const changed: Row = [[], 'POST contacts', { ...names, lastName: 'King' }, 201, { data: contact }]
  const refused: Row = [[], 'POST contacts', { firstName: 'Ada' }, 201, { data: contact }]
  const conflict: Row = [[], 'POST contacts', names, 409, failure]
  const keyed = (...rows: Row[]) => brokenIn(rows, key, { 'idempotency-key': 'key-1' })
  expect(keyed(created, changed, refused, conflict)).toEqual([])
  expect([changed, refused, conflict].map((row) => keyed(row))).toEqual([
    ['contact.createShowsWhatWasGiven'],
    ['contact.createRequires'],
    ['error.statusIsDocumented'],
  ])
})

describe('no promise is broken by', () => {
  const product = { name: 'Loom', unitPrice: 12 }
  const list = 'GET templates?page=1&limit=5&statuses=approved'
  const page = { data: [], pagination: { totalResults: 0, totalPages: 0, currentPage: 1, limit: 5, hasMore: false } }
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  const shown = { ...template, _id: 't1', status: 'approved' }
  const ada = { ...contact, email: 'ada@example.com' }
  const made = ['Mill', 'Till'].map((name): RowWithHeaders => {
    const sent = { ...product, name }
    return [[], 'POST products', sent, 201, { data: { ...sent, _id: name } }]
  })

  it.each<[string, ...RowWithHeaders[]]>([
    [
      'an update by a form, of which the fields are not seen',
      [[], 'POST templates', undefined, 201, { data: shown }, form],
      [[], 'PUT templates/t1', undefined, 200, { data: { ...shown, name: 'Opening' } }, form],
    ],
    [
      'a contact that stays after a delete by an address in capitals',
      [[], 'POST contacts', { ...names, email: ada.email }, 201, { data: ada }],
      [[], 'DELETE contacts/deleteContactsByEmail?email=ADA@example.com', undefined, 200, { message: '0 deleted' }],
      [[], 'PUT contacts/c1', {}, 200, { data: ada }],
    ],
    [
      'a send with an empty conversationId',
      [[], 'POST messages/sendMessage', { ...sms, to: '+12125550100', conversationId: '' }, 200, { data: message }],
    ],
    ['a list that takes types[]', [[], `${list}&types[]=sms`, undefined, 200, page]],
    [
      'a refusal of a long key',
      ...made,
      [[], 'POST products', product, 400, failure, { 'idempotency-key': 'k'.repeat(300) }],
    ],
    [
      'a page between two pages',
      [
        [],
        'GET messages/v1?page=1.5&limit=5',
        undefined,
        200,
        { data: [], pagination: { total: 0, currentPage: 1.5, totalPages: 0, hasMore: false } },
      ],
    ],
  ])('%s', (_, ...rows) => {
    expect(findingsIn(rows, key, {}, { alone: true })).toEqual([])
  })
})
