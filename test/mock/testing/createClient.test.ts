import { describe, expect, expectTypeOf, it } from 'vitest'
import { describedOperations, document } from '../../../spec/document.ts'
import { type Routes, routes } from '../../../spec/generated/routes.ts'
import type { OperationId, Schemas } from '../../../spec/types.ts'
import { createClient, CrmError } from '../../../mock/testing/client.ts'
import { startSandbox } from '../../for-one-test.ts'

const key = { 'x-api-key': 'demo-key' }

it('has a function for each operation of the document, and no other', async () => {
  const { crm } = await demo()
  const ids = describedOperations(document).map(({ operationId }) => operationId)
  expect(Object.keys(crm).toSorted()).toEqual(ids.toSorted())
  expect(ids).toHaveLength(32)
  expectTypeOf<keyof Routes>().toEqualTypeOf<OperationId>()
})

it.each(describedOperations(document))('sends $operationId as the document describes it', async (described) => {
  const { operationId, method, path, parameters, requestBody } = described
  const asked: { url: string; init: RequestInit }[] = []
  const crm = createClient({
    baseUrl: 'https://crm.invalid/',
    headers: key,
    fetch: async (url, init) => {
      asked.push({ url, init })
      return Response.json({ success: true, message: 'Done' })
    },
  })
  const takesId = parameters.some((parameter) => parameter.in === 'path')
  const takesQuery = parameters.some((parameter) => parameter.in === 'query')
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key')
  const input = [
    ...(takesId ? ['an/id?'] : []),
    ...(takesQuery ? [{ page: 1, types: ['sms', 'email'], left: undefined }] : []),
    ...(requestBody ? [{ name: 'Ada' }] : []),
    { ...(takesKey ? { idempotencyKey: 'once' } : {}), headers: { 'x-request-id': 'one' } },
  ]
  const call = crm[operationId as OperationId] as (...input: unknown[]) => Promise<{ response: Response }>
  expect((await call(...input)).response.status).toBe(200)
  expect(asked).toEqual([
    {
      url: `https://crm.invalid${path.replace(/\{\w+\}/, 'an%2Fid%3F')}${takesQuery ? '?page=1&types=sms&types=email' : ''}`,
      init: {
        method: method.toUpperCase(),
        headers: {
          ...key,
          ...(requestBody ? { 'content-type': 'application/json' } : {}),
          ...(takesKey ? { 'idempotency-key': 'once' } : {}),
          'x-request-id': 'one',
        },
        ...(requestBody ? { body: '{"name":"Ada"}' } : {}),
      },
    },
  ])
})

describe('an operation', () => {
  it('resolves to the answer, with its response', async () => {
    const { crm } = await demo()
    const { data: ada, message, response } = await crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
    expectTypeOf(ada).toEqualTypeOf<Schemas['Contact']>()
    expect([ada.firstName, message, response.status]).toEqual(['Ada', 'Contact created', 201])
    expect(response.headers.get('x-sandbox-assumed')).toContain('newContactStatus')
    const { data } = await crm.updateContact(ada._id, { lastName: 'Byron' })
    expect(data).toMatchObject({ _id: ada._id, lastName: 'Byron' })
    const query = { page: 1, limit: 2, types: ['sms', 'email'], statuses: ['approved'] } as const
    const { pagination } = await crm.listTemplates({ ...query, types: [...query.types], statuses: [...query.statuses] })
    expect(pagination).toMatchObject({ limit: 2, currentPage: 1 })
  })

  it('acts once for each idempotency key', async () => {
    const { crm, sandbox } = await demo()
    const deal = { name: 'Engine', pipeline: 'sales', stage: 'talking' }
    const [one, same] = [
      await crm.createDeal(deal, { idempotencyKey: 'a' }),
      await crm.createDeal(deal, { idempotencyKey: 'a' }),
    ]
    expect(same.data._id).toBe(one.data._id)
    const { data } = await crm.createDeal(deal, { idempotencyKey: 'b' })
    expect(data._id).not.toBe(one.data._id)
    const { teams } = await sandbox.world()
    expect(teams[0]?.deals?.filter(({ name }) => name === 'Engine')).toHaveLength(2)
  })

  it('takes a form where the document has one', async () => {
    const { crm } = await demo()
    const form = new FormData()
    const fields = { templateType: 'whatsapp', name: 'Cog', uniqueName: 'cog', content: 'A cog', category: 'UTILITY' }
    for (const [name, value] of Object.entries({ ...fields, language: 'en_US', provider: 'whatsapp-provider' })) {
      form.set(name, value)
    }
    expect((await crm.createTemplate(form)).data.status).toBe('pending')
    // @ts-expect-error contacts are no forms
    const refused = crm.createContact(form)
    await expect(refused).rejects.toMatchObject({ name: 'CrmError', status: 400 })
  })

  it('rejects with the status and the body of a refusal', async () => {
    const { crm } = await demo()
    // @ts-expect-error there must be a last name
    const error: unknown = await crm.createContact({ firstName: 'Ada' }).catch((why: unknown) => why)
    expect(error).toBeInstanceOf(CrmError)
    expect(error).toMatchObject({
      name: 'CrmError',
      message: 'createContact was answered with 400: lastName is required',
      operation: 'createContact',
      status: 400,
      body: { success: false, message: 'lastName is required' },
    })
    await expect(crm.getTemplate('000000000000000000000000')).rejects.toThrow('404: Resource not found')
  })

  it.each([
    [502, '<h1>Bad gateway</h1>', 'and a body that is not JSON'],
    [200, '{"success":true,"da', 'and a body that is not JSON'],
    [200, 'null', ''],
    [500, '{}', ''],
  ])('rejects what is no answer of the API: %i %s', async (status, body, words) => {
    const crm = createClient({ baseUrl: 'https://crm.invalid', fetch: async () => new Response(body, { status }) })
    await expect(crm.deleteDeal('one')).rejects.toThrow(
      new RegExp(`^deleteDeal was answered with ${status} ?${words}$`),
    )
  })

  it('rejects with what fetch says when nothing answers, or when it is aborted', async () => {
    const { crm } = await demo()
    await expect(createClient({ baseUrl: 'http://crm.invalid' }).deleteDeal('one')).rejects.toThrow('fetch failed')
    await expect(crm.deleteDeal('one', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })

  it.each([
    ...[undefined, null, '', '.', '..', 5, {}].map(
      (id) => ['deleteContact', [id], "an id first, such as '66f0"] as const,
    ),
    ...[undefined, null, '', 'Ada', 5].flatMap((body) => [
      ['createContact', [body], 'a body, which must be an object.'] as const,
      ['updateContact', ['one', body], 'a body'] as const,
    ]),
  ])('sends nothing for %s with %j', async (operation, input, words) => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      return new Response('{}')
    }
    const crm = createClient({ baseUrl: 'https://crm.invalid', fetch })
    const call = crm[operation] as (...input: readonly unknown[]) => Promise<unknown>
    await expect(call(...input)).rejects.toThrow(`${operation} takes ${words}`)
    expect(asked).toEqual([])
  })
})

it('types what an operation takes', () => {
  const types = async ({ crm }: Awaited<ReturnType<typeof demo>>) => {
    // @ts-expect-error an id comes first
    await crm.updateContact({ firstName: 'Ada' })
    // @ts-expect-error a read takes no key
    await crm.getConversation('one', { idempotencyKey: 'once' })
    // @ts-expect-error a list of templates needs its page
    await crm.listTemplates()
    // @ts-expect-error there is no such operation
    await crm.createPony({})
    await crm.listMessages('one')
    await crm.listMessages('one', { page: 2 }, { signal: AbortSignal.timeout(1) })
    await crm.deleteContactsByEmail({ email: 'ada@example.com' })
  }
  expect(types).toBeTypeOf('function')
  expect(routes.createContact).toBe('POST /api/contacts')
})

async function demo() {
  const sandbox = await startSandbox()
  return { sandbox, crm: createClient({ baseUrl: sandbox.url, headers: key, fetch: sandbox.fetch }) }
}
