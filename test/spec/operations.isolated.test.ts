import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { operations, type OperationId, type Shape } from '../../spec/operations.ts'

const loaded = Object.keys(createRequire(import.meta.url).cache)

test('importing the operations does not load Ajv', () =>
  expect(loaded.filter((file) => file.includes('/ajv'))).toEqual([]))

// The index of the specification.
test.each<[OperationId, string, number[]]>([
  ['findOrCreateConversation', 'post /api/conversations/getConversationByPhoneAndEmail', [200]],
  ['createContactWithConversation', 'post /api/contacts/create-new-conversation', [200]],
  ['createConversation', 'post /api/conversations', [200, 201]],
  ['getConversation', 'get /api/conversations/{conversationId}', [200]],
  ['listConversationsOfContact', 'get /api/conversations/getAllConversationsOfContact/{contactId}', [200]],
  ['listMessages', 'get /api/messages/{conversationId}', [200]],
  ['sendLiveMessage', 'post /api/messages/sendLiveMessage', [200]],
  ['sendEmailMessage', 'post /api/messages/sendEmailMessage', [200]],
  ['sendMessage', 'post /api/messages/sendMessage', [200]],
  ['sendBulkMessages', 'post /api/messages/sendBulkNewMessages', [200]],
  ['listTemplates', 'get /api/templates', [200]],
  ['getTemplate', 'get /api/templates/{templateId}', [200]],
  ['createTemplate', 'post /api/templates', [201]],
  ['updateTemplate', 'put /api/templates/{templateId}', [200]],
  ['deleteTemplate', 'delete /api/templates/{templateId}', [200]],
  ['createContact', 'post /api/contacts', [201]],
  ['updateContact', 'put /api/contacts/{contactId}', [200]],
  ['deleteContact', 'delete /api/contacts/{contactId}', [200]],
  ['createOrUpdateContact', 'post /api/contacts/createOrUpdateContact', [200]],
  ['deleteContactsByEmail', 'delete /api/contacts/deleteContactsByEmail', [200]],
  ['createCompany', 'post /api/companies/create', [201]],
  ['updateCompany', 'put /api/companies/edit/{companyId}', [200]],
  ['deleteCompany', 'delete /api/companies/delete/{companyId}', [200]],
  ['createProduct', 'post /api/products', [201]],
  ['updateProduct', 'put /api/products/{productId}', [200]],
  ['deleteProduct', 'delete /api/products/{productId}', [200]],
  ['createDeal', 'post /api/deals/create', [200]],
  ['updateDeal', 'put /api/deals/edit/{dealId}', [200]],
  ['deleteDeal', 'delete /api/deals/delete/{dealId}', [200]],
  ['createQuote', 'post /api/quotes', [201]],
  ['updateQuote', 'put /api/quotes/{quoteId}', [200]],
  ['deleteQuote', 'delete /api/quotes/{quoteId}', [200]],
])('%s is %s and succeeds with %j', (id, route, successes) => {
  const { method, path, successStatuses, statuses } = operations[id]
  expect(`${method} ${path}`).toBe(route)
  expect(successStatuses).toEqual(successes)
  expect(statuses).toEqual([...successes, 400, 401, 404, 500])
})

test('only sends have the effect send, and only template changes have the effect platform', () => {
  const reaching = (effect: string) =>
    Object.values(operations)
      .filter((one) => one.effect === effect)
      .map(({ id }) => id)
  expect(reaching('send')).toEqual(['sendLiveMessage', 'sendEmailMessage', 'sendMessage', 'sendBulkMessages'])
  expect(reaching('platform')).toEqual(['createTemplate', 'updateTemplate', 'deleteTemplate'])
  expect(reaching('read').every((id) => operations[id].method === 'get')).toBe(true)
})

test('creates, updates and sends accept an Idempotency-Key, reads and deletes do not', () => {
  for (const { takesIdempotencyKey, method } of Object.values(operations))
    expect(takesIdempotencyKey).toBe(method === 'post' || method === 'put')
})

test('an undocumented status, content type or body has no schema', () => {
  expect(operations.createDeal.response(201)).toBeUndefined()
  expect(operations.createOrUpdateContact.body('text/plain')).toBeUndefined()
  expect(operations.deleteQuote.body('application/json')).toBeUndefined()
  expect(operations.deleteQuote.contentTypes).toEqual([])
})

describe('JSON values are not coerced:', () => {
  test.each([
    ['a number for a string', { firstName: 7, lastName: 'Lovelace' }, 'firstName must be a string'],
    ['a value for a list', { firstName: 'Ada', lastName: 'Lovelace', groupIds: 'a' }, 'groupIds must be a JSON array'],
    ['null for a string', { firstName: 'Ada', lastName: null }, 'lastName must be a string'],
    ['text for an object', 'firstName=Ada', 'the body must be a JSON object'],
    ['undefined for an object', undefined, 'the body must be a JSON object'],
  ])('%s is refused', (_, body, sentence) => expect(bodyOf('createContact').check(body)).toBe(sentence))
})

describe('text values are coerced to the documented types', () => {
  test('in a query: numbers, and a single value to a list', () => {
    const query = { page: '2', limit: '10', types: 'sms', statuses: ['approved', 'pending'] }
    expect(operations.listTemplates.query.check(query)).toBeUndefined()
    expect(query).toEqual({ page: 2, limit: 10, types: ['sms'], statuses: ['approved', 'pending'] })
  })

  test.each([
    [{ limit: '10', types: 'sms', statuses: 'approved' }, 'page is required'],
    [{ page: 'two', limit: '10', types: 'sms', statuses: 'approved' }, 'page must be an integer'],
    [
      { page: '1', limit: '10', types: ['sms', 'fax'], statuses: 'approved' },
      'types[1] must be one of sms, email, whatsapp',
    ],
  ])('but %j is refused', (query, sentence) => expect(operations.listTemplates.query.check(query)).toBe(sentence))
})

describe('an undocumented field', () => {
  const answer = {
    success: true,
    message: 'Conversation created',
    data: {
      _id: 'c1',
      teamId: 'demo',
      owner: 'u1',
      contactId: { _id: 'a1', name: 'Ada Lovelace', 'e-mail or so': 'ada@example.com' },
      createdAt: '2026-03-01T09:30:00.000Z',
    },
    meta: { anything: true },
    took: 3,
  }

  test('passes an open check', () => expect(answerOf('createConversation', 201).check(answer)).toBeUndefined())

  test('is a fault with its path', () => {
    const faults = answerOf('createConversation', 201).faults(answer)
    const fields = ['data.contactId."e-mail or so"', 'data.owner', 'took']
    expect(faults.map(({ sentence }) => sentence).sort()).toEqual(
      fields.map((field) => `${field} is not a documented field of this answer`),
    )
    expect(faults.every(({ kind, field }) => kind === 'unlisted' && fields.includes(field))).toBe(true)
  })

  test('is refused by an open check too, where the specification says so', () => {
    const body = { email: 'ada@example.com', name: 'Ada' }
    expect(bodyOf('findOrCreateConversation').check(body)).toBe('name is not a field of this request')
  })

  test('is a fault beside others', () => {
    const unlisted = (body: object) =>
      bodyOf('createContact')
        .faults(body)
        .filter(({ kind }) => kind === 'unlisted')
        .map(({ field }) => field)
    expect(unlisted({ firstName: 7, lastName: 'Lovelace', shoeSize: 38 })).toEqual(['shoeSize'])
    expect(unlisted({ firstName: 7, '': 38 })).toEqual(['""'])
  })
})

describe('a closed check accepts', () => {
  test.each([
    ['fields that a part of allOf lists', { firstName: 'Ada', lastName: 'Lovelace', status: 'open', groupIds: [] }],
    ['custom fields', { firstName: 'Ada', lastName: 'Lovelace', additionalFields: { shoes: { size: 38 } } }],
  ])('%s', (_, body) => expect(bodyOf('createContact').faults(body)).toEqual([]))
})

describe('the listed fields', () => {
  test('include the fields of every part', () => {
    expect([...bodyOf('createQuote').listed({})]).toEqual(['dealId', 'template', 'name'])
    expect(bodyOf('createContact').listed({})).toContain('groupIds')
    expect(bodyOf('createContact').listed({})).toContain('email')
  })

  test('come from the branch that the discriminator selects', () => {
    const { listed } = bodyOf('createTemplate')
    expect(listed({ templateType: 'email' })).toContain('preheader')
    expect(listed({ templateType: 'sms' })).not.toContain('preheader')
    expect(listed({ templateType: 'whatsapp' })).toContain('templateButtons')
    expect(listed({ templateType: 'whatsapp' })).toContain('footer')
  })
})

function bodyOf(id: OperationId, contentType = 'application/json'): Shape {
  return found(operations[id].body(contentType))
}

function answerOf(id: OperationId, status: number): Shape {
  return found(operations[id].response(status))
}

function found(shape: Shape | undefined): Shape {
  if (!shape) throw new Error('Not documented')
  return shape
}
