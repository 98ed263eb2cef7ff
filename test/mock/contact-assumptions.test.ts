import { describe, expect, it } from 'vitest'
import { ada, grace, unknownId, create, upsert, update, remove, removeByEmail, idOf } from './contact-calls.ts'
import { seeEachChoice } from './each-choice.ts'
import { type Call, openSandbox, twoTeams } from './harness.ts'

const names = { firstName: 'Ada', lastName: 'Lovelace' }

/** An upsert with the e-mail address of Ada and the phone number of Grace. */
async function upsertBetween(call: Call) {
  const known = {
    [await idOf(create(call, { ...names, email: ada.email }))]: 'Ada',
    [await idOf(create(call, { ...names, phone: grace.phone }))]: 'Grace',
  }
  const told = await upsert(call, { ...names, email: ada.email, phone: grace.phone })
  return { told, seen: told.status === 400 ? 400 : (known[told.body.data._id as string] ?? 'a new contact') }
}

const upsertKnown = async (call: Call) => {
  await create(call)
  return upsert(call, ada)
}

seeEachChoice({
  contactMatching: {
    story: upsertBetween,
    shows: { emailThenPhone: 'Ada', phoneThenEmail: 'Grace', refuse: 400 },
    otherwise: upsertKnown,
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
    otherwise: upsertKnown,
  },
  addressCompare: {
    story: async (call) => {
      const id = await idOf(create(call))
      const told = await upsert(call, { ...names, email: 'ADA@example.com' })
      return { told, seen: told.body.data._id === id }
    },
    shows: { ignoringCase: true, exact: false },
    otherwise: upsertKnown,
  },
  phoneCompare: {
    story: async (call) => {
      const id = await idOf(create(call, { ...names, phone: '+1 415 555-0123' }))
      const told = await upsert(call, { ...names, phone: '+14155550123' })
      return { told, seen: told.body.data._id === id }
    },
    shows: { exact: false, ignoringPunctuation: true },
    otherwise: upsertKnown,
  },
  emailStored: {
    story: async (call) => {
      const told = await create(call, { ...ada, email: 'Ada@Example.com' })
      return { told, seen: told.body.data.email }
    },
    shows: { asSent: 'Ada@Example.com', lowerCase: 'ada@example.com' },
    otherwise: create,
  },
  contactEmailForm: {
    story: (call) => create(call, { ...ada, email: 'x' }),
    shows: { checked: 400, anyString: 201 },
    otherwise: (call) => create(call, { ...names, phone: 'x' }),
  },
  contactPhoneForm: {
    story: (call) => create(call, { ...ada, phone: '555 0123' }),
    shows: { anyString: 201, checked: 400 },
    otherwise: create,
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
    story: (call) => create(call, { ...ada, lifecycleStage: 'Fan' }),
    shows: { accepted: 201, refused: 400 },
    otherwise: (call) => create(call, { ...ada, lifecycleStage: 'Live Chat' }),
  },
  upsertStatus: {
    story: (call) => upsert(call, { ...ada, status: 'dreaming' }),
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
  emptyString: {
    story: (call) => create(call, { ...ada, lastName: '' }),
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

  it('find a contact with emailStored=lowerCase and addressCompare=exact', async () => {
    const { call } = await openSandbox({ assume: { emailStored: 'lowerCase', addressCompare: 'exact' } })
    const first = await upsert(call, { ...names, email: 'Ada@Example.com' })
    const second = await upsert(call, { ...names, email: 'Ada@Example.com' })
    expect(second.body.data._id).toBe(first.body.data._id)
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
