import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Sandbox } from '../../mock/create-sandbox.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { seeEachChoice } from './each-choice.ts'
import { type Call, openSandbox, type Told } from './harness.ts'

const sms = {
  templateType: 'sms',
  name: 'Opening hours',
  uniqueName: 'opening-hours',
  content: 'We open at nine',
  provider: 'sms-provider',
}
const email = { ...sms, templateType: 'email', uniqueName: 'welcome', subject: 'Welcome', provider: 'email-provider' }
const whatsapp = {
  ...sms,
  templateType: 'whatsapp',
  uniqueName: 'order_has_left',
  content: 'Your order {{1}} has left',
  category: 'UTILITY',
  language: 'en_US',
  provider: 'whatsapp-provider',
}
const everything = {
  page: 1,
  limit: 100,
  types: ['sms', 'email', 'whatsapp'],
  statuses: ['pending', 'approved', 'rejected'],
}
const unknownId = '66f0a1b2c3d4e5f601234567'

const create = (call: Call, body: object = sms, headers = {}) => call('createTemplate', { body, headers })
const get = (call: Call, templateId: string, headers = {}) => call('getTemplate', { path: { templateId }, headers })
const list = (call: Call, query = {}, headers = {}) =>
  call('listTemplates', { query: { ...everything, ...query }, headers })
const update = (call: Call, templateId: string, body: object, headers = {}) =>
  call('updateTemplate', { path: { templateId }, body, headers })
const remove = (call: Call, templateId: string, headers = {}) =>
  call('deleteTemplate', { path: { templateId }, headers })

/** Headers with a token of a user of acme, to be sent without a key. */
async function headersOf(sandbox: Sandbox, userId: string): Promise<Record<string, string>> {
  const body = JSON.stringify({ teamId: 'acme', userId, role: userId.includes('admin') ? 'admin' : 'agent' })
  const headers = { 'content-type': 'application/json' }
  const answer = await sandbox.fetch('/_sandbox/tokens', { method: 'POST', headers, body })
  const { data } = (await answer.json()) as { data: { token: string } }
  return { authorization: `Bearer ${data.token}` }
}

/** A sandbox whose calls with headers of their own send no key. */
async function openWithUsers(assume: WrittenChoices = {}) {
  const { sandbox, call } = await openSandbox({ assume })
  const as = async (userId: string): Promise<Call> => {
    const headers = await headersOf(sandbox, userId)
    return (id, ask) => call(id, { ...ask, key: null, headers: { ...headers, ...ask?.headers } })
  }
  return { byKey: call, agent: await as('acme-agent'), other: await as('other-agent'), admin: await as('acme-admin') }
}

const namesIn = ({ body }: Told): string[] =>
  (body.data as { uniqueName: string }[]).map(({ uniqueName }) => uniqueName)

describe('creating a template', () => {
  it.each([
    ['sms', sms, { status: 'approved' }],
    ['email', email, { status: 'approved', subject: 'Welcome' }],
    ['whatsapp', whatsapp, { status: 'pending' }],
  ])('of the type %s answers with the documented fields only', async (templateType, body, more) => {
    const { call } = await openSandbox()
    const { status, body: answer } = await create(call, body)
    expect(status).toBe(201)
    expect(answer.data).toEqual({ _id: expect.any(String), templateType, name: 'Opening hours', ...more })
  })

  it('relies on no assumption for SMS', async () => {
    const { call } = await openSandbox()
    const { assumed } = await create(call)
    expect(assumed).toEqual([])
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

  it('writes the fields that are given, and keeps the others', async () => {
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

  it('removes a deleted template from every list', async () => {
    const { call } = await openSandbox()
    const { body: made } = await create(call)
    const { body } = await remove(call, made.data._id)
    expect(body).toEqual({ success: true, message: 'Template deleted' })
    expect((await get(call, made.data._id)).status).toBe(404)
    expect(namesIn(await list(call))).toEqual([])
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
    [{ types: ['sms', 'email'] }, ['e1', 's2', 's1']],
    [{ types: ['sms', 'sms'] }, ['s2', 's1']],
    [{ types: 'sms,whatsapp' }, ['s2', 'w1', 's1']],
    [{ statuses: 'pending' }, ['w1']],
    [{ statuses: ['pending', 'approved'] }, ['e1', 's2', 'w1', 's1']],
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

  it.each(['page', 'limit', 'types', 'statuses'] as const)('is refused without %s', async (name) => {
    const { call } = await openSandbox()
    const { [name]: _, ...query } = everything
    expect((await call('listTemplates', { query })).status).toBe(400)
  })

  it('relies on templateFields only when there is one SMS template', async () => {
    const { call } = await openSandbox()
    await create(call)
    expect((await list(call)).assumed).toEqual(['templateFields'])
  })
})

describe('who sees which templates', () => {
  it('lists their own to an agent, and all to an admin and to a key', async () => {
    const { byKey, agent, other, admin } = await openWithUsers()
    await create(byKey, { ...sms, uniqueName: 'of-key' })
    await create(agent, { ...sms, uniqueName: 'of-agent' })
    await create(admin, { ...sms, uniqueName: 'of-admin' })
    const all = ['of-admin', 'of-agent', 'of-key']
    expect([
      namesIn(await list(agent)),
      namesIn(await list(other)),
      namesIn(await list(admin)),
      namesIn(await list(byKey)),
    ]).toEqual([['of-agent'], [], all, all])
  })

  const cases: [choice: string, assume: WrittenChoices, who: 'byKey' | 'other', sees: string[]][] = [
    ['roleOfKey=admin', { roleOfKey: 'admin' }, 'byKey', ['of-agent', 'of-key']],
    ['roleOfKey=agent', { roleOfKey: 'agent' }, 'byKey', ['of-key']],
    ['keyMadeTemplates=hiddenFromAgents', { keyMadeTemplates: 'hiddenFromAgents' }, 'other', []],
    ['keyMadeTemplates=shownToAgents', { keyMadeTemplates: 'shownToAgents' }, 'other', ['of-key']],
  ]
  it.each(cases)('lists what %s lets the caller see', async (choice, assume, who, sees) => {
    const { [who]: caller, byKey, agent } = await openWithUsers(assume)
    await create(byKey, { ...sms, uniqueName: 'of-key' })
    await create(agent, { ...sms, uniqueName: 'of-agent' })
    const listed = await list(caller)
    expect(namesIn(listed)).toEqual(sees)
    expect(listed.assumed).toContain(choice.split('=')[0])
  })

  const reaches: [choice: string, assume: WrittenChoices, statuses: number[]][] = [
    ['as assumed', {}, [404, 404, 404]],
    ['templatesOfAgents=shown', { templatesOfAgents: 'shown' }, [200, 404, 404]],
    ['templateChangesByAgent=allowed', { templateChangesByAgent: 'allowed' }, [404, 200, 200]],
    ['keyMadeTemplates=shownToAgents', { keyMadeTemplates: 'shownToAgents' }, [200, 200, 200]],
  ]
  it.each(reaches)(
    'lets an agent get, update and delete a template made with a key only as chosen: %s',
    async (_, assume, statuses) => {
      const { byKey, agent } = await openWithUsers(assume)
      const { body: made } = await create(byKey)
      const answers = [
        await get(agent, made.data._id),
        await update(agent, made.data._id, { templateType: 'sms', name: 'Mine' }),
        await remove(agent, made.data._id),
      ]
      expect(answers.map(({ status }) => status)).toEqual(statuses)
      expect(answers.every(({ assumed }) => assumed.includes('keyMadeTemplates'))).toBe(true)
      expect((await list(byKey)).body.data).toHaveLength(statuses[2] === 200 ? 0 : 1)
    },
  )

  it('does not let an agent get, update or delete a template of another agent', async () => {
    const { agent, other, byKey } = await openWithUsers()
    const { body: made } = await create(agent)
    const answers = [
      await get(other, made.data._id),
      await update(other, made.data._id, { templateType: 'sms', name: 'Mine' }),
      await remove(other, made.data._id),
    ]
    expect(answers.map(({ status, assumed }) => [status, assumed.at(-1)])).toEqual([
      [404, 'templatesOfAgents'],
      [404, 'templateChangesByAgent'],
      [404, 'templateChangesByAgent'],
    ])
    expect((await get(byKey, made.data._id)).body.data.name).toBe(sms.name)
  })

  it.each([
    ['admin', 200],
    ['agent', 404],
  ] as const)('with roleOfKey=%s answers %i when a key gets a template of an agent', async (role, status) => {
    const { byKey, agent } = await openWithUsers({ roleOfKey: role })
    const { body: made } = await create(agent)
    const answer = await get(byKey, made.data._id)
    expect(answer.status).toBe(status)
    expect(answer.assumed).toContain('roleOfKey')
  })

  it('never shows the owner of a template, or the time of its approval', async () => {
    const { agent } = await openWithUsers({ templateFields: 'allSent', whatsappApproval: 'afterDelay:60000' })
    const { body: made } = await create(agent, whatsapp)
    expect((await get(agent, made.data._id)).body.data).toEqual({ ...whatsapp, _id: made.data._id, status: 'pending' })
  })

  it('does not rely on roleOfKey when all templates were made with keys', async () => {
    const { byKey } = await openWithUsers()
    const { body: made } = await create(byKey)
    expect((await list(byKey)).assumed).not.toContain('roleOfKey')
    expect((await get(byKey, made.data._id)).assumed).not.toContain('roleOfKey')
  })
})

describe('what is assumed of templates', () => {
  const answered = async (asked: Promise<Told>) => {
    const told = await asked
    return { told, seen: told.status }
  }
  const madeId = async (call: Call, body: object = sms): Promise<string> => (await create(call, body)).body.data._id
  const one = async (call: Call) => {
    await create(call)
    return list(call)
  }

  seeEachChoice({
    uniqueNameScope: {
      story: async (call) => answered((await create(call), create(call, { ...email, uniqueName: sms.uniqueName }))),
      shows: { team: 400, type: 201 },
      // Refused with every choice.
      otherwise: async (call) => (await create(call), create(call)),
    },
    whatsappNameForm: {
      story: (call) => answered(create(call, { ...whatsapp, uniqueName: 'Order Left' })),
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
      story: (call) => answered(create(call, { ...sms, provider: 'email-provider' })),
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
    unlistedFields: {
      with: { templateFields: 'allSent' },
      story: async (call) => {
        const told = await create(call, { ...sms, headerText: 'Hello' })
        const { body } = await list(call)
        return { told, seen: [told.status, body.data[0]?.headerText] }
      },
      shows: { kept: [201, 'Hello'], dropped: [201, undefined], refused: [400, undefined] },
      otherwise: create,
    },
    deleteAgain: {
      story: async (call) => {
        const id = await madeId(call)
        await remove(call, id)
        return answered(remove(call, id))
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
      story: (call) => answered(list(call, { types: 'sms,email' })),
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
    badPage: {
      story: (call) => answered(list(call, { page: 0 })),
      shows: { refused: 400, clamped: 200 },
      otherwise: one,
    },
    largestLimit: {
      with: { limitAboveLargest: 'refused' },
      story: (call) => answered(list(call, { limit: 101 })),
      shows: { hundred: 400, unlimited: 200 },
      otherwise: one,
    },
    limitAboveLargest: {
      story: async (call) => {
        const told = await list(call, { limit: 101 })
        return { told, seen: [told.status, told.body.pagination?.limit] }
      },
      shows: { refused: [400, undefined], clamped: [200, 100] },
      otherwise: one,
    },
    historyPageBeyond: {
      story: (call) => answered(list(call, { page: 9 })),
      shows: { empty: 200, notFound: 404 },
      otherwise: one,
    },
    emptyTotalPages: {
      story: async (call) => {
        const told = await list(call)
        return { told, seen: told.body.pagination.totalPages as unknown }
      },
      shows: { zero: 0, one: 1 },
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

  it('answers with the variables that it sets', async () => {
    const { call } = await openSandbox()
    const { _id } = (await create(call, sms)).body.data
    const { body } = await update(call, _id, { templateType: 'sms', variables: ['contact.lastName'] })
    expect(body.data.variables).toEqual(['contact.lastName'])
    expect((await update(call, _id, { templateType: 'sms', variables: [1] })).status).toBe(400)
  })
})

describe('the approval of a WhatsApp template', () => {
  it.each([
    ['byControl', 'pending', 'approved'],
    ['atOnce', 'approved', 'approved'],
    ['afterDelay:60000', 'pending', 'approved'],
    ['never', 'pending', 'pending'],
  ] as const)(
    'with whatsappApproval=%s starts as %s, and is %s after the control plane approved it',
    async (choice, first, then) => {
      const { sandbox, call } = await openSandbox({ assume: { whatsappApproval: choice } })
      const made = await create(call, whatsapp)
      await sandbox.fetch(`/_sandbox/templates/${made.body.data._id}/approve`, { method: 'POST' })
      const after = await get(call, made.body.data._id)
      expect([made.body.data.status, after.body.data.status]).toEqual([first, then])
      expect([made.assumed, after.assumed, (await list(call)).assumed]).toEqual(
        Array(3).fill(expect.arrayContaining(['whatsappApproval'])),
      )
    },
  )

  it.each([
    ['unchanged', 'byControl', 'rejected'],
    ['pendingAgain', 'byControl', 'pending'],
    ['pendingAgain', 'atOnce', 'approved'],
  ] as const)(
    'after an update with whatsappAfterUpdate=%s and whatsappApproval=%s is %s',
    async (choice, approval, status) => {
      const { sandbox, call } = await openSandbox({
        assume: { whatsappAfterUpdate: choice, whatsappApproval: approval },
      })
      const { body: made } = await create(call, whatsapp)
      await sandbox.fetch(`/_sandbox/templates/${made.data._id}/reject`, { method: 'POST' })
      const updated = await update(call, made.data._id, { templateType: 'whatsapp', content: 'Gone' })
      expect(updated.body.data).toMatchObject({ status, content: 'Gone' })
      expect(updated.assumed).toContain('whatsappAfterUpdate')
    },
  )

  const withoutWaiting = () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    return openSandbox({ assume: { whatsappApproval: 'afterDelay:60000' } })
  }

  it('happens after the delay, and not before', async () => {
    const { call } = await withoutWaiting()
    const { body: made } = await create(call, whatsapp)
    const status = async () => (await get(call, made.data._id)).body.data.status as string
    await vi.advanceTimersByTimeAsync(59_999)
    await create(call) // which makes the sandbox do its due work
    expect(await status()).toBe('pending')
    await vi.advanceTimersByTimeAsync(1)
    expect(await status()).toBe('approved')
    expect(namesIn(await list(call, { statuses: 'pending' }))).toEqual([])
  })

  it('does not happen after the control plane has rejected the template', async () => {
    const { sandbox, call } = await withoutWaiting()
    const { body: made } = await create(call, whatsapp)
    await sandbox.fetch(`/_sandbox/templates/${made.data._id}/reject`, { method: 'POST' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await get(call, made.data._id)).body.data.status).toBe('rejected')
  })

  it('is not relied on for SMS', async () => {
    const { call } = await openSandbox()
    const { body: made } = await create(call)
    const { assumed } = await update(call, made.data._id, { templateType: 'sms', content: 'We open at ten' })
    expect(assumed).not.toContain('whatsappAfterUpdate')
  })
})
