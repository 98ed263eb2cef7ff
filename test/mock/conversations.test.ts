import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../spec/types.ts'
import { seeEachChoice } from './each-choice.ts'
import { type Call, openSandbox, type Told } from './harness.ts'

const names = { firstName: 'Ada', lastName: 'Lovelace' }
const addresses = { email: 'ada@example.com', phone: '+14155550123' }
const ada = { ...names, ...addresses }
const unknownId = '66f0a1b2c3d4e5f601239999'

const contact = async (call: Call, body: object = ada, key = 'acme-key'): Promise<string> =>
  (await call('createContact', { body, key })).body.data._id
const resolve = (call: Call, body: object = addresses) => call('findOrCreateConversation', { body })
const createBoth = (call: Call, body: object = ada) => call('createContactWithConversation', { body })
const create = (call: Call, contactId: string, key = 'acme-key') =>
  call('createConversation', { body: { contactId }, key })
const get = (call: Call, conversationId: string) => call('getConversation', { path: { conversationId } })
const list = (call: Call, contactId: string) => call('listConversationsOfContact', { path: { contactId } })
const reread = async (call: Call, contactId: string) =>
  (await call('updateContact', { path: { contactId }, body: {} })).body.data

describe('A conversation', () => {
  it('shows its id, team, time and contact, and no other field', async () => {
    const { call } = await openSandbox({ clock: { now: () => Date.parse('2026-03-01T09:30:00.000Z') } })
    const contactId = await contact(call)
    const { status, body, assumed } = await create(call, contactId)
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      message: 'Conversation created',
      data: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        teamId: 'acme',
        contactId: { _id: contactId, name: 'Ada Lovelace', email: ada.email, phoneNumber: ada.phone },
        createdAt: '2026-03-01T09:30:00.000Z',
      },
    })
    expect(assumed).toEqual(['populatedName'])
  })

  it('that exists is answered 200, and the message says so', async () => {
    const { call } = await openSandbox()
    const contactId = await contact(call)
    const { body: first } = await create(call, contactId)
    const { status, body } = await create(call, contactId)
    expect([status, body.message]).toEqual([200, 'Conversation already exists'])
    expect(body.data).toEqual(first.data)
  })

  it('is the same through every operation', async () => {
    const { call } = await openSandbox()
    const contactId = await contact(call)
    const { data } = (await create(call, contactId)).body
    for (const told of [
      await resolve(call),
      await resolve(call, { email: ada.email }),
      await resolve(call, { phone: ada.phone }),
      await createBoth(call),
      await get(call, data._id),
    ]) {
      expect([told.status, told.body.data]).toEqual([200, data])
    }
    expect((await list(call, contactId)).body.data).toEqual([data])
  })

  it.each([
    ['resolved', resolve],
    ['created with its contact', createBoth],
  ])('that is %s is created when the contact has none', async (_, ask) => {
    const { call } = await openSandbox()
    const contactId = await contact(call)
    const { status, body } = await ask(call)
    expect([status, body.data.contactId._id]).toEqual([200, contactId])
    expect((await list(call, contactId)).body.data).toEqual([body.data])
  })

  it.each([['email'], ['phone']] as const)('can be resolved from the %s alone, and again', async (field) => {
    const { call } = await openSandbox()
    const body = { [field]: addresses[field] }
    const first = await resolve(call, body)
    const second = await resolve(call, body)
    expect([first.status, first.body.message]).toEqual([200, 'Conversation created'])
    expect(second.body).toEqual({ ...first.body, message: 'Conversation found' })
    expect(await reread(call, first.body.data.contactId._id)).toMatchObject(body)
  })

  it('is created with a contact at the stage Lead, unless another stage is given', async () => {
    const { call } = await openSandbox()
    const lead = await createBoth(call, { ...ada, groupId: 'engineers' })
    const customer = await createBoth(call, { ...names, phone: '+14155550124', lifecycleStage: 'Customer' })
    expect(await reread(call, lead.body.data.contactId._id)).toMatchObject({
      ...ada,
      lifecycleStage: 'Lead',
      groupIds: ['engineers'],
    })
    expect(await reread(call, customer.body.data.contactId._id)).toMatchObject({ lifecycleStage: 'Customer' })
  })

  it('is not in the list of a contact without one', async () => {
    const { call } = await openSandbox()
    const { status, body } = await list(call, await contact(call))
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: '0 conversations', data: [] } })
  })

  it('is not found by the same addresses from another team', async () => {
    const { call } = await openSandbox()
    const theirs = await contact(call, ada, 'globex-key')
    const { body } = await resolve(call)
    expect(body.data).toMatchObject({ teamId: 'acme' })
    expect(body.data.contactId._id).not.toBe(theirs)
  })
})

describe('A conversation is refused', () => {
  it.each([
    ['findOrCreateConversation', { email: 'x' }, 'email must be an e-mail address'],
    ['findOrCreateConversation', { phone: '0123' }, 'phone must be in E.164 form'],
    ['findOrCreateConversation', { ...addresses, pigeon: 1 }, 'pigeon is not a field'],
    ['findOrCreateConversation', {}, 'email or phone is required'],
    ['createContactWithConversation', { ...addresses, firstName: 'Ada' }, 'lastName is required'],
    ['createContactWithConversation', { ...addresses, lastName: 'Lovelace' }, 'firstName is required'],
    ['createContactWithConversation', { ...ada, email: 'x' }, 'email must be an e-mail address'],
    ['createContactWithConversation', { ...ada, phone: 'x' }, 'phone must be in E.164 form'],
    ['createConversation', {}, 'contactId is required'],
  ] as const)('by %s with %j, and nothing is created', async (id, body, message) => {
    const { sandbox, call } = await openSandbox()
    const told = await call(id, { body })
    expect([told.status, told.body.message]).toEqual([400, expect.stringContaining(message)])
    const world = (await (await sandbox.fetch('/_sandbox/world')).json()) as { data: { teams: object[] } }
    expect(JSON.stringify(world)).not.toContain('"contacts"')
  })

  it.each([
    ['getConversation', (id: string) => ({ path: { conversationId: id } })],
    ['listConversationsOfContact', (id: string) => ({ path: { contactId: id } })],
    ['createConversation', (id: string) => ({ body: { contactId: id } })],
  ] as [OperationId, (id: string) => object][])(
    'by %s with an id of another team, exactly like an unknown id',
    async (id, ask) => {
      const { call } = await openSandbox()
      const contactId = await contact(call, ada, 'globex-key')
      const conversationId = (await create(call, contactId, 'globex-key')).body.data._id
      const theirs = id === 'getConversation' ? conversationId : contactId
      const foreign = await call(id, ask(theirs as string))
      expect(foreign).toEqual(await call(id, ask(unknownId)))
      expect([foreign.status, foreign.body]).toEqual([404, { success: false, message: 'Resource not found' }])
    },
  )
})

describe('One conversation', () => {
  it('is what 64 simultaneous requests to any of the operations get', async () => {
    const { call } = await openSandbox()
    const contactId = await contact(call)
    const chat = { channel: 'chat', content: 'Hello' }
    const sms = { channel: 'sms', content: 'Hello', providerId: 'sms-provider' }
    const email = { channel: 'email', subject: 'Hello', content: 'Hello', providerId: 'email-provider' }
    const doors: [OperationId, object][] = [
      ['createConversation', { contactId }],
      ['findOrCreateConversation', addresses],
      ['createContactWithConversation', ada],
      ['sendLiveMessage', { ...chat, contactId }],
      ['sendLiveMessage', { ...chat, to: ada.phone }],
      ['sendMessage', { ...sms, to: ada.phone }],
      ['sendEmailMessage', { ...email, to: ada.email }],
      ['sendEmailMessage', { ...email, recipientIds: [contactId] }],
    ]
    const told = await Promise.all(
      Array.from({ length: 64 }, (_, at) => {
        const [id, body] = doors[at % doors.length] ?? ['createConversation', { contactId }]
        return call(id, { body })
      }),
    )
    const ids = told.map(({ body }) => (body.data.conversationId ?? body.data._id) as string)
    expect(new Set(ids).size).toBe(1)
    expect((await list(call, contactId)).body.data).toHaveLength(1)
    expect(told.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1)
  })

  it.each([
    ['e-mail address', 'sendEmailMessage', { channel: 'email', subject: 'x', providerId: 'email-provider' }, 'email'],
    ['phone number', 'sendLiveMessage', { channel: 'chat' }, 'phone'],
    ['number for SMS', 'sendMessage', { channel: 'sms', providerId: 'sms-provider' }, 'phone'],
  ] as const)(
    'and one contact is what 64 simultaneous requests with an unknown %s create',
    async (_, id, body, field) => {
      const { call } = await openSandbox()
      const address = addresses[field]
      const told = await Promise.all(
        Array.from({ length: 64 }, (_, at) =>
          at % 2 === 0
            ? call(id, { body: { ...body, content: 'Hello', to: address } })
            : resolve(call, { [field]: address }),
        ),
      )
      const contactIds = told.map(({ body }) => (body.data.contactId._id ?? body.data.contactId) as string)
      const conversationIds = told.map(({ body }) => (body.data.conversationId ?? body.data._id) as string)
      expect([new Set(contactIds).size, new Set(conversationIds).size]).toEqual([1, 1])
    },
  )
})

/** The contact in a conversation, without its id. */
const populated = ({ status, body }: Told) => (status < 400 ? body.data.contactId : status) as unknown

seeEachChoice({
  resolveWithoutAddress: {
    story: async (call) => {
      const told = await resolve(call, {})
      return { told, seen: populated(told) }
    },
    shows: { refused: 400, createsEmpty: { _id: expect.any(String) as string, name: '' } },
    otherwise: (call) => resolve(call),
  },
  resolutionEndpoints: {
    story: async (call) => {
      const told = await create(call, await contact(call))
      const strange = await call('createConversation', {
        body: { contactId: told.body.data.contactId._id, pigeon: 'white' },
      })
      return { told: strange, seen: strange.status }
    },
    shows: { allThree: 400, byPhoneAndEmailOnly: 200 },
    otherwise: async (call) => create(call, await contact(call)),
  },
  existingContactOnCreate: {
    story: async (call) => {
      const contactId = await contact(call)
      const told = await createBoth(call, { ...ada, firstName: 'Augusta', lifecycleStage: 'Customer' })
      const { firstName, lifecycleStage } = await reread(call, contactId)
      return { told, seen: [firstName, lifecycleStage] }
    },
    shows: { untouched: ['Ada', undefined], updated: ['Augusta', 'Customer'] },
    otherwise: async (call) => {
      await contact(call)
      return createBoth(call)
    },
  },
  groupOnReuse: {
    story: async (call) => {
      const contactId = await contact(call, { ...ada, groupIds: ['poets'] })
      const told = await createBoth(call, { ...ada, groupId: 'engineers' })
      return { told, seen: (await reread(call, contactId)).groupIds }
    },
    shows: { ignored: ['poets'], added: ['poets', 'engineers'] },
    otherwise: async (call) => {
      await contact(call, { ...ada, groupIds: ['poets'] })
      return createBoth(call, { ...ada, groupId: 'poets' })
    },
  },
  addressFilledIn: {
    story: async (call) => {
      await contact(call, { ...names, email: ada.email })
      const told = await resolve(call)
      await contact(call, { ...names, phone: '+14155550124' })
      const both = await createBoth(call, { ...names, email: 'other@example.com', phone: '+14155550124' })
      return { told, seen: [told.body.data.contactId.phoneNumber, both.body.data.contactId.email] }
    },
    shows: { untouched: [undefined, undefined], filled: [ada.phone, 'other@example.com'] },
    otherwise: async (call) => {
      await contact(call)
      return resolve(call)
    },
  },
  nameOfNewContact: {
    story: async (call) => {
      const told = await resolve(call)
      const { firstName, lastName } = await reread(call, told.body.data.contactId._id)
      return { told, seen: [firstName, lastName] }
    },
    shows: { addressAsFirstName: [ada.email, ''], empty: ['', ''] },
    otherwise: async (call) => {
      await contact(call)
      return resolve(call)
    },
  },
  newContactLifecycle: {
    story: async (call) => {
      const told = await resolve(call)
      return { told, seen: (await reread(call, told.body.data.contactId._id)).lifecycleStage }
    },
    shows: { absent: undefined, lead: 'Lead' },
    otherwise: (call) => createBoth(call),
  },
  newContactStatus: {
    story: async (call) => {
      const told = await createBoth(call)
      return { told, seen: (await reread(call, told.body.data.contactId._id)).status }
    },
    shows: { open: 'open', absent: undefined },
    otherwise: async (call) => {
      await contact(call)
      return createBoth(call)
    },
  },
  populatedName: {
    story: async (call) => {
      const told = await createBoth(call)
      return { told, seen: told.body.data.contactId.name }
    },
    shows: { firstSpaceLast: 'Ada Lovelace', firstOnly: 'Ada' },
    otherwise: (call) => resolve(call),
  },
  populatedAddress: {
    story: async (call) => {
      const told = await resolve(call, { phone: ada.phone })
      return { told, seen: told.body.data.contactId.email }
    },
    shows: { absent: undefined, emptyString: '' },
    otherwise: (call) => resolve(call),
  },
  conversationsOfUnknownContact: {
    story: async (call) => {
      const told = await list(call, unknownId)
      return { told, seen: [told.status, told.body.data] }
    },
    shows: { notFound: [404, undefined], emptyList: [200, []] },
    otherwise: async (call) => list(call, await contact(call)),
  },
  unknownTarget: {
    story: async (call) => {
      const told = await create(call, unknownId)
      return { told, seen: told.status }
    },
    shows: { notFound: 404, badRequest: 400 },
    otherwise: async (call) => create(call, await contact(call)),
  },
  contactMatching: {
    story: async (call) => {
      await contact(call, { firstName: 'Ada', lastName: 'L', email: ada.email })
      await contact(call, { firstName: 'Grace', lastName: 'H', phone: ada.phone })
      const told = await resolve(call)
      return { told, seen: told.status === 400 ? 400 : told.body.data.contactId.name }
    },
    shows: { emailThenPhone: 'Ada L', phoneThenEmail: 'Grace H', refuse: 400 },
    otherwise: async (call) => {
      await contact(call)
      return resolve(call)
    },
  },
  severalMatches: {
    story: async (call) => {
      const ids = [await contact(call), await contact(call)]
      const told = await createBoth(call)
      return { told, seen: told.status === 400 ? 400 : ids.indexOf(told.body.data.contactId._id as string) }
    },
    shows: { oldest: 0, newest: 1, refused: 400 },
    otherwise: async (call) => {
      await contact(call)
      return createBoth(call)
    },
  },
  emailStored: {
    story: async (call) => {
      const told = await resolve(call, { email: 'Ada@Example.com' })
      return { told, seen: told.body.data.contactId.email }
    },
    shows: { asSent: 'Ada@Example.com', lowerCase: 'ada@example.com' },
    otherwise: (call) => resolve(call),
  },
  otherLifecycleStage: {
    story: async (call) => {
      const told = await createBoth(call, { ...ada, lifecycleStage: 'Fan' })
      return { told, seen: told.status }
    },
    shows: { accepted: 200, refused: 400 },
    otherwise: (call) => createBoth(call),
  },
  malformedId: {
    story: async (call) => {
      const told = await get(call, 'not an id')
      const listed = await list(call, 'not an id')
      return { told, seen: [told.status, listed.status] }
    },
    shows: { notFound: [404, 404], badRequest: [400, 400] },
    otherwise: (call) => get(call, unknownId),
  },
})
