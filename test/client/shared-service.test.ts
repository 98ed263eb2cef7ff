import { describe, expect, it } from 'vitest'
import { NotAllowed } from '../../client/errors.ts'
import { ada, contact, ok } from './contact.ts'
import { clientFor, serverThat, serverThatSays } from './harness.ts'

describe('On a shared service a run', () => {
  const elsewhere = { loopback: false, rate: Infinity }

  it.each(['createContact', 'updateContact', 'deleteContact', 'sendLiveMessage', 'createTemplate'] as const)(
    'does not send %s when it may only read',
    async (operation) => {
      const { client, sent } = clientFor(await serverThatSays(200, ok), { wanted: { upTo: 'read' } })
      await expect(client.call(operation, ada)).rejects.toThrow(/which this run may not call: --up-to/)
      expect(sent).toEqual([])
    },
  )

  it('changes nothing that it did not make', async () => {
    const url = await serverThat(({ method }, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' })
      const data = { ...contact, source: mint.run }
      answer.end(JSON.stringify(method === 'POST' ? { ...ok, data } : { success: true, message: 'Done' }))
    })
    const { client, mint, sent } = clientFor(url, { change: elsewhere })
    await expect(client.call('updateContact', ada)).rejects.toThrow('nothing shows that the run made this record')
    await expect(client.call('deleteContactsByEmail', {})).rejects.toThrow(NotAllowed)
    await expect(client.call('deleteContactsByEmail', { query: { email: 'ada@example.com' } })).rejects.toThrow(
      NotAllowed,
    )
    expect(sent).toEqual([])
    await client.call('deleteContactsByEmail', { query: { email: mint.email() } })
    await client.call('updateContact', { path: { contactId: mint.unknownId() }, body: {} })
    await client.call('createContact', { body: { firstName: 'Ada', lastName: 'Lovelace', email: mint.email() } })
    await client.call('updateContact', ada)
    expect(sent.map(({ method }) => method)).toEqual(['DELETE', 'PUT', 'POST', 'PUT', 'PUT'])
  })

  it('sends messages only to recipients that the operator named', async () => {
    const wanted = { phoneTo: ['+4915112345678'] }
    const { client, mint, sent } = clientFor(await serverThatSays(200, ok), { wanted, change: elsewhere })
    const say = (target: object) =>
      client.call('sendLiveMessage', { body: { channel: 'chat', content: 'x', ...target } })
    for (const target of [{ to: mint.phone() }, { to: '+4915112345678,+491510000000' }, { contactId: 'c9' }, {}])
      await expect(say(target)).rejects.toThrow('a message goes only to those named')
    expect(sent).toEqual([])
    // Some of the 20 are kept for the other operations.
    for (let i = 0; i < 11; i++) await say({ to: '+4915112345678' })
    await expect(say({ to: '+4915112345678' })).rejects.toThrow('at most 20 messages')
    expect(sent.length).toBe(11)
  })

  it('counts only the messages that were not refused', async () => {
    const wanted = { phoneTo: ['+4915112345678'] }
    const url = await serverThatSays(400, { success: false, message: 'no' })
    const { client, sent } = clientFor(url, { wanted, change: elsewhere })
    const body = { channel: 'chat', content: 'x', to: '+4915112345678' }
    for (let i = 0; i < 30; i++) await client.call('sendLiveMessage', { body })
    expect(sent.length).toBe(30)
  })

  it('stops after three failures', async () => {
    const failure = { success: false, message: 'Internal server error' }
    const { client } = clientFor(await serverThatSays(500, failure), { change: elsewhere })
    for (let i = 0; i < 3; i++) await client.call('listTemplates')
    await expect(client.call('listTemplates')).rejects.toThrow('stopped after 3 answers with 5xx')
  })

  it('stops when a credential is no longer accepted', async () => {
    let asked = 0
    const url = await serverThat((_, answer) => {
      const status = ++asked === 1 ? 200 : 401
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(ok))
    })
    const { client } = clientFor(url, { change: elsewhere })
    await client.call('listTemplates')
    await client.call('listTemplates')
    await expect(client.call('listTemplates')).rejects.toThrow('a credential that was accepted no longer is')
  })

  it('stops when an answer shows a record of another team', async () => {
    let asked = 0
    const url = await serverThat((_, answer) => {
      const data = { ...contact, teamId: ++asked === 1 ? 'acme' : 'globex' }
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...ok, data }))
    })
    const { client } = clientFor(url, { change: elsewhere })
    await client.call('getConversation', { path: { conversationId: 'a' } })
    await client.call('getConversation', { path: { conversationId: 'a' } })
    await expect(client.call('listTemplates')).rejects.toThrow('a record of another team')
  })
})
