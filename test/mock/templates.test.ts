import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../mock/create-sandbox.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
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

/** Headers of somebody of acme; with a key they are those of nobody. */
async function headersOf(sandbox: Sandbox, userId: string): Promise<Record<string, string>> {
  const body = JSON.stringify({ teamId: 'acme', userId, role: userId.includes('admin') ? 'admin' : 'agent' })
  const headers = { 'content-type': 'application/json' }
  const answer = await sandbox.fetch('/_sandbox/tokens', { method: 'POST', headers, body })
  const { data } = (await answer.json()) as { data: { token: string } }
  return { authorization: `Bearer ${data.token}` }
}

/** As the sandbox, but whoever calls with headers calls without the key. */
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
  ])('of %s answers with what is documented, and nothing else', async (templateType, body, more) => {
    const { call } = await openSandbox()
    const { status, body: answer } = await create(call, body)
    expect(status).toBe(201)
    expect(answer.data).toEqual({ _id: expect.any(String), templateType, name: 'Opening hours', ...more })
  })

  it('relies on nothing when it is for SMS', async () => {
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
  ])('with %s is refused and leaves nothing', async (_, body, named) => {
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

  it('writes the given fields and keeps the others', async () => {
    const { call } = await openSandbox()
    const { body: made } = await create(call, { ...sms, language: 'en' })
    const updated = await update(call, made.data._id, { templateType: 'sms', content: 'We open at ten' })
    const { body: after } = await get(call, made.data._id)
    expect(updated.body.data).toEqual(after.data)
    expect(after.data).toMatchObject({ content: 'We open at ten', name: sms.name, language: 'en', status: 'approved' })
  })

  it('does not let an update touch what the service writes', async () => {
    const { call } = await openSandbox()
    const { body: made } = await create(call)
    const stray = { templateType: 'sms', status: 'rejected', uniqueName: 'other', ownerId: 'x', _id: unknownId }
    const { body, assumed } = await update(call, made.data._id, stray)
    expect(body.data).toMatchObject({ _id: made.data._id, status: 'approved', uniqueName: 'opening-hours' })
    expect(assumed).toContain('serverFieldsSent')
  })

  it('takes a deleted template off every list', async () => {
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

  it('relies on nothing but its fields when there is one SMS template', async () => {
    const { call } = await openSandbox()
    await create(call)
    expect((await list(call)).assumed).toEqual(['templateFields'])
  })
})

describe('who sees which templates', () => {
  it('lists to an agent their own, to an admin and to a key all', async () => {
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
  it.each(cases)('lists by %s', async (choice, assume, who, sees) => {
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
  it.each(reaches)('lets an agent get, update and delete what a key made: %s', async (_, assume, statuses) => {
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
  })

  it('does not let one agent get, update or delete what another made', async () => {
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
  ] as const)('lets a key that counts as %s get what an agent made', async (role, status) => {
    const { byKey, agent } = await openWithUsers({ roleOfKey: role })
    const { body: made } = await create(agent)
    const answer = await get(byKey, made.data._id)
    expect(answer.status).toBe(status)
    expect(answer.assumed).toContain('roleOfKey')
  })

  it('relies on no role where a team has only what its key made', async () => {
    const { byKey } = await openWithUsers()
    const { body: made } = await create(byKey)
    expect((await list(byKey)).assumed).not.toContain('roleOfKey')
    expect((await get(byKey, made.data._id)).assumed).not.toContain('roleOfKey')
  })
})

describe('what is assumed of templates', () => {
  type Seen = [choice: string, seen: unknown]
  const see = (look: (call: Call) => Promise<[told: Told, seen: unknown]>, rows: Seen[]) => {
    it.each(rows)('%s', async (choice, seen) => {
      const [name = '', value] = choice.split('=')
      const { call } = await openSandbox({ assume: { [name]: value } })
      const [told, what] = await look(call)
      expect(what).toEqual(seen)
      expect(told.assumed).toContain(name)
    })
  }
  const statusOf = (told: Told): [Told, unknown] => [told, told.status]

  see(
    async (call) => statusOf((await create(call), await create(call))),
    [
      ['takenUniqueName=refused', 400],
      ['takenUniqueName=accepted', 201],
    ],
  )
  see(
    async (call) => statusOf(await create(call, { ...whatsapp, uniqueName: 'Order Left' })),
    [
      ['whatsappNameForm=refused', 400],
      ['whatsappNameForm=accepted', 201],
    ],
  )
  see(
    async (call) => statusOf(await create(call, { ...sms, language: 'not a language' })),
    [
      ['languageForm=refused', 400],
      ['languageForm=accepted', 201],
    ],
  )
  see(
    async (call) => {
      const { body: made } = await create(call)
      return statusOf(await update(call, made.data._id, { templateType: 'sms', language: 'not a language' }))
    },
    [
      ['languageForm=refused', 400],
      ['languageForm=accepted', 200],
    ],
  )
  see(
    async (call) => statusOf(await create(call, { ...sms, provider: 'nobody' })),
    [
      ['templateProvider=refused', 400],
      ['templateProvider=accepted', 201],
    ],
  )
  see(
    async (call) => {
      const { body: made } = await create(call)
      const told = await update(call, made.data._id, { templateType: 'email', name: 'New' })
      const { body } = await get(call, made.data._id)
      return [told, [told.status, body.data.templateType, body.data.name]]
    },
    [
      ['templateTypeChange=refused', [400, 'sms', sms.name]],
      ['templateTypeChange=ignored', [200, 'sms', 'New']],
    ],
  )
  see(
    async (call) => {
      const { body: made } = await create(call)
      const told = await update(call, made.data._id, { templateType: 'sms', name: 'New' })
      return [told, Object.keys(told.body.data as object).sort()]
    },
    [
      ['templateAfterUpdate=wholeTemplate', ['_id', 'content', 'name', 'status', 'templateType', 'uniqueName']],
      ['templateAfterUpdate=changedFields', ['_id', 'name', 'templateType']],
    ],
  )
  see(
    async (call) => {
      const { body: made } = await create(call, { ...sms, variables: ['x'] })
      const told = await get(call, made.data._id)
      return [told, [told.body.data.provider, told.body.data.variables, told.body.data.ownerId]]
    },
    [
      ['templateFields=onlyShown', [undefined, undefined, undefined]],
      ['templateFields=allSent', ['sms-provider', ['x'], undefined]],
    ],
  )
  see(
    async (call) => {
      const { body: made } = await create(call)
      return statusOf(await update(call, made.data._id, { templateType: 'sms' }))
    },
    [
      ['emptyUpdate=noChange', 200],
      ['emptyUpdate=refused', 400],
    ],
  )
  see(
    async (call) => {
      for (const uniqueName of ['a', 'b']) await create(call, { ...sms, uniqueName })
      const told = await list(call)
      return [told, namesIn(told)]
    },
    [
      ['templateOrder=newestFirst', ['b', 'a']],
      ['templateOrder=oldestFirst', ['a', 'b']],
    ],
  )
  see(
    async (call) => statusOf(await list(call, { types: 'sms,email' })),
    [
      ['repeatedQueryValues=accepted', 200],
      ['repeatedQueryValues=refused', 400],
    ],
  )
  see(
    async (call) => {
      await create(call)
      const told = await list(call, { types: ['sms', 'pigeon'] })
      return [told, [told.status, told.body.data?.length]]
    },
    [
      ['unknownTemplateFilter=refused', [400, undefined]],
      ['unknownTemplateFilter=matchesNone', [200, 1]],
    ],
  )
  see(
    async (call) => statusOf(await list(call, { page: 0 })),
    [
      ['badPage=refused', 400],
      ['badPage=clamped', 200],
    ],
  )
  see(
    async (call) => statusOf(await list(call, { limit: 101 })),
    [
      ['largestLimit=hundred', 400],
      ['largestLimit=unlimited', 200],
      ['limitAboveLargest=refused', 400],
      ['limitAboveLargest=clamped', 200],
    ],
  )
  see(
    async (call) => statusOf(await list(call, { page: 9 })),
    [
      ['historyPageBeyond=empty', 200],
      ['historyPageBeyond=notFound', 404],
    ],
  )
  see(
    async (call) => {
      const told = await list(call)
      return [told, told.body.pagination.totalPages]
    },
    [
      ['emptyTotalPages=zero', 0],
      ['emptyTotalPages=one', 1],
    ],
  )

  it('lets no unknown filter stand in for one that is missing', async () => {
    const { call } = await openSandbox({ assume: { unknownTemplateFilter: 'matchesNone' } })
    const { types, ...query } = everything
    expect((await call('listTemplates', { query: { ...query, statuses: 'odd' } })).status).toBe(400)
    expect((await call('listTemplates', { query: { ...query, types: 'pigeon' } })).body.data).toEqual([])
  })
})

describe('the approval of a WhatsApp template', () => {
  it.each([
    ['byControl', 'pending', 'approved'],
    ['atOnce', 'approved', 'approved'],
    ['afterDelay:60000', 'pending', 'approved'],
    ['never', 'pending', 'pending'],
  ] as const)(
    'whatsappApproval=%s starts %s, and is %s once the control plane says so',
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
    'after an update, whatsappAfterUpdate=%s and whatsappApproval=%s, is %s',
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

  it('is not asked about for SMS', async () => {
    const { call } = await openSandbox()
    const { body: made } = await create(call)
    const { assumed } = await update(call, made.data._id, { templateType: 'sms', content: 'We open at ten' })
    expect(assumed).not.toContain('whatsappAfterUpdate')
  })
})
