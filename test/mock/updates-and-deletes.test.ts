import { describe, expect, it } from 'vitest'
import { examples, furnished, ada, grace, idOf } from './requests.ts'
import { openFurnished } from './requests.ts'
import { type ApiResponse, type Call, openSandbox, twoTeams } from './helpers.ts'
import type { World } from '../../fixtures/world.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/operations.ts'

const create = (call: Call, body: object = ada) => call('createContact', { body })

const upsert = (call: Call, body: object = ada) => call('createOrUpdateContact', { body })

const productPath = examples.updateProduct.path

describe('an update', () => {
  it('with a field of null keeps what a create requires when nullField=cleared', async () => {
    const { sandbox, call } = await openFurnished({ nullField: 'cleared' })
    const update = (body: object) => call('updateProduct', { path: productPath, body })
    expect((await update({ name: null })).status).toBe(400)
    const quote = await call('updateQuote', { path: examples.updateQuote.path, body: { status: null } })
    expect(quote.status).toBe(400)
    expect(await sandbox.world()).toEqual(furnished)
    await update({ sku: 'DE-1' })
    expect((await update({ sku: null })).body.data).toEqual(furnished.teams[0]?.products?.[0])
  })

  it('merges the custom fields of contacts and companies, and replaces such a field in other records', async () => {
    const { call } = await openFurnished({ nestedUpdate: 'merged', unlistedFields: 'kept' })
    const path = productPath
    await call('updateProduct', { path, body: { additionalFields: 'first' } })
    const { body, assumed } = await call('updateProduct', { path, body: { additionalFields: 'second' } })
    expect(body.data.additionalFields).toBe('second')
    expect(assumed).not.toContain('nestedUpdate')
  })
})

it.each([
  ['moves', true],
  ['stays', false],
] as const)('unchangedUpdate=%s: an update without a change moves updatedAt: %j', async (unchangedUpdate, moves) => {
  let now = Date.parse('2026-03-01T09:00:00Z')
  const { call } = await openSandbox({ assume: { unchangedUpdate }, clock: { now: () => (now += 1_000) } })
  const { data } = (await create(call)).body
  const path = { contactId: data._id }
  for (const same of [() => call('updateContact', { path, body: { firstName: ada.firstName } }), () => upsert(call)]) {
    const { body, assumed } = await same()
    expect([body.data.updatedAt !== data.updatedAt, assumed.includes('unchangedUpdate')]).toEqual([moves, true])
  }
  const changed = await call('updateContact', { path, body: { firstName: 'Augusta' } })
  expect([changed.body.data.updatedAt > data.updatedAt, changed.assumed]).toEqual([
    true,
    expect.not.arrayContaining(['unchangedUpdate']),
  ])
})

describe('recordTimes=shown', () => {
  const first = '2026-03-02T09:30:00.000Z'
  const later = '2026-03-02T10:30:00.000Z'

  it.each([
    ['createCompany', 'updateCompany', 'companyId', {}],
    ['createProduct', 'updateProduct', 'productId', {}],
    ['createDeal', 'updateDeal', 'dealId', {}],
    ['createQuote', 'updateQuote', 'quoteId', { recordFields: 'onlyShown' }],
  ] as const)('shows when %s and %s were sent, whatever times they send', async (creates, updates, id, others) => {
    const { sandbox, call } = await openFurnished({ recordTimes: 'shown', unlistedFields: 'kept', ...others })
    await sandbox.clock.set({ now: first, frozen: true })
    const body = { ...examples[creates].body, createdAt: 'once' }
    const { data } = (await call(creates, { body })).body
    expect(data).toMatchObject({ createdAt: first, updatedAt: first })
    await sandbox.clock.set({ now: later, frozen: true })
    const path = { [id]: data._id ?? '' }
    const updated = await call(updates, { path, body: { name: 'Engine', createdAt: 'once' } })
    expect(updated.body.data).toMatchObject({ createdAt: first, updatedAt: later })
  })

  it('shows no time of creation of a record of a world', async () => {
    const { call } = await openFurnished({ recordTimes: 'shown' })
    const { data } = (await call('updateProduct', { path: productPath, body: { sku: 'DE-1' } })).body
    expect(Object.keys(data)).toContain('updatedAt')
    expect(Object.keys(data)).not.toContain('createdAt')
  })
})

describe('a delete', () => {
  const createdAt = '2026-03-01T09:30:00.000Z'
  /** Two contacts of a company, each with a conversation, two messages, a deal and a quote. */
  const recordsOf = (teamId: string) => {
    const people = ['ada', 'grace'].map((name) => `${name} of ${teamId}`)
    const message = { channel: 'chat', direction: 'outgoing', content: 'Hello', status: 'sent', createdAt } as const
    return {
      contacts: people.map((_id) => ({
        ...{
          _id,
          firstName: 'A',
          lastName: 'B',
          email: `${_id.slice(0, 3)}@example.com`,
          company: `firm of ${teamId}`,
        },
        ...{ teamId, createdAt, updatedAt: createdAt },
      })),
      conversations: people.map((contactId) => ({ _id: `talk with ${contactId}`, contactId, teamId, createdAt })),
      messages: people.flatMap((contactId) =>
        ['first', 'second'].map((time) => ({
          ...{ _id: `${time} to ${contactId}`, ...message, conversationId: `talk with ${contactId}`, contactId },
        })),
      ),
      templates: ['one', 'other'].map((uniqueName) => ({
        ...{ _id: `${uniqueName} of ${teamId}`, templateType: 'sms', name: 'Hours', uniqueName, content: 'At nine' },
        ...{ status: 'approved', provider: 'sms-provider' },
      })),
      companies: [
        { _id: `firm of ${teamId}`, name: 'Engines', teamId, contacts: people },
        { _id: `shop of ${teamId}`, name: 'Mills', teamId },
      ],
      products: ['engine', 'mill'].map((name) => ({ _id: `${name} of ${teamId}`, name, unitPrice: 1 })),
      deals: people.map((contactId) => ({
        ...{ _id: `deal with ${contactId}`, name: 'Engine', pipeline: 'sales', stage: 'offer', contactId },
      })),
      quotes: people.map((contactId) => ({
        ...{ _id: `quote for ${contactId}`, dealId: `deal with ${contactId}`, name: 'Engine', status: 'draft' },
      })),
    }
  }
  const full = {
    teams: twoTeams.teams.map((team) => ({ ...team, ...recordsOf(team._id) })),
  } as World
  const ofAda = ['ada', 'talk with ada', 'first to ada', 'second to ada']
  const ofItsDeal = ['deal with ada', 'quote for ada']

  it.each<[id: OperationId, query: Record<string, string>, gone: readonly string[], assume?: WrittenChoices]>([
    ['deleteContact', { contactId: 'ada' }, ofAda],
    ['deleteContact', { contactId: 'ada' }, [...ofAda, ...ofItsDeal], { deletedWithContact: 'alsoDealsAndQuotes' }],
    ['deleteContactsByEmail', { email: 'ada@example.com' }, ofAda],
    ['deleteTemplate', { templateId: 'one' }, ['one']],
    ['deleteCompany', { companyId: 'firm' }, ['firm']],
    ['deleteProduct', { productId: 'engine' }, ['engine']],
    ['deleteDeal', { dealId: 'deal with ada' }, ofItsDeal],
    ['deleteDeal', { dealId: 'deal with ada' }, ['deal with ada'], { quotesOfDeletedDeal: 'kept' }],
    ['deleteQuote', { quoteId: 'quote for ada' }, ['quote for ada']],
  ])('%s of %j takes %j, and leaves everything else as it was', async (id, named, gone, assume = {}) => {
    const { sandbox, call } = await openSandbox({ world: full, assume })
    const [name, value] = Object.entries(named)[0] ?? ['', '']
    const ask = name === 'email' ? { query: named } : { path: { [name]: `${value} of acme` } }
    expect((await call(id, ask)).status).toBe(200)
    const isGone = ({ _id }: { readonly _id: string }) => gone.some((one) => _id === `${one} of acme`)
    const { deleted = [], ...acme } = (await sandbox.world()).teams[0] ?? {}
    const [before, globex] = full.teams
    const left = Object.entries(before ?? {}).map(([field, list]) => [
      field,
      Array.isArray(list) && typeof list[0] === 'object' ? list.filter((record) => !isGone(record)) : list,
    ])
    expect(acme).toEqual(Object.fromEntries(left))
    expect(deleted.map(({ record }) => record)).toEqual(before?.contacts?.filter(isGone))
    expect((await sandbox.world()).teams[1]).toEqual(globex)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/mixed', ''])(
    'with a body of another content type is refused, and deletes nothing: %j',
    async (type) => {
      const { sandbox, send } = await openFurnished()
      const answer = await send('deleteProduct', 'x', type === '' ? {} : { 'content-type': type })
      expect(answer).toMatchObject({ status: 400, body: { message: /takes no body of that Content-Type/ } })
      expect(await sandbox.world()).toEqual(furnished)
    },
  )

  it('of a deal counts for its quotes too when deleteAgain=succeeds', async () => {
    const { call } = await openFurnished({ deleteAgain: 'succeeds' })
    await call('deleteDeal', examples.deleteDeal)
    expect((await call('deleteQuote', examples.deleteQuote)).status).toBe(200)
  })

  it('succeeds for an id that never existed too when deleteAgain=succeeds', async () => {
    const { call } = await openFurnished({ deleteAgain: 'succeeds' })
    const path = { productId: 'f'.repeat(24), contactId: 'f'.repeat(24) }
    expect((await call('deleteProduct', { path })).status).toBe(200)
    expect((await call('deleteContact', { path })).status).toBe(404)
  })

  it('of a contact is 404 once the copies of contacts deleted later have 12 MiB', async () => {
    const { sandbox, call } = await openSandbox({ assume: { deleteAgain: 'succeeds' } })
    const deleted: string[] = []
    const remove = async (contactId = '') => (await call('deleteContact', { path: { contactId } })).status
    for (let at = 0; at < 20; at++) {
      const { body } = await create(call, {
        ...ada,
        email: `${at}@example.com`,
        phone: undefined,
        source: 'x'.repeat(900_000),
      })
      deleted.push(body.data._id as string)
      expect(await remove(deleted[at])).toBe(200)
    }
    expect([await remove(deleted[0]), await remove(deleted[19])]).toEqual([404, 200])
    const { deleted: copies = [] } = (await sandbox.world()).teams[0] ?? {}
    expect(copies.length).toBeGreaterThan(10)
    expect(copies.length).toBeLessThan(14)
  })
})

it('deletes two records of different kinds with one id', async () => {
  const acme = { _id: 'acme', name: 'acme', apiKeys: ['acme-key'] }
  const product = { _id: 'one', name: 'Engine', unitPrice: 1 }
  const quote = { _id: 'one', dealId: 'two', status: 'draft' } as const
  const { call } = await openSandbox({ world: { teams: [{ ...acme, products: [product], quotes: [quote] }] } })
  expect((await call('deleteProduct', { path: { productId: 'one' } })).status).toBe(200)
  expect((await call('deleteQuote', { path: { quoteId: 'one' } })).status).toBe(200)
})

it('a contact with both addresses is updated by an upsert, although other contacts share one of them', async () => {
  const { call } = await openSandbox()
  await create(call, { ...grace, email: ada.email })
  await create(call, { ...grace, phone: ada.phone })
  const id = await idOf(create(call))
  expect((await upsert(call, { ...ada, firstName: 'Augusta' })).body.data._id).toBe(id)
})

it('upsertMatching=both does not match a contact that has another address besides the sent one', async () => {
  const { call } = await openSandbox({ assume: { upsertMatching: 'both' } })
  const id = await idOf(create(call))
  for (const address of [{ phone: undefined }, { email: undefined }, { phone: '' }]) {
    const { body, assumed } = await upsert(call, { ...ada, ...address })
    expect(body.data._id).not.toBe(id)
    expect(assumed).toContain('upsertMatching')
    // The new contact has only that address, so it matches.
    expect(await idOf(upsert(call, { ...ada, ...address }))).toBe(body.data._id)
  }
  expect(await idOf(upsert(call, ada))).toBe(id)
})

it('an upsert with one address of a contact that has both relies on upsertMatching', async () => {
  const { call } = await openSandbox()
  const id = await idOf(create(call))
  const { body, assumed } = await upsert(call, { ...ada, phone: undefined })
  expect([body.data._id, assumed.includes('upsertMatching')]).toEqual([id, true])
  expect((await upsert(call)).assumed).not.toContain('upsertMatching')
})

it('a contact is found again with emailStored=lowerCase and addressCompare=exact', async () => {
  const { call } = await openSandbox({ assume: { emailStored: 'lowerCase', addressCompare: 'exact' } })
  const body = { ...ada, phone: undefined, email: 'Ada@Example.com' }
  expect(await idOf(upsert(call, body))).toBe(await idOf(upsert(call, body)))
})

describe('an empty string in a field that is not required', () => {
  const odd = { ...ada, source: '', phone: '' }
  const shown = ({ body: { data } }: ApiResponse) => ({ source: data.source as unknown, phone: data.phone as unknown })

  it.each([
    ['stored', { source: '', phone: '' }, { source: '', phone: '' }],
    ['omitted', { source: undefined, phone: undefined }, { source: 'Web', phone: ada.phone }],
    ['cleared', { source: undefined, phone: undefined }, { source: undefined, phone: undefined }],
  ] as const)('is %s in a create and in an update', async (emptyOptionalField, created, updated) => {
    const { call } = await openSandbox({ assume: { emptyOptionalField } })
    const made = await create(call, odd)
    expect(shown(made)).toEqual(created)
    expect(made.assumed).toContain('emptyOptionalField')
    const path = { contactId: await idOf(create(call, { ...ada, source: 'Web' })) }
    expect(shown(await call('updateContact', { path, body: { source: '', phone: '' } }))).toEqual(updated)
  })

  it('is refused where a text must have a form, and everywhere with emptyOptionalField=refused', async () => {
    const { call } = await openSandbox()
    expect(await create(call, { ...ada, email: '' })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^email must be/) as string },
    })
    const strict = await openSandbox({ assume: { emptyOptionalField: 'refused' } })
    expect(await create(strict.call, odd)).toMatchObject({
      status: 400,
      body: { message: 'phone must not be empty; leave it out' },
    })
    expect((await create(strict.call, { ...ada, firstName: '' })).body.message).toMatch(/^firstName is required/)
  })

  it('is no address by which an upsert finds a contact', async () => {
    const { call } = await openSandbox()
    const body = { ...ada, email: undefined, phone: '' }
    const first = await upsert(call, body)
    expect(first.assumed).toContain('emptyOptionalField')
    expect(await idOf(upsert(call, body))).not.toBe(first.body.data._id)
  })
})
