import { describe, expect, it } from 'vitest'
import { promise } from '../../spec/promises.ts'
import { ada, grace, unknownId, create, upsert, update, remove, removeByEmail, idOf } from './contact-calls.ts'
import { openSandbox } from './harness.ts'

describe('A contact', () => {
  it('has its id, team and times, and an update changes its update time and the fields that were sent', async () => {
    let now = Date.parse('2026-03-01T09:30:00.000Z')
    const { call } = await openSandbox({ clock: { now: () => now } })
    const sent = { ...ada, status: 'closed', source: 'Fair', lifecycleStage: 'Customer', additionalFields: { age: 36 } }
    const { status, body, assumed } = await create(call, { ...sent, groupIds: [] })
    expect([status, assumed]).toEqual([201, ['undefinedCustomField']])
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
    now += 1000
    const updated = await update(call, body.data._id, { source: 'Web' })
    expect(updated.body.data).toEqual({ ...body.data, source: 'Web', updatedAt: '2026-03-01T09:30:01.000Z' })
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
    expect((await upsert(call, { ...ada, firstName: 'Augusta' })).body.data._id).toBe(id)
  })

  it('appears in the response of its deletion, and is deleted with its conversation and messages', async () => {
    const { call } = await openSandbox()
    const { data } = (await create(call)).body
    const conversationId = await idOf(call('createConversation', { body: { contactId: data._id } }))
    const { status, body } = await remove(call, data._id)
    expect({ status, data: body.data }).toEqual({ status: 200, data })
    expect((await update(call, data._id)).status).toBe(404)
    for (const id of ['getConversation', 'listMessages'] as const)
      expect((await call(id, { path: { conversationId } })).status).toBe(404)
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

  it('of another team is answered like an unknown one, is not found by its addresses, and stays unchanged', async () => {
    const { sandbox, call } = await openSandbox()
    const theirs = await idOf(create(call, ada, 'globex-key'))
    const [, before] = (await sandbox.world()).teams
    expect(await update(call, theirs, { firstName: 'Ours' })).toEqual(
      await update(call, unknownId, { firstName: 'Ours' }),
    )
    expect(await remove(call, theirs)).toEqual(await remove(call, unknownId))
    expect((await remove(call, theirs)).body).toEqual({ success: false, message: 'Resource not found' })
    expect((await removeByEmail(call, ada.email)).body.message).toBe('0 contacts deleted')
    expect((await upsert(call, ada)).body.data._id).not.toBe(theirs)
    expect((await sandbox.world()).teams[1]).toEqual(before)
  })
})

describe('A contact is refused', () => {
  it.each(['createContact', 'createOrUpdateContact'] as const)('by %s without a first or a last name', async (id) => {
    const { call } = await openSandbox()
    for (const field of promise('contact.createRequires').fields) {
      const { status, body } = await call(id, { body: { ...ada, [field]: undefined } })
      expect([status, body.message]).toEqual([400, `${field} is required`])
    }
  })

  it.each([
    ['status', 'gone', 'status must be one of open, in-progress, closed'],
    ['groupIds', 'engineers', 'groupIds must be'],
    ['groupIds', [1], 'groupIds[0] must be'],
    ['email', 'x', 'email must be an e-mail address'],
    ['phone', '12', 'phone must be in E.164 form'],
  ])('with %s as %j, on create and on update, and nothing changes', async (field, value, message) => {
    const { sandbox, call } = await openSandbox({ assume: { contactPhoneForm: 'checked' } })
    const id = await idOf(create(call))
    const before = await sandbox.world()
    const change = { firstName: 'Augusta', [field]: value }
    for (const { status, body } of [await create(call, { ...grace, ...change }), await update(call, id, change)])
      expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
    expect(await sandbox.world()).toEqual(before)
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
