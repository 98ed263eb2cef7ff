import createClient from 'openapi-fetch'
import { expect, expectTypeOf, test } from 'vitest'
import type { paths } from '../../spec/generated/api.ts'
import type { AnswerOf, BodyOf, DataOf, PathOf, QueryOf, Schemas, SuccessOf } from '../../spec/types.ts'

// The generated types make openapi-fetch a typed client. The compiler checks the @ts-expect-error lines
// (`npm run check:types`).

const ada = { firstName: 'Ada', lastName: 'Lovelace' }

test('a typed client calls the operations of the document', async () => {
  const { client, requests } = recordingClient()
  await client.POST('/api/contacts', { body: ada, params: { header: { 'Idempotency-Key': 'one' } } })
  await client.PUT('/api/contacts/{contactId}', { body: { status: 'closed' }, params: { path: { contactId: 'a1' } } })
  const query = { page: 1, limit: 10, types: ['sms' as const, 'email' as const], statuses: ['approved' as const] }
  await client.GET('/api/templates', { params: { query } })

  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST http://crm.test/api/contacts',
    'PUT http://crm.test/api/contacts/a1',
    'GET http://crm.test/api/templates?page=1&limit=10&types=sms&types=email&statuses=approved',
  ])
})

test('the compiler refuses what the document does not define', async () => {
  const { client } = recordingClient()
  // @ts-expect-error a last name is required
  await client.POST('/api/contacts', { body: { firstName: 'Ada' } })
  // @ts-expect-error there is no status ajar
  await client.POST('/api/contacts', { body: { ...ada, status: 'ajar' } })
  // @ts-expect-error the path has a parameter
  await client.PUT('/api/contacts/{contactId}', { body: {} })
  // @ts-expect-error there is no operation that lists contacts
  await client.GET('/api/contacts', {})

  const { data, error } = await client.POST('/api/contacts', { body: ada })
  expectTypeOf(data?.data._id).toEqualTypeOf<string | undefined>()
  expectTypeOf(error?.success).toEqualTypeOf<false | undefined>()
  // @ts-expect-error a contact has no owner
  expect(data?.data.owner).toBeUndefined()
})

test('the types of an operation: body, path, query and responses', () => {
  expectTypeOf<BodyOf<'createConversation'>>().toEqualTypeOf<{ contactId: string }>()
  expectTypeOf<BodyOf<'createTemplate', 'multipart/form-data'>>().toEqualTypeOf<Schemas['WhatsappTemplateForm']>()
  expectTypeOf<BodyOf<'deleteContact'>>().toEqualTypeOf<undefined>()
  expectTypeOf<PathOf<'updateContact'>>().toEqualTypeOf<{ contactId: string }>()
  expectTypeOf<PathOf<'createContact'>>().toEqualTypeOf<Record<string, never>>()
  expectTypeOf<QueryOf<'deleteContactsByEmail'>>().toEqualTypeOf<{ email: string }>()
  expectTypeOf<QueryOf<'listMessages'>>().toEqualTypeOf<{ page?: number; limit?: number; channel?: string }>()
  expectTypeOf<SuccessOf<'createConversation'>>().toEqualTypeOf<200 | 201>()
  expectTypeOf<AnswerOf<'createContact', 400>>().toEqualTypeOf<Schemas['Refusal']>()
  expectTypeOf<DataOf<'createContact'>>().toEqualTypeOf<Schemas['Contact']>()
  expectTypeOf<DataOf<'deleteContactsByEmail'>>().toEqualTypeOf<undefined>()
})

function recordingClient() {
  const requests: Request[] = []
  const fetch = (request: Request) => {
    requests.push(request)
    return Promise.resolve(Response.json({ success: true, data: {} }))
  }
  return { client: createClient<paths>({ baseUrl: 'http://crm.test', fetch }), requests }
}
