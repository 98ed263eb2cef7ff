import { describe, expect, it } from 'vitest'
import { type Call, openSandbox } from './harness.ts'
import {
  sms,
  email,
  whatsapp,
  everything,
  unknownId,
  create,
  get,
  list,
  update,
  remove,
  namesIn,
} from './template-calls.ts'

describe('creating a template', () => {
  it.each([
    ['sms', sms, { status: 'approved' }],
    ['email', email, { status: 'approved', subject: 'Welcome' }],
    ['whatsapp', whatsapp, { status: 'pending' }],
  ])('of the type %s answers with the documented fields only', async (templateType, body, more) => {
    const { call } = await openSandbox()
    const { status, body: answer, assumed } = await create(call, body)
    expect([status, assumed]).toEqual([201, templateType === 'whatsapp' ? ['languageForm', 'whatsappApproval'] : []])
    expect(answer.data).toEqual({ _id: expect.any(String), templateType, name: 'Opening hours', ...more })
  })

  it.each([
    ['a media header without a file', { ...whatsapp, headerType: 'image' }, 'file is required'],
    ['a taken uniqueName', { ...email, uniqueName: 'opening-hours' }, 'uniqueName'],
    ['an unknown provider', { ...email, provider: 'nobody' }, 'provider'],
    ['a provider of another channel', { ...email, provider: 'sms-provider' }, 'provider'],
    ['an unknown templateType', { ...email, templateType: 'fax' }, 'templateType'],
  ])('with %s is refused, and creates nothing', async (_, body, named) => {
    const { call } = await openSandbox()
    await create(call)
    const refused = await create(call, body)
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(named)])
    expect(namesIn(await list(call))).toEqual(['opening-hours'])
  })
})

describe('getting, updating and deleting a template', () => {
  it('shows the documented fields only', async () => {
    const { call } = await openSandbox()
    const { body: made } = await create(call, { ...email, preheader: 'Glad', variables: ['contact.firstName'] })
    const { body, assumed } = await get(call, made.data._id)
    const { provider, ...shown } = email
    expect(body.data).toEqual({ _id: made.data._id, status: 'approved', ...shown })
    expect(assumed).toEqual(['templateFields'])
  })

  it('writes the sent fields, and keeps the others', async () => {
    const { call } = await openSandbox()
    const { body: made } = await create(call, { ...sms, language: 'en' })
    const updated = await update(call, made.data._id, { templateType: 'sms', content: 'We open at ten' })
    const { body: after } = await get(call, made.data._id)
    expect(updated.body.data).toEqual(after.data)
    expect(after.data).toMatchObject({ content: 'We open at ten', name: sms.name, language: 'en', status: 'approved' })
  })

  it('does not let an update change the fields that the service writes', async () => {
    const { call } = await openSandbox()
    const { body: made } = await create(call)
    const stray = { templateType: 'sms', status: 'rejected', uniqueName: 'other', ownerId: 'x', _id: unknownId }
    const { body, assumed } = await update(call, made.data._id, stray)
    expect(body.data).toMatchObject({ _id: made.data._id, status: 'approved', uniqueName: 'opening-hours' })
    expect(assumed).toContain('serverFieldsSent')
  })

  it.each([
    ['unknown', async () => unknownId],
    [
      'of another team',
      async (call: Call) => (await call('createTemplate', { body: sms, key: 'globex-key' })).body.data._id,
    ],
  ])('answers 404 to an id that is %s, and changes nothing', async (_, idOf) => {
    const { call } = await openSandbox()
    const id = await idOf(call)
    const answers = [await get(call, id), await update(call, id, { templateType: 'sms' }), await remove(call, id)]
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
      Array(3).fill([404, 'Resource not found']),
    )
    const { body } = await call('listTemplates', { query: everything, key: 'globex-key' })
    expect(body.data.length).toBe(id === unknownId ? 0 : 1)
  })
})

describe('listing templates', () => {
  it.each([
    [{ types: 'sms' }, ['s2', 's1']],
    [{ types: 'sms,whatsapp' }, ['s2', 'w1', 's1']],
    [{ statuses: 'pending' }, ['w1']],
    [{ statuses: 'rejected' }, []],
    [{ page: 2, limit: 3 }, ['s1']],
    [{ page: 3, limit: 3 }, []],
  ])('with %j holds %j', async (query, names) => {
    const { call } = await openSandbox()
    for (const [body, uniqueName] of [
      [sms, 's1'],
      [whatsapp, 'w1'],
      [sms, 's2'],
      [email, 'e1'],
    ] as const) {
      await create(call, { ...body, uniqueName })
    }
    expect(namesIn(await list(call, query))).toEqual(names)
  })

  it.each([
    [
      { page: 1, limit: 2 },
      { totalResults: 3, totalPages: 2, currentPage: 1, limit: 2, hasMore: true },
    ],
    [
      { page: 2, limit: 2 },
      { totalResults: 3, totalPages: 2, currentPage: 2, limit: 2, hasMore: false },
    ],
    [{ types: 'email' }, { totalResults: 0, totalPages: 0, currentPage: 1, limit: 100, hasMore: false }],
  ])('with %j counts %j', async (query, pagination) => {
    const { call } = await openSandbox()
    for (const uniqueName of ['a', 'b', 'c']) await create(call, { ...sms, uniqueName })
    expect((await list(call, query)).body.pagination).toEqual(pagination)
  })
})

describe('an update of a template', () => {
  it('takes only a category of WhatsApp for a WhatsApp template, whatever its templateType', async () => {
    const { call } = await openSandbox({ assume: { templateTypeChange: 'ignored' } })
    const { _id } = (await create(call, whatsapp)).body.data
    for (const templateType of ['whatsapp', 'sms']) {
      const { status, body } = await update(call, _id, { templateType, category: 'GOSSIP' })
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^category must be one of UTILITY/)])
    }
    expect((await get(call, _id)).body.data.category).toBe(whatsapp.category)
  })
})
