import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../index.ts'
import { type Ask, callerOf, twoTeams } from './harness.ts'

const voice = {
  messages: {
    createContact: { 201: 'Contact {firstName} saved', 400: 'That cannot be' },
    updateContact: { 404: 'No contact {id}' },
    deleteContactsByEmail: { 200: 'All are gone' },
    createConversation: { 200: 'Here you are', 201: 'Here you are' },
    createProduct: { 201: 'Saved for {nobody}', 401: 'Who are you?' },
  },
  badField: { missing: '"{field}" is lacking', wrong: '"{field}" is wrong' },
  ids: { contacts: 'con_{lowercase:4}', products: '{digits:3}', companies: '{uuid}' },
  times: { precision: 'seconds', offset: '+05:30' },
  fields: { contacts: { __v: 'number', id: 'sameId', createdBy: 'id' } },
  headers: { 'x-ratelimit-limit': 3, 'x-ratelimit-remaining': '{remaining}' },
}

async function open(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ world: twoTeams, profile: { voice }, ...options })
  onTestFinished(() => sandbox.close())
  const call = callerOf(sandbox)
  const create = (ask: Ask = {}) => call('createContact', { body: { firstName: 'Ada', lastName: 'L' }, ...ask })
  return { sandbox, call, create }
}

it('words successes and refusals as the server does', async () => {
  const { call, create } = await open()
  expect((await create()).body.message).toBe('Contact Ada saved')
  expect((await create({ body: { firstName: 'Ada' } })).body.message).toBe('"lastName" is lacking')
  expect((await create({ body: { firstName: 'Ada', lastName: 7 } })).body.message).toBe('"lastName" is wrong')
  const unknown = await call('updateContact', { path: { contactId: 'con_nobody123456' }, body: {} })
  expect(unknown).toMatchObject({ status: 404, body: { message: 'No contact con_nobody123456' } })
})

it('keeps its own words where the others would break a promise, or have a place that nothing fills', async () => {
  const { call, create } = await open()
  const product = { name: 'Engine', unitPrice: 1 }
  expect((await call('createProduct', { body: product })).body.message).toBe('Product created')
  expect((await call('createProduct', { key: null, body: product })).body.message).toBe('Unauthorized')
  await create({ body: { firstName: 'Ada', lastName: 'L', email: 'ada@example.com' } })
  const gone = await call('deleteContactsByEmail', { query: { email: 'ada@example.com' } })
  expect(gone.body.message).toContain('1')
  const contactId = (await create()).body.data._id as string
  const [first, second] = [
    await call('createConversation', { body: { contactId } }),
    await call('createConversation', { body: { contactId } }),
  ]
  expect(first.body.message).not.toBe(second.body.message)
})

it('names no field where somebody chose that messages do not', async () => {
  const { create } = await open({ assume: { badRequestMessage: 'general' } })
  expect((await create({ body: { firstName: 'Ada' } })).body.message).toBe('That cannot be')
})

it('mints ids of its forms, long enough to be unique, and none twice', async () => {
  const { call, create } = await open()
  const ids = await Promise.all(Array.from({ length: 200 }, async () => (await create()).body.data._id as string))
  expect(new Set(ids).size).toBe(200)
  for (const id of ids) expect(id).toMatch(/^con_[0-9a-z]{12}$/)
  const product = await call('createProduct', { body: { name: 'Engine', unitPrice: 1 } })
  expect(product.body.data._id).toMatch(/^[1-9]\d{11}$/)
  expect((await call('createCompany', { body: { name: 'Acme' } })).body.data._id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
})

it('mints the same ids for the same seed, also after a reset', async () => {
  const idOf = async (seed: number) => {
    const { sandbox, create } = await open({ seed })
    const first = (await create()).body.data._id as string
    await sandbox.reset()
    return [first, (await create()).body.data._id as string]
  }
  const [first, again] = await idOf(1)
  expect(again).toBe(first)
  expect(await idOf(1)).toEqual([first, first])
  expect(await idOf(2)).not.toContain(first)
})

it('knows ids of its forms from malformed ones', async () => {
  const { call } = await open({ assume: { malformedId: 'badRequest' } })
  const update = (contactId: string) => call('updateContact', { path: { contactId }, body: {} })
  expect((await update('con_nobody123456')).status).toBe(404)
  expect((await update('nothing')).status).toBe(400)
})

it('shows times and more fields, and the same whenever a record is shown', async () => {
  const { call, create } = await open({ clock: { now: () => Date.parse('2026-03-01T20:00:00.500Z') } })
  const { data } = (await create()).body as { data: Record<string, unknown> }
  expect(data).toMatchObject({ createdAt: '2026-03-02T01:30:00+05:30', __v: 0, id: data._id, firstName: 'Ada' })
  const shown = await call('updateContact', { path: { contactId: String(data._id) }, body: {} })
  expect(shown.body.data.createdBy).toBe(data.createdBy)
})

it('counts down in the headers, in process and over HTTP', async () => {
  const { sandbox } = await open({ port: 0 })
  const remaining = async (over: typeof fetch) => {
    const answer = await over(`${sandbox.url}/api/templates`, { headers: { 'x-api-key': 'acme-key' } })
    return [answer.headers.get('x-ratelimit-limit'), answer.headers.get('x-ratelimit-remaining')]
  }
  expect([await remaining(fetch), await remaining(sandbox.fetch), await remaining(fetch)]).toEqual([
    ['3', '3'],
    ['3', '2'],
    ['3', '1'],
  ])
})

it('reads a file with ids of another form, and goes on in its own', async () => {
  const store = `file:${join(mkdtempSync(join(tmpdir(), 'voice-')), 'crm.json')}`
  const before = await open({ store, voice: false })
  const old = (await before.create()).body.data._id as string
  expect(old).toMatch(/^[0-9a-f]{24}$/)
  await before.sandbox.close()
  const { call, create } = await open({ store })
  expect((await create()).body.data._id).toMatch(/^con_/)
  expect((await call('updateContact', { path: { contactId: old }, body: {} })).status).toBe(200)
})

it('gives a repeated key the same words again', async () => {
  const { create } = await open()
  const headers = { 'idempotency-key': 'one' }
  const first = await create({ headers })
  expect((await create({ headers })).body).toEqual(first.body)
})
