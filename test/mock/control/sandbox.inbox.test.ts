import { describe, expect, it } from 'vitest'
import { openSandbox, twoTeams } from '../helpers.ts'

const contact = (id: string, lastName: string, email: string, phone: string) => ({
  _id: id,
  firstName: 'Ada',
  lastName,
  email,
  phone,
  teamId: 'acme',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
})

describe('the inbox', () => {
  it('lists conversations by their latest message, with the contact, and those without a message last', async () => {
    const { sandbox, call } = await openSandbox()
    const write = (from: string, content: string) => sandbox.incoming.add('acme', { channel: 'chat', from, content })
    const first = await write('ada@example.com', 'Hello')
    await write('grace@example.com', 'Good morning')
    await write('ada@example.com', 'x'.repeat(1_000))
    const { body } = await call('findOrCreateConversation', { body: { email: 'silent@example.com' } })
    const { conversations, hasMore } = await sandbox.inbox('acme')
    expect(conversations.map(({ contact, latest }) => [contact?.email, latest?.content.length])).toEqual([
      ['ada@example.com', 200],
      ['grace@example.com', 12],
      ['silent@example.com', undefined],
    ])
    expect(conversations[0]).toMatchObject({
      conversationId: first.conversationId,
      contact: { id: first.contactId },
      latest: { channel: 'chat', direction: 'incoming', status: 'received' },
    })
    expect(conversations[2]?.conversationId).toBe(body.data._id)
    expect(hasMore).toBe(false)
    expect((await sandbox.inbox('globex')).conversations).toEqual([])
  })

  it('has pages, and finds a part of a name, an address or the latest message in any case', async () => {
    const { sandbox } = await openSandbox({
      world: {
        teams: twoTeams.teams.map((team) =>
          team._id === 'acme'
            ? { ...team, contacts: [contact('ada', 'Lovelacé', 'ada@example.com', '(323) 555-0185')] }
            : team,
        ),
      },
    })
    for (const from of ['ada@example.com', ...Array.from({ length: 4 }, (_, at) => `guest${at}@example.com`)])
      await sandbox.incoming.add('acme', { channel: 'email', from, content: `Regards from ${from.slice(0, 6)}` })
    const found = async (query: object) => {
      const { conversations, hasMore } = await sandbox.inbox('acme', query)
      return { emails: conversations.map(({ contact }) => contact?.email?.split('@')[0]), hasMore }
    }
    expect(await found({ limit: 2 })).toEqual({ emails: ['guest3', 'guest2'], hasMore: true })
    expect(await found({ limit: 2, page: 3 })).toEqual({ emails: ['ada'], hasMore: false })
    for (const search of ['LOVELACE', 'Lovelacé', '323-555-0185', '3235550185'])
      expect(await found({ search })).toEqual({ emails: ['ada'], hasMore: false })
    expect(await found({ search: 'guest1@EX' })).toEqual({ emails: ['guest1'], hasMore: false })
    expect(await found({ search: 'lovelace  ADA' })).toEqual({ emails: ['ada'], hasMore: false })
    expect(await found({ search: 'from GUEST2' })).toEqual({ emails: ['guest2'], hasMore: false })
    expect(await found({ search: 'guest', limit: 3 })).toEqual({
      emails: ['guest3', 'guest2', 'guest1'],
      hasMore: true,
    })
    expect(await found({ search: 'nobody' })).toEqual({ emails: [], hasMore: false })
  })
})

describe('a conversation of the inbox', () => {
  it('has its latest messages as the history shows them, and what belongs to the contact', async () => {
    const { sandbox, call } = await openSandbox()
    const { conversationId, contactId } = await sandbox.incoming.add('acme', {
      channel: 'sms',
      from: '+14155550199',
      content: 'Hello',
    })
    const answer = { channel: 'sms', providerId: 'sms-provider', conversationId, content: 'Good morning' }
    const { body: sent } = await call('sendMessage', { body: answer })
    await sandbox.outbox.report('acme', sent.data._id, { status: 'read' })
    const { body: company } = await call('createCompany', { body: { name: 'Initrode', contacts: [contactId] } })
    const shown = await sandbox.conversation('acme', conversationId)
    expect(shown).toMatchObject({ conversationId, total: 2, contact: { _id: contactId, phone: '+14155550199' } })
    expect(shown.messages.map(({ content, status }) => [content, status])).toEqual([
      ['Hello', 'received'],
      ['Good morning', 'read'],
    ])
    expect(shown.companies.map(({ _id }) => _id)).toEqual([company.data._id])
    expect([shown.deals, shown.quotes]).toEqual([[], []])
    const { messages, total } = await sandbox.conversation('acme', conversationId, { limit: 1 })
    expect([messages.map(({ content }) => content), total]).toEqual([['Good morning'], 2])
  })
})
