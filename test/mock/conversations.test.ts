import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../spec/types.ts'
import { openSandbox } from './harness.ts'
import { ada, unknownId } from './contact-calls.ts'
import { addresses, contact, resolve, createBoth, create, get, list, reread } from './conversation-calls.ts'

describe('A conversation', () => {
  it('shows its id, team, time and contact, and no other field, and is created once', async () => {
    const { call } = await openSandbox({ clock: { now: () => Date.parse('2026-03-01T09:30:00.000Z') } })
    const contactId = await contact(call)
    const { status, body, assumed } = await create(call, contactId)
    expect([status, body.message, assumed]).toEqual([201, 'Conversation created', ['populatedName']])
    expect(body.data).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      teamId: 'acme',
      contactId: { _id: contactId, name: 'Ada Lovelace', email: ada.email, phoneNumber: ada.phone },
      createdAt: '2026-03-01T09:30:00.000Z',
    })
    const again = await create(call, contactId)
    expect([again.status, again.body]).toEqual([200, { ...body, message: 'Conversation already exists' }])
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
    expect((await list(call, contactId)).body).toEqual({ success: true, message: '0 conversations', data: [] })
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

  it('is created with a contact at the stage Lead by default', async () => {
    const { call } = await openSandbox()
    const lead = await createBoth(call, { ...ada, groupId: 'engineers' })
    const customer = await createBoth(call, {
      ...ada,
      email: 'b@example.com',
      phone: '+14155550124',
      lifecycleStage: 'Customer',
    })
    const shown = await reread(call, lead.body.data.contactId._id)
    expect(shown).toMatchObject({ ...ada, lifecycleStage: 'Lead', groupIds: ['engineers'] })
    expect(await reread(call, customer.body.data.contactId._id)).toMatchObject({ lifecycleStage: 'Customer' })
  })
})

describe('A conversation is refused', () => {
  it.each([
    ['findOrCreateConversation', { email: 'x' }, 'email must be an e-mail address'],
    ['findOrCreateConversation', { phone: '0123' }, 'phone must be in E.164 form'],
    ['findOrCreateConversation', { ...addresses, pigeon: 1 }, 'pigeon is not a field'],
    ['findOrCreateConversation', {}, 'email or phone is required'],
    ['createContactWithConversation', { ...addresses, firstName: 'Ada' }, 'lastName is required'],
    ['createContactWithConversation', { ...ada, email: 'x' }, 'email must be an e-mail address'],
    ['createContactWithConversation', { ...ada, phone: 'x' }, 'phone must be in E.164 form'],
    ['createConversation', {}, 'contactId is required'],
  ] as const)('by %s with %j, and nothing is created', async (id, body, message) => {
    const { sandbox, call } = await openSandbox()
    const before = await sandbox.world()
    const told = await call(id, { body })
    expect([told.status, told.body.message]).toEqual([400, expect.stringContaining(message)])
    expect(await sandbox.world()).toEqual(before)
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
      expect((await resolve(call)).body.data.contactId._id).not.toBe(contactId)
    },
  )
})
