import { describe, expect, it } from 'vitest'
import type { WrittenChoices } from '../../spec/choices.ts'
import { bearerOf, type Call, openSandbox } from './harness.ts'
import { sms, whatsapp, create, get, list, update, remove, namesIn } from './template-calls.ts'

/** A sandbox with calls of the API key, of two agents and of an admin. */
async function openWithUsers(assume: WrittenChoices = {}) {
  const { sandbox, call } = await openSandbox({ assume })
  const as = async (userId: string): Promise<Call> => {
    const headers = await bearerOf(sandbox, { userId, role: userId.endsWith('admin') ? 'admin' : 'agent' })
    return (id, ask) => call(id, { ...ask, key: null, headers: { ...headers, ...ask?.headers } })
  }
  return { byKey: call, agent: await as('acme-agent'), other: await as('other-agent'), admin: await as('acme-admin') }
}

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
})
