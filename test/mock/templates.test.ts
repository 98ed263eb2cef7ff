import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { WrittenChoices } from '../../spec/choices.ts'
import { bearerOf, openSandbox, type Call } from './helpers.ts'
import { unknownId, sms, whatsapp, create, get, list, update, remove, namesIn } from './template-requests.ts'

/** A sandbox with calls of the API key, of two agents and of an admin. */
async function openWithUsers(assume: WrittenChoices = {}) {
  const { sandbox, call } = await openSandbox({ assume })
  const as = async (userId: string): Promise<Call> => {
    const headers = await bearerOf(sandbox, { userId, role: userId.endsWith('admin') ? 'admin' : 'agent' })
    return (id, ask) => call(id, { ...ask, key: null, headers: { ...headers, ...ask?.headers } })
  }
  return { byKey: call, agent: await as('acme-agent'), other: await as('other-agent'), admin: await as('acme-admin') }
}

it.each([
  ['accepted', 201],
  ['refused', 400],
] as const)(
  'templateHeaderFields=%s: header fields that disagree are answered %i',
  async (templateHeaderFields, status) => {
    const { call } = await openSandbox({ assume: { templateHeaderFields } })
    const odd = [
      { headerText: 'News' },
      { headerType: 'text' },
      { isHeader: false, headerType: 'text', headerText: 'News' },
    ]
    for (const [at, header] of odd.entries()) {
      const answer = await create(call, { ...whatsapp, ...header, uniqueName: `odd_${at}` })
      expect([answer.status, answer.assumed]).toEqual([status, expect.arrayContaining(['templateHeaderFields'])])
    }
    const agreeing = await create(call, { ...whatsapp, uniqueName: 'even', headerType: 'text', headerText: 'News' })
    expect([agreeing.status, agreeing.assumed]).toEqual([201, expect.not.arrayContaining(['templateHeaderFields'])])
  },
)

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

  const reaches: [choice: string, assume: WrittenChoices, statuses: number[]][] = [
    ['as assumed', {}, [404, 404, 404]],
    ['keyMadeTemplates=shownToAgents', { keyMadeTemplates: 'shownToAgents' }, [200, 200, 200]],
  ]
  it.each(reaches)('lets an agent read, change and delete a template of a key: %s', async (_, assume, statuses) => {
    const { byKey, agent } = await openWithUsers(assume)
    const { body: made } = await create(byKey)
    const answers = [
      await get(agent, made.data._id),
      await update(agent, made.data._id, { templateType: 'sms', name: 'Mine' }),
      await remove(agent, made.data._id),
    ]
    expect(answers.map(({ status }) => status)).toEqual(statuses)
    expect(answers.every(({ assumed }) => assumed.includes('keyMadeTemplates'))).toBe(true)
    expect(namesIn(await list(byKey))).toEqual(statuses[2] === 200 ? [] : [sms.uniqueName])
  })

  it('never shows the owner of a template, or the time of its approval', async () => {
    const { agent } = await openWithUsers({ templateFields: 'allSent', whatsappApproval: 'afterDelay:60000' })
    const { body: made } = await create(agent, whatsapp)
    expect((await get(agent, made.data._id)).body.data).toEqual({ ...whatsapp, _id: made.data._id, status: 'pending' })
  })
})

it('lists long texts as they were sent, whatever characters they have', async () => {
  const { call } = await openSandbox()
  // Characters of two halves lie at every place, so also where the text is cut.
  const content = `x"${'😀\\\n'.repeat(50_000)}`
  await create(call, { ...sms, content, uniqueName: 'first' })
  await create(call, { ...sms, content: `y${content}`, uniqueName: 'second' })
  const { body } = await list(call)
  expect(body.data.map((template: { content: string }) => template.content)).toEqual([`y${content}`, content])
})

describe('an update of a template', () => {
  it('does not let an update change the fields that the service writes', async () => {
    const { call } = await openSandbox()
    const { body: made } = await create(call)
    const unlisted = { templateType: 'sms', status: 'rejected', uniqueName: 'other', ownerId: 'x', _id: unknownId }
    const { body, assumed } = await update(call, made.data._id, unlisted)
    expect(body.data).toMatchObject({ _id: made.data._id, status: 'approved', uniqueName: 'opening-hours' })
    expect(assumed).toContain('serverFieldsSent')
  })

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
      const approved = sandbox.templates.approve(made.body.data._id as string)
      if (choice === 'never') await expect(approved).rejects.toThrow('stays pending')
      else await approved
      const after = await get(call, made.body.data._id)
      expect([made.body.data.status, after.body.data.status]).toEqual([first, then])
      const marked = [made, after, await list(call)].map(({ assumed }) => assumed.includes('whatsappApproval'))
      expect(marked).toEqual([true, false, false])
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
      await sandbox.templates.reject(made.data._id as string)
      const updated = await update(call, made.data._id, { templateType: 'whatsapp', content: 'Gone' })
      expect(updated.body.data).toMatchObject({ status, content: 'Gone' })
      expect(updated.assumed).toContain('whatsappAfterUpdate')
    },
  )

  it('does not restart when an update changes nothing that the platform reviews', async () => {
    const { sandbox, call } = await openSandbox()
    const { body: made } = await create(call, whatsapp)
    await sandbox.templates.approve(made.data._id as string)
    const { content, category, language } = whatsapp
    const fields = { name: 'Another name', variables: ['order.number'], content, category, language }
    const updated = await update(call, made.data._id, { templateType: 'whatsapp', ...fields })
    expect(updated.body.data).toMatchObject({ status: 'approved', name: 'Another name' })
  })

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
    await sandbox.templates.reject(made.data._id as string)
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await get(call, made.data._id)).body.data.status).toBe('rejected')
  })
})
