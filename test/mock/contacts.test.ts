import { describe, expect, it } from 'vitest'
import { promise } from '../../spec/promises.ts'
import { ada, grace, unknownId, create, upsert, update, remove, removeByEmail, idOf } from './contact-calls.ts'
import { type Call, openSandbox } from './harness.ts'

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

  it('appears in the response of its deletion, and is deleted with its conversation and messages', async () => {
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
