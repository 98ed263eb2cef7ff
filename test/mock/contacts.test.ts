import { describe, expect, it } from 'vitest'
import { promise } from '../../spec/promises.ts'
import { seeEachChoice } from './each-choice.ts'
import { type Call, openSandbox, type Told, twoTeams } from './harness.ts'

const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+14155550123' }
const grace = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', phone: '+14155550124' }
const names = { firstName: 'Ada', lastName: 'Lovelace' }
const unknownId = '66f0a1b2c3d4e5f601239999'

const create = (call: Call, body: object = ada, key = 'acme-key') => call('createContact', { body, key })
const upsert = (call: Call, body: object) => call('createOrUpdateContact', { body })
const update = (call: Call, contactId: string, body: object = {}, key = 'acme-key') =>
  call('updateContact', { path: { contactId }, body, key })
const remove = (call: Call, contactId: string, key = 'acme-key') => call('deleteContact', { path: { contactId }, key })
const removeByEmail = (call: Call, email: string) => call('deleteContactsByEmail', { query: { email } })

const idOf = async (telling: Promise<Told>): Promise<string> => (await telling).body.data._id
/** The data, or the status of a refusal. */
const seenOf = ({ status, body }: Told): unknown => (status < 400 ? body.data : status)
const conversationWith = (call: Call, contactId: string) => idOf(call('createConversation', { body: { contactId } }))
const statusOfConversation = async (call: Call, conversationId: string) =>
  (await call('getConversation', { path: { conversationId } })).status

describe('A contact', () => {
  it('is created with an id, its team, its times and the fields that were sent', async () => {
    const { call } = await openSandbox({ clock: { now: () => Date.parse('2026-03-01T09:30:00.000Z') } })
    const sent = { ...ada, status: 'closed', source: 'Fair', lifecycleStage: 'Customer', additionalFields: { age: 36 } }
    const { status, body, assumed } = await create(call, { ...sent, groupIds: [] })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      message: 'Contact created',
      data: {
        ...sent,
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        groupIds: [],
        teamId: 'acme',
        createdAt: '2026-03-01T09:30:00.000Z',
        updatedAt: '2026-03-01T09:30:00.000Z',
      },
    })
    expect(assumed).toEqual(['undefinedCustomField'])
  })

  it('keeps its creation time and the fields that an update does not mention, and gets a new update time', async () => {
    let now = Date.parse('2026-03-01T09:30:00.000Z')
    const { call } = await openSandbox({ clock: { now: () => now } })
    const { data: before } = (await create(call)).body
    now += 1000
    const { status, body } = await update(call, before._id, { source: 'Fair' })
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...before, source: 'Fair', updatedAt: '2026-03-01T09:30:01.000Z' })
  })

  it.each(promise('contact.updateTakesAnyOneField').fields)('can be updated with %s alone', async (field) => {
    const { call } = await openSandbox()
    const values: Record<string, unknown> = {
      ...grace,
      status: 'closed',
      groupIds: ['engineers'],
      additionalFields: { age: 36 },
    }
    const value = values[field] ?? 'Lead'
    const { body } = await update(call, await idOf(create(call)), { [field]: value })
    expect(body.data[field]).toEqual(value)
  })

  it('is created by an upsert with new addresses, and updated by the next upsert with them', async () => {
    const { call } = await openSandbox()
    const first = await upsert(call, ada)
    const second = await upsert(call, { ...ada, firstName: 'Augusta' })
    expect([first.status, first.body.message]).toEqual([200, 'Contact created'])
    expect([second.status, second.body.message]).toEqual([200, 'Contact updated'])
    expect(second.body.data).toMatchObject({ _id: first.body.data._id, firstName: 'Augusta' })
    expect(second.assumed).not.toContain('contactMatching')
  })

  it('with both addresses is updated by an upsert, although other contacts share one of them', async () => {
    const { call } = await openSandbox()
    await create(call, { ...grace, email: ada.email })
    await create(call, { ...grace, phone: ada.phone })
    const id = await idOf(create(call))
    const { body } = await upsert(call, { ...ada, firstName: 'Augusta' })
    expect(body.data._id).toBe(id)
  })

  it('is shown when it is deleted, and is gone with its conversation and messages', async () => {
    const { call } = await openSandbox()
    const { data } = (await create(call)).body
    const conversationId = await conversationWith(call, data._id)
    const { status, body } = await remove(call, data._id)
    expect({ status, data: body.data }).toEqual({ status: 200, data })
    expect((await update(call, data._id)).status).toBe(404)
    expect(await statusOfConversation(call, conversationId)).toBe(404)
    expect((await call('listMessages', { path: { conversationId } })).status).toBe(404)
  })

  it.each([
    [1, '1 contact deleted'],
    [3, '3 contacts deleted'],
  ])('is deleted by an e-mail address that %i contacts have, and the message says how many', async (count, message) => {
    const { call } = await openSandbox()
    const ids = await Promise.all(Array.from({ length: count }, () => idOf(create(call))))
    const other = await idOf(create(call, grace))
    const { status, body } = await removeByEmail(call, ada.email)
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message } })
    for (const id of ids) expect((await update(call, id)).status).toBe(404)
    expect((await update(call, other)).status).toBe(200)
  })

  it.each(['updateContact', 'deleteContact'] as const)(
    'of another team is answered by %s like an unknown one, and stays unchanged',
    async (id) => {
      const { call } = await openSandbox()
      const theirs = (await create(call, ada, 'globex-key')).body.data
      const body = id === 'updateContact' ? { firstName: 'Ours' } : undefined
      const foreign = await call(id, { path: { contactId: theirs._id }, body })
      expect(foreign).toEqual(await call(id, { path: { contactId: unknownId }, body }))
      expect(foreign.body).toEqual({ success: false, message: 'Resource not found' })
      expect((await update(call, theirs._id, {}, 'globex-key')).body.data).toEqual(theirs)
    },
  )

  it('of another team is neither matched by an upsert nor deleted by its e-mail address', async () => {
    const { call } = await openSandbox()
    const theirs = (await create(call, ada, 'globex-key')).body.data
    const { body } = await upsert(call, ada)
    await removeByEmail(call, ada.email)
    expect(body.data._id).not.toBe(theirs._id)
    expect((await update(call, theirs._id, {}, 'globex-key')).body.data).toEqual(theirs)
  })
})

describe('A contact is refused', () => {
  it.each(['createContact', 'createOrUpdateContact'] as const)('by %s without a first or a last name', async (id) => {
    const { call } = await openSandbox()
    for (const field of promise('contact.createRequires').fields) {
      const { [field]: _, ...others } = ada
      const { status, body } = await call(id, { body: others })
      expect([status, body.message]).toEqual([400, `${field} is required`])
    }
  })

  it.each([
    ['status', 'gone', 'status must be one of open, in-progress, closed'],
    ['groupIds', 'engineers', 'groupIds must be'],
    ['groupIds', [1], 'groupIds[0] must be'],
    ['email', 'x', 'email must be an e-mail address'],
    ['phone', '12', 'phone must be in E.164 form'],
  ])('with %s as %j, on create and on update, and stays unchanged', async (field, value, message) => {
    const { call } = await openSandbox({ assume: { contactPhoneForm: 'checked' } })
    const before = (await create(call)).body.data
    for (const refused of [
      await create(call, { ...grace, [field]: value }),
      await update(call, before._id, { firstName: 'Augusta', [field]: value }),
    ]) {
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(message)])
    }
    expect((await update(call, before._id)).body.data).toEqual(before)
    expect((await removeByEmail(call, grace.email)).body.message).toBe('0 contacts deleted')
  })

  it('by an upsert sent as text/plain', async () => {
    const { call } = await openSandbox()
    const ask = { body: JSON.stringify(ada), headers: { 'content-type': 'text/plain' } }
    expect((await call('createOrUpdateContact', ask)).status).toBe(400)
  })

  it('by a delete by e-mail without an e-mail address', async () => {
    const { call } = await openSandbox()
    const { status, body } = await call('deleteContactsByEmail')
    expect([status, body.message]).toEqual([400, 'email is required'])
  })
})

/** An upsert with the e-mail address of Ada and the phone number of Grace. */
async function upsertBetween(call: Call) {
  const known = {
    [await idOf(create(call, { ...names, email: ada.email }))]: 'Ada',
    [await idOf(create(call, { ...names, phone: grace.phone }))]: 'Grace',
  }
  const told = await upsert(call, { ...names, email: ada.email, phone: grace.phone })
  return { told, seen: told.status === 400 ? 400 : (known[told.body.data._id as string] ?? 'a new contact') }
}

seeEachChoice({
  contactMatching: {
    story: upsertBetween,
    shows: { emailThenPhone: 'Ada', phoneThenEmail: 'Grace', refuse: 400 },
    otherwise: async (call) => {
      await create(call)
      return upsert(call, ada)
    },
  },
  upsertMatching: {
    story: async (call) => {
      const id = await idOf(create(call, { ...names, email: ada.email }))
      const told = await upsert(call, { ...names, email: ada.email, phone: grace.phone })
      return { told, seen: told.body.data._id === id }
    },
    shows: { either: true, both: false },
    otherwise: async (call) => {
      await create(call)
      return upsert(call, { ...names, email: ada.email })
    },
  },
  severalMatches: {
    story: async (call) => {
      const ids = [await idOf(create(call)), await idOf(create(call)), await idOf(create(call))]
      const told = await upsert(call, { ...names, email: ada.email })
      return { told, seen: told.status === 400 ? 400 : ids.indexOf(told.body.data._id) }
    },
    shows: { oldest: 0, newest: 2, refused: 400 },
    otherwise: async (call) => {
      await create(call)
      return upsert(call, ada)
    },
  },
  addressCompare: {
    story: async (call) => {
      const id = await idOf(create(call))
      const told = await upsert(call, { ...names, email: 'ADA@example.com' })
      return { told, seen: told.body.data._id === id }
    },
    shows: { ignoringCase: true, exact: false },
    otherwise: async (call) => {
      await create(call)
      return upsert(call, ada)
    },
  },
  phoneCompare: {
    story: async (call) => {
      const id = await idOf(create(call, { ...names, phone: '+1 415 555-0123' }))
      const told = await upsert(call, { ...names, phone: '+14155550123' })
      return { told, seen: told.body.data._id === id }
    },
    shows: { exact: false, ignoringPunctuation: true },
    otherwise: async (call) => {
      await create(call)
      return upsert(call, ada)
    },
  },
  emailStored: {
    story: async (call) => {
      const told = await create(call, { ...ada, email: 'Ada@Example.com' })
      return { told, seen: told.body.data.email }
    },
    shows: { asSent: 'Ada@Example.com', lowerCase: 'ada@example.com' },
    otherwise: (call) => create(call),
  },
  contactEmailForm: {
    story: async (call) => {
      const told = await create(call, { ...ada, email: 'x' })
      return { told, seen: told.status }
    },
    shows: { checked: 400, anyString: 201 },
    otherwise: (call) => create(call, { ...names, phone: 'x' }),
  },
  contactPhoneForm: {
    story: async (call) => {
      const told = await create(call, { ...ada, phone: '555 0123' })
      return { told, seen: told.status }
    },
    shows: { anyString: 201, checked: 400 },
    otherwise: (call) => create(call),
  },
  sameAddressTwice: {
    story: async (call) => {
      await create(call)
      const other = await idOf(create(call, grace))
      const told = await update(call, other, { phone: ada.phone })
      const again = await create(call, { ...names, email: ada.email })
      const upserted = await upsert(call, { ...names, email: grace.email, phone: ada.phone })
      return { told, seen: [told.status, again.status, upserted.status] }
    },
    shows: { accepted: [200, 201, 200], refused: [400, 400, 400] },
    otherwise: async (call) => update(call, await idOf(create(call)), { ...ada, email: 'ADA@example.com' }),
  },
  newContactStatus: {
    story: async (call) => {
      const told = await create(call)
      return { told, seen: told.body.data.status }
    },
    shows: { open: 'open', absent: undefined },
    otherwise: (call) => create(call, { ...ada, status: 'closed' }),
  },
  newContactLifecycle: {
    story: async (call) => {
      const told = await create(call)
      return { told, seen: told.body.data.lifecycleStage }
    },
    shows: { absent: undefined, lead: 'Lead' },
    otherwise: (call) => create(call, { ...ada, lifecycleStage: 'Customer' }),
  },
  contactStatusMoves: {
    story: async (call) => {
      const id = await idOf(create(call, { ...ada, status: 'closed' }))
      const told = await update(call, id, { status: 'in-progress' })
      const upserted = await upsert(call, { ...ada, status: 'open' })
      return { told, seen: [told.status, upserted.status, (await update(call, id)).body.data.status] }
    },
    shows: { any: [200, 200, 'open'], forwardOnly: [400, 400, 'closed'] },
    otherwise: async (call) => update(call, await idOf(create(call)), { status: 'closed' }),
  },
  otherLifecycleStage: {
    story: async (call) => {
      const told = await create(call, { ...ada, lifecycleStage: 'Fan' })
      return { told, seen: told.status }
    },
    shows: { accepted: 201, refused: 400 },
    otherwise: (call) => create(call, { ...ada, lifecycleStage: 'Live Chat' }),
  },
  upsertStatus: {
    story: async (call) => {
      const told = await upsert(call, { ...ada, status: 'dreaming' })
      return { told, seen: told.status }
    },
    shows: { anyString: 200, sameEnum: 400 },
    otherwise: (call) => upsert(call, { ...ada, status: 'closed' }),
  },
  upsertUnsentFields: {
    story: async (call) => {
      const id = await idOf(create(call, { ...ada, source: 'Fair', groupIds: ['engineers'] }))
      await update(call, id, { company: unknownId })
      const told = await upsert(call, { ...names, email: ada.email })
      const { phone, source, groupIds, company } = told.body.data
      return { told, seen: { phone, source, groupIds, company } }
    },
    shows: {
      kept: { phone: ada.phone, source: 'Fair', groupIds: ['engineers'], company: unknownId },
      cleared: { phone: undefined, source: undefined, groupIds: ['engineers'], company: unknownId },
    },
    otherwise: async (call) => {
      await create(call, { ...ada, status: 'open' })
      return upsert(call, { ...ada, status: 'open' })
    },
  },
  fieldsNotGiven: {
    story: async (call) => {
      const told = await create(call)
      const { groupIds, additionalFields } = told.body.data
      return { told, seen: { groupIds, additionalFields } }
    },
    shows: {
      empty: { groupIds: [], additionalFields: {} },
      absent: { groupIds: undefined, additionalFields: undefined },
    },
    otherwise: (call) => create(call, { ...ada, groupIds: [], additionalFields: {} }),
  },
  contactReferences: {
    world: { teams: twoTeams.teams.map((team) => ({ ...team, groups: ['engineers'] })) },
    story: async (call) => {
      const id = await idOf(create(call))
      const told = await update(call, id, { company: unknownId })
      const grouped = await create(call, { ...grace, groupIds: ['engineers', 'poets'] })
      const body = { ...names, groupId: 'poets' }
      const resolved = await call('createContactWithConversation', { body })
      return { told, seen: [told.status, grouped.status, resolved.status] }
    },
    shows: { accepted: [200, 201, 200], refused: [400, 400, 400] },
    otherwise: async (call) => {
      const company = await idOf(call('createCompany', { body: { name: 'Engines' } }))
      return update(call, await idOf(create(call)), { company, groupIds: ['engineers'] })
    },
  },
  noContactWithEmail: {
    story: async (call) => {
      const told = await removeByEmail(call, ada.email)
      return { told, seen: [told.status, told.body.message] }
    },
    shows: { countsZero: [200, '0 contacts deleted'], notFound: [404, 'Resource not found'] },
    otherwise: async (call) => {
      await create(call)
      return removeByEmail(call, ada.email)
    },
  },
  deletedWithContact: {
    story: async (call) => {
      const { contactId, dealId, quoteId } = await adaAndHerDeal(call)
      const told = await remove(call, contactId)
      const deal = await call('updateDeal', { path: { dealId }, body: {} })
      const quote = await call('updateQuote', { path: { quoteId }, body: {} })
      return { told, seen: [deal.status, quote.status] }
    },
    shows: { conversationAndMessages: [200, 200], alsoDealsAndQuotes: [404, 404] },
    otherwise: async (call) => remove(call, await idOf(create(call))),
  },
  referencesAfterDelete: {
    story: async (call) => {
      const { contactId, dealId, companyId } = await adaAndHerDeal(call)
      const told = await remove(call, contactId)
      const deal = (await call('updateDeal', { path: { dealId }, body: {} })).body.data
      const company = (await call('updateCompany', { path: { companyId }, body: {} })).body.data
      return { told, seen: [deal.contactId === contactId, deal.contacts.length, company.contacts.length] }
    },
    shows: { kept: [true, 2, 1], cleared: [false, 1, 0] },
    otherwise: async (call) => remove(call, await idOf(create(call))),
  },
  nestedUpdate: {
    story: async (call) => {
      const id = await idOf(create(call, { ...ada, additionalFields: { age: 36, town: 'London' } }))
      const told = await update(call, id, { additionalFields: { age: 37 } })
      return { told, seen: told.body.data.additionalFields }
    },
    shows: { replaced: { age: 37 }, merged: { age: 37, town: 'London' } },
    otherwise: async (call) => update(call, await idOf(create(call)), { additionalFields: { age: 37 } }),
  },
  deleteAgain: {
    story: async (call) => {
      const { data } = (await create(call)).body
      await remove(call, data._id)
      const told = await remove(call, data._id)
      return { told, seen: told.status === 404 ? 404 : told.body.data.firstName }
    },
    shows: { notFound: 404, succeeds: 'Ada' },
    otherwise: (call) => remove(call, unknownId),
  },
  malformedId: {
    story: async (call) => {
      const told = await update(call, 'not an id')
      return { told, seen: told.status }
    },
    shows: { notFound: 404, badRequest: 400 },
    otherwise: (call) => update(call, unknownId),
  },
  unlistedFields: {
    story: async (call) => {
      const told = await create(call, { ...ada, shoeSize: 38 })
      return { told, seen: told.status === 400 ? 400 : told.body.data.shoeSize }
    },
    shows: { kept: 38, dropped: undefined, refused: 400 },
    otherwise: (call) => create(call),
  },
  serverFieldsSent: {
    story: async (call) => {
      const told = await create(call, { ...ada, _id: unknownId, teamId: 'globex', createdAt: 'yesterday' })
      return { told, seen: told.status === 400 ? 400 : [told.body.data._id === unknownId, told.body.data.teamId] }
    },
    shows: { ignored: [false, 'acme'], refused: 400 },
    otherwise: (call) => create(call),
  },
  emptyString: {
    story: async (call) => {
      const told = await create(call, { ...ada, lastName: '' })
      return { told, seen: told.status }
    },
    shows: { refused: 400, accepted: 201 },
    otherwise: (call) => create(call, { ...ada, source: '' }),
  },
})

describe('the other choices', () => {
  it('match a contact by the one address that is known', async () => {
    for (const contactMatching of ['emailThenPhone', 'phoneThenEmail', 'refuse'] as const) {
      const { call } = await openSandbox({ assume: { contactMatching } })
      await create(call, { ...names, email: ada.email })
      const { body, assumed } = await upsert(call, ada)
      expect([contactMatching, body.message]).toEqual([contactMatching, 'Contact updated'])
      expect(assumed).not.toContain('contactMatching')
    }
  })

  it('make a new contact of each upsert without an address', async () => {
    const { call } = await openSandbox()
    const answers = [await create(call, names), await upsert(call, names), await upsert(call, names)]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200])
    expect(new Set(answers.map(({ body }) => body.data._id as string)).size).toBe(3)
  })

  it('find a contact with emailStored=lowerCase and addressCompare=exact', async () => {
    const { call } = await openSandbox({ assume: { emailStored: 'lowerCase', addressCompare: 'exact' } })
    const first = await upsert(call, { ...names, email: 'Ada@Example.com' })
    const second = await upsert(call, { ...names, email: 'Ada@Example.com' })
    expect(second.body.data._id).toBe(first.body.data._id)
  })

  it('create no contact when an address is refused', async () => {
    const { call } = await openSandbox({ assume: { sameAddressTwice: 'refused' } })
    await create(call)
    expect(seenOf(await create(call, { ...grace, phone: ada.phone }))).toBe(400)
    expect((await removeByEmail(call, grace.email)).body.message).toBe('0 contacts deleted')
  })
})

async function adaAndHerDeal(call: Call) {
  const contactId = await idOf(create(call))
  const other = await idOf(create(call, grace))
  const deal = { name: 'Engine', pipeline: 'sales', stage: 'talking', contactId, contacts: [contactId, other] }
  const dealId = await idOf(call('createDeal', { body: deal }))
  const quoteId = await idOf(call('createQuote', { body: { dealId } }))
  const companyId = await idOf(call('createCompany', { body: { name: 'Engines', contacts: [contactId] } }))
  return { contactId, dealId, quoteId, companyId }
}
