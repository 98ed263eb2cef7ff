import { describe, expect, it } from 'vitest'
import { seeEachChoice } from './each-choice.ts'
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

describe('the assumptions about templates', () => {
  const madeId = async (call: Call, body: object = sms): Promise<string> => (await create(call, body)).body.data._id
  const one = async (call: Call) => {
    await create(call)
    return list(call)
  }

  seeEachChoice({
    uniqueNameScope: {
      story: async (call) => (await create(call), create(call, { ...email, uniqueName: sms.uniqueName })),
      shows: { team: 400, type: 201 },
      // Refused with every choice.
      otherwise: async (call) => (await create(call), create(call)),
    },
    whatsappNameForm: {
      story: (call) => create(call, { ...whatsapp, uniqueName: 'Order Left' }),
      shows: { refused: 400, accepted: 201 },
      otherwise: (call) => create(call, whatsapp),
    },
    languageForm: {
      story: async (call) => {
        const told = await create(call, { ...sms, language: 'not a language' })
        const updated = await update(call, await madeId(call, email), { templateType: 'email', language: '' })
        expect(updated.assumed).toContain('languageForm')
        return { told, seen: [told.status, updated.status] }
      },
      shows: { refused: [400, 400], accepted: [201, 200] },
      otherwise: (call) => create(call, { ...sms, language: 'zh-Hant-TW' }),
    },
    templateProvider: {
      story: (call) => create(call, { ...sms, provider: 'email-provider' }),
      shows: { refused: 400, accepted: 201 },
      otherwise: create,
    },
    templateTypeChange: {
      story: async (call) => {
        const id = await madeId(call)
        const told = await update(call, id, { templateType: 'email', name: 'New' })
        const { body } = await get(call, id)
        return { told, seen: [told.status, body.data.templateType, body.data.name] }
      },
      shows: { refused: [400, 'sms', sms.name], ignored: [200, 'sms', 'New'] },
      otherwise: async (call) => update(call, await madeId(call), { templateType: 'sms', name: 'New' }),
    },
    templateAfterUpdate: {
      story: async (call) => {
        const told = await update(call, await madeId(call), { templateType: 'sms', name: 'New' })
        return { told, seen: Object.keys(told.body.data as object).sort() }
      },
      shows: {
        wholeTemplate: ['_id', 'content', 'name', 'status', 'templateType', 'uniqueName'],
        changedFields: ['_id', 'name', 'templateType'],
      },
      otherwise: create,
    },
    templateFields: {
      story: async (call) => {
        const told = await get(call, await madeId(call, { ...sms, variables: ['x'] }))
        return { told, seen: [told.body.data.provider, told.body.data.variables] }
      },
      shows: { onlyShown: [undefined, undefined], allSent: ['sms-provider', ['x']] },
      otherwise: create,
    },
    deleteAgain: {
      story: async (call) => {
        const id = await madeId(call)
        await remove(call, id)
        return remove(call, id)
      },
      shows: { notFound: 404, succeeds: 200 },
      otherwise: (call) => remove(call, unknownId),
    },
    templateOrder: {
      story: async (call) => {
        for (const uniqueName of ['a', 'b']) await create(call, { ...sms, uniqueName })
        const told = await list(call)
        return { told, seen: namesIn(told) }
      },
      shows: { newestFirst: ['b', 'a'], oldestFirst: ['a', 'b'] },
      otherwise: one,
    },
    repeatedQueryValues: {
      story: (call) => list(call, { types: 'sms,email' }),
      shows: { accepted: 200, refused: 400 },
      otherwise: one,
    },
    unknownTemplateFilter: {
      story: async (call) => {
        await create(call)
        const told = await list(call, { types: ['sms', 'pigeon'] })
        return { told, seen: [told.status, told.body.data?.length] }
      },
      shows: { refused: [400, undefined], matchesNone: [200, 1] },
      otherwise: one,
    },
  })

  it('does not count an unknown filter value as the required filter', async () => {
    const { call } = await openSandbox({ assume: { unknownTemplateFilter: 'matchesNone' } })
    const { types, ...query } = everything
    expect((await call('listTemplates', { query: { ...query, statuses: 'odd' } })).status).toBe(400)
    expect((await call('listTemplates', { query: { ...query, types: 'pigeon' } })).body.data).toEqual([])
  })
})
