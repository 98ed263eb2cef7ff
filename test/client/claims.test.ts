import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../spec/types.ts'
import { key } from './harness.ts'
import { clientOf } from './server-of-records.ts'

const older = { _id: 'c1', name: 'Babbage & Sons' }
const company = { body: { name: 'Difference & Sons' } }
const at = (companyId: string) => ({ path: { companyId }, body: { domain: 'x.example.com' } })

describe('A record whose id an answer gave', () => {
  it('and that shows another name is neither changed nor deleted', async () => {
    const { client, written, asked } = await clientOf((run) => ({
      created: [{ _id: 'c1', name: run }],
      shown: { c1: older },
    }))
    await client.call('createCompany', company)
    for (const operation of ['updateCompany', 'deleteCompany'] as const)
      await expect(client.call(operation, at('c1'))).rejects.toThrow('the id of another one')
    expect(asked()).toEqual(['POST create', 'PUT c1'])
    expect(written.at(-1)).toEqual({ foreign: '1', id: 'c1' })
  })

  it.each([
    ['shows the mark of the run', (run: string) => ({ name: run })],
    ['shows nothing', () => ({})],
    ['refuses to show anything', () => 400 as const],
  ])('is changed when the create showed the mark, and it %s', async (_, show) => {
    const { client, asked } = await clientOf((run) => ({
      created: [{ _id: 'c1', name: run }],
      shown: { c1: show(run) },
    }))
    await client.call('createCompany', company)
    await client.call('updateCompany', at('c1'))
    await client.call('deleteCompany', at('c1'))
    expect(asked()).toEqual(['POST create', 'PUT c1', 'PUT c1', 'DELETE c1'])
  })

  it('is another than one that was only looked at, as a ledger is cleaned', async () => {
    const { client, asked } = await clientOf(() => ({ created: [], shown: { q1: { _id: 'q1', name: 'Quote' } } }))
    await client.call('updateQuote', { path: { quoteId: 'q1' }, body: {} })
    await client.call('deleteQuote', { path: { quoteId: 'q1' } })
    expect(asked()).toEqual(['PUT q1', 'DELETE q1'])
  })

  it('alone is changed when it shows the mark of the run', async () => {
    const { client, written } = await clientOf((run) => ({ created: [{ _id: 'c1' }], shown: { c1: { name: run } } }))
    await client.call('createCompany', company)
    await client.call('deleteCompany', at('c1'))
    expect(written.at(-1)).toEqual({ own: '1' })
  })

  it('alone is not touched when nothing shows whose it is', async () => {
    const { client, asked } = await clientOf(() => ({ created: [{ _id: 'c1' }], shown: {} }))
    await client.call('createCompany', company)
    await expect(client.call('deleteCompany', at('c1'))).rejects.toThrow('nothing shows that the run made')
    expect(asked()).toEqual(['POST create', 'PUT c1'])
  })

  it('is believed no more from a server that has given a wrong one', async () => {
    const { client } = await clientOf((run) => ({
      created: [
        { _id: 'c1', name: run },
        { _id: 'c2', name: run },
      ],
      shown: { c1: older },
    }))
    await client.call('createCompany', company)
    await client.call('createCompany', company)
    await expect(client.call('deleteCompany', at('c1'))).rejects.toThrow('the id of another one')
    await expect(client.call('deleteCompany', at('c2'))).rejects.toThrow('nothing shows that the run made')
  })

  it('is asked for by nobody else when its maker cannot find it', async () => {
    const { client, asked } = await clientOf((run) => ({ created: [{ _id: 'c1', name: run }], shown: { c1: 404 } }))
    await client.call('createCompany', company)
    await client.call('updateCompany', at('c1'))
    await expect(client.call('deleteCompany', { ...at('c1'), caller: 'nobody' })).rejects.toThrow(
      'does not know the id',
    )
    expect(asked()).not.toContain('DELETE c1')
  })

  it.each<[OperationId, (id: string) => object]>([
    ['sendLiveMessage', (conversationId) => ({ channel: 'chat', content: 'Hello', conversationId })],
    ['sendLiveMessage', (contactId) => ({ channel: 'chat', content: 'Hello', contactId })],
    ['createQuote', (dealId) => ({ dealId })],
    ['createConversation', (contactId) => ({ contactId })],
  ])('gets no %s when it is an older one', async (operation, bodyFor) => {
    const grace = { _id: 'p1', email: 'grace@customers.example', phone: '+12025550110' }
    const { client, mint, asked } = await clientOf((run) => ({
      created: [
        { _id: 'v1', contactId: { _id: 'p1', email: run } },
        { _id: 'd1', name: run },
      ],
      shown: { v1: { _id: 'v1', contactId: grace }, p1: grace, d1: { name: 'Engine' } },
    }))
    await client.call('findOrCreateConversation', { body: { email: mint.email() } })
    await client.call('createDeal', { body: { name: 'Mill', pipeline: 'sales', stage: 'talking' } })
    const before = asked().length
    const id = operation === 'createQuote' ? 'd1' : bodyFor.toString().includes('conversationId') ? 'v1' : 'p1'
    await expect(client.call(operation, { body: bodyFor(id) })).rejects.toThrow('the id of another one')
    expect(asked().length).toBe(before + 1)
  })

  it('is looked at again when the first look got no answer', async () => {
    let looks = 0
    const { client, asked } = await clientOf((run) => ({
      created: [{ _id: 'c1', name: run }],
      shown: {
        c1: ({ socket }) => {
          if (++looks === 1) socket.destroy()
          return { name: run }
        },
      },
    }))
    await client.call('createCompany', company)
    await expect(client.call('deleteCompany', at('c1'))).rejects.toThrow('the connection was closed')
    expect((await client.call('deleteCompany', at('c1'))).status).toBe(200)
    expect(asked()).toEqual(['POST create', 'PUT c1', 'PUT c1', 'DELETE c1'])
  })

  it('is told as made, to the caller who got it, until it is deleted', async () => {
    const { client } = await clientOf((run) => ({
      created: ['c1', 'c2', 'c3'].map((_id) => ({ _id, name: run })),
      shown: { c1: { name: run } },
    }))
    await client.call('createCompany', company)
    await client.call('createCompany', { ...company, caller: 'nobody' })
    await client.call('createCompany', company)
    expect(client.made('company', 'team')).toEqual(['c1', 'c3'])
    expect(client.made('deal', 'team')).toEqual([])
    await client.call('deleteCompany', at('c1'))
    expect(client.made('company', 'team')).toEqual(['c3'])
  })

  it('and that shows a credential is not written down', async () => {
    const { client, written } = await clientOf((run) => ({
      created: [{ _id: `id-${key.slice(2, 14)}`, name: run }],
      shown: {},
    }))
    await client.call('createCompany', company)
    expect(written.slice(1)).toEqual([{ answered: '1', queued: false }])
  })
})
