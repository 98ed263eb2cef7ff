import { describe, expect, it } from 'vitest'
import { NotAllowed } from '../../../contracts/client/errors.ts'
import { clientFor, serverThatSays } from './helpers.ts'
import { ada, contact, ok } from './helpers.ts'
import { serverThat } from '../../for-one-test.ts'

type Fields = Readonly<Record<string, unknown>>

/** A client of a server that answers a create with `created`, and shows `shown` of a record afterwards; `RUN` is the mark. */
async function clientOf(created: Fields, shown: Readonly<Record<string, Fields | number>>) {
  let run = ''
  const url = await serverThat(({ method, url: path = '' }, answer) => {
    const found = method === 'POST' ? created : (shown[path.split('/').at(-1) ?? ''] ?? {})
    const status = typeof found === 'number' ? found : 200
    answer.writeHead(status, { 'content-type': 'application/json' })
    const data =
      typeof found === 'number' ? undefined : (JSON.parse(JSON.stringify(found).replaceAll('RUN', run)) as object)
    answer.end(JSON.stringify({ success: status === 200, message: 'Done', data }))
  })
  const client = clientFor(url)
  run = client.mint.run
  const methods = () => client.sent.map(({ method }) => method)
  return { ...client, methods }
}

const path = { productId: 'p1' }
const body = { name: 'Engine', unitPrice: 1 }
const refused = 'so it is not touched'

describe('A run changes and deletes a record', () => {
  it.each<[string, Fields, Fields | number]>([
    ['that shows its mark when it is read', { _id: 'p1' }, { name: 'Engine RUN 1' }],
    ['that showed its mark when it was created, and shows nothing now', { _id: 'p1', name: 'Engine RUN 1' }, {}],
    ['that its own caller can no longer find', { _id: 'p1', name: 'Engine RUN 1' }, 404],
  ])('%s', async (_, created, shown) => {
    const { client, methods } = await clientOf(created, { p1: shown })
    await client.call('createProduct', { body })
    await client.call('deleteProduct', { path })
    expect(methods()).toEqual(['POST', 'PUT', 'DELETE'])
  })

  it('after it has replaced its own mark, because an earlier read showed the mark', async () => {
    const shown = { p1: { name: 'Engine RUN 1' } }
    const { client, methods } = await clientOf({ _id: 'p1' }, shown)
    await client.call('createProduct', { body })
    await client.call('updateProduct', { path, body: { name: 'Other' } })
    shown.p1 = { name: 'Other' }
    await client.call('updateProduct', { path, body: {} })
    await client.call('deleteProduct', { path })
    expect(methods()).toEqual(['POST', 'PUT', 'PUT', 'PUT', 'DELETE'])
  })

  it('without a read, once three reads have shown that the answers of an operation name what it made', async () => {
    const shown = Object.fromEntries(['p1', 'p2', 'p3', 'p4'].map((id) => [id, { name: 'Engine RUN 1' }]))
    const created = { _id: '', name: 'Engine RUN 1' }
    const { client, methods } = await clientOf(created, shown)
    for (const id of Object.keys(shown)) {
      created._id = id
      await client.call('createProduct', { body })
      await client.call('deleteProduct', { path: { productId: id } })
    }
    const [read, unread] = [
      ['POST', 'PUT', 'DELETE'],
      ['POST', 'DELETE'],
    ]
    expect(methods()).toEqual([...read, ...read, ...read, ...unread])
  })

  it('that has neither a name nor an e-mail address, but a number of the run', async () => {
    const shown: Record<string, Fields> = {}
    const { client, mint, methods } = await clientOf({ _id: 'v1', contactId: { _id: 'c1' } }, shown)
    const phone = mint.phone()
    shown.c1 = { firstName: '', lastName: '', phone }
    await client.call('findOrCreateConversation', { body: { phone } })
    await client.call('deleteContact', { path: { contactId: 'c1' } })
    expect(methods()).toEqual(['POST', 'PUT', 'DELETE'])
  })

  it('that has a number of the run, and a name that the server also gave to a contact with an e-mail address of the run', async () => {
    const shown: Record<string, Fields> = {}
    const created = { _id: 'v1', contactId: { _id: 'c1', name: 'Unknown Contact', email: '' } }
    const { client, mint, methods } = await clientOf(created, shown)
    const phone = mint.phone()
    shown.c1 = { firstName: 'Unknown', lastName: 'Contact', phone }
    await client.call('findOrCreateConversation', { body: { phone } })
    const path = { contactId: 'c1' }
    await expect(client.call('deleteContact', { path })).rejects.toThrow('so it is not touched')
    created.contactId = { ...created.contactId, _id: 'c2', email: 'RUN-1@example.com' }
    await client.call('findOrCreateConversation', { body: { email: mint.email() } })
    await client.call('deleteContact', { path })
    expect(methods()).toEqual(['POST', 'PUT', 'POST', 'PUT', 'DELETE'])
  })
})

describe('A run does not change or delete a record', () => {
  it.each<[string, Fields, Fields | number]>([
    ['that has another name', { _id: 'p1', name: 'Engine RUN 1' }, { name: 'Loom' }],
    ['that never showed its mark', { _id: 'p1' }, {}],
  ])('%s', async (_, created, shown) => {
    const { client, methods, written } = await clientOf(created, { p1: shown })
    await client.call('createProduct', { body })
    await expect(client.call('updateProduct', { path, body: { unitPrice: 2 } })).rejects.toThrow(NotAllowed)
    await expect(client.call('deleteProduct', { path })).rejects.toThrow(refused)
    expect(methods().filter((method) => method !== 'PUT')).toEqual(['POST'])
    const foreign = written.filter((line) => 'state' in line && line.state === 'foreign')
    expect(foreign).toEqual(Object.keys(shown).length === 0 ? [] : [{ intent: '1', state: 'foreign' }])
  })

  it.each<[string, Fields]>([
    ['has an e-mail address of somebody else', { email: 'grace@example.com' }],
    ['has a name of somebody else beside a number of the run', { firstName: 'Grace', phone: 'PHONE' }],
    ['has the number of somebody else', { phone: '+14155550100' }],
  ])('when a contact that was found by a number %s', async (_, contact) => {
    const shown: Record<string, Fields> = {}
    const { client, mint } = await clientOf({ _id: 'v1', contactId: { _id: 'c1' } }, shown)
    const phone = mint.phone()
    shown.c1 = { ...contact, ...(contact.phone === 'PHONE' ? { phone } : {}) }
    await client.call('findOrCreateConversation', { body: { phone } })
    await expect(client.call('deleteContact', { path: { contactId: 'c1' } })).rejects.toThrow(refused)
  })

  it('that it has seen before, even if a create answers with its id and the values that were sent', async () => {
    const { client, methods } = await clientOf({ _id: 't1', name: 'RUN' }, { t1: { _id: 't1', name: 'Old' } })
    await client.call('getTemplate', { path: { templateId: 't1' } })
    await client.call('createTemplate', { body: {} })
    await expect(client.call('deleteTemplate', { path: { templateId: 't1' } })).rejects.toThrow(refused)
    expect(methods()).toEqual(['GET', 'POST'])
  })

  it('by an address that it did not make up', async () => {
    const { client, sent } = await clientOf({}, {})
    const query = { email: 'ada@example.com' }
    await expect(client.call('deleteContactsByEmail', { query })).rejects.toThrow(refused)
    expect(sent).toEqual([])
  })
})

it('adds no message and no quote to a record of another owner', async () => {
  const { client } = await clientOf(
    { _id: 'd1', conversationId: 'd1' },
    { d1: { name: 'Loom', contactId: { name: 'Eve' } } },
  )
  await client.call('createDeal', { body: {} })
  await expect(client.call('createQuote', { body: { dealId: 'd1' } })).rejects.toThrow(refused)
})

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
    await expect(client.call('listTemplates')).rejects.toThrow('stopped after 3 responses with 5xx')
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
