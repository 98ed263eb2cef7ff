import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../spec/types.ts'
import type { Input } from '../../client/request.ts'
import { clientOf } from './server-of-records.ts'

const company = { body: { name: 'Difference & Sons' } }
const at = (companyId: string) => ({ path: { companyId }, body: { domain: 'x.example.com' } })
const chat = (conversationId: string) => ({ body: { channel: 'chat', content: 'Hello', conversationId } })
const grace = { _id: 'p1', email: 'grace@customers.example', phone: '+493012345678' }

describe('Whose a record is', () => {
  it('is not learned from what another team is shown', async () => {
    const { client } = await clientOf((run) => ({
      created: [{ _id: 'c1', name: run }],
      shown: { c1: ({ headers }) => ({ name: headers['x-api-key'] === undefined ? run : 'Babbage & Sons' }) },
    }))
    await client.call('createCompany', company)
    await client.call('updateCompany', { path: { companyId: 'c1' }, body: {}, caller: 'nobody' })
    await expect(client.call('deleteCompany', at('c1'))).rejects.toThrow('the id of another one')
  })

  it('is not learned from a refusal, whatever stands in it', async () => {
    const { client } = await clientOf((run) => ({
      created: [{ _id: 'c1' }],
      shown: { c1: { status: 400, data: { name: run } } },
    }))
    await client.call('createCompany', company)
    await expect(client.call('deleteCompany', at('c1'))).rejects.toThrow('nothing shows that the run made')
  })

  it('is not asked of an id that came with a refusal', async () => {
    const { client, asked } = await clientOf(() => ({ created: [{ status: 400, data: { _id: 'c1' } }], shown: {} }))
    await client.call('createCompany', company)
    await client.call('deleteCompany', at('c1'))
    expect(asked()).toEqual(['POST create', 'DELETE c1'])
    expect(client.made('company', 'team')).toEqual([])
  })

  it('is told by the number of the contact in a conversation, where the create showed it', async () => {
    const contact = { _id: 'p1', phoneNumber: '' }
    const { client, mint } = await clientOf(() => ({ created: [{ _id: 'v1', contactId: contact }], shown: {} }))
    contact.phoneNumber = mint.phone()
    await client.call('findOrCreateConversation', { body: { phone: contact.phoneNumber } })
    expect((await client.call('sendLiveMessage', chat('v1'))).status).toBe(200)
  })

  it('is not told by the name of the contact in a conversation', async () => {
    const contact = { _id: 'p1', name: 'Grace Hopper', phoneNumber: '' }
    const { client, mint } = await clientOf(() => ({
      created: [{ _id: 'v1', contactId: { _id: 'p1' } }],
      shown: { v1: { _id: 'v1', contactId: contact } },
    }))
    contact.phoneNumber = mint.phone()
    await client.call('findOrCreateConversation', { body: { phone: contact.phoneNumber } })
    expect((await client.call('sendLiveMessage', chat('v1'))).status).toBe(200)
  })

  it('is not learned from a history', async () => {
    const { client } = await clientOf((run) => ({
      created: [{ _id: 'v1' }],
      shown: { v1: ({ url = '' }) => (url.includes('page') ? [] : { contactId: { email: run } }) },
    }))
    await client.call('createConversation', { body: { contactId: 'unknown' } })
    await client.call('listMessages', { path: { conversationId: 'v1' }, query: { page: 1, limit: 10 } })
    expect((await client.call('sendLiveMessage', chat('v1'))).status).toBe(200)
  })

  it('is asked for again after a deletion that found nothing', async () => {
    const { client } = await clientOf((run) => ({ created: [{ _id: 'c1', name: run }], shown: { c1: 404 } }))
    await client.call('createCompany', company)
    await client.call('deleteCompany', at('c1'))
    await expect(client.call('deleteCompany', { ...at('c1'), caller: 'nobody' })).rejects.toThrow(
      'does not know the id',
    )
  })

  it('no longer matters once it is deleted', async () => {
    let isDeleted = false
    const { client } = await clientOf((run) => ({
      created: [{ _id: 'c1', name: run }],
      shown: {
        c1: ({ method }) => {
          if (isDeleted) return 404
          isDeleted = method === 'DELETE'
          return { name: run }
        },
      },
    }))
    await client.call('createCompany', company)
    await client.call('deleteCompany', at('c1'))
    expect((await client.call('deleteCompany', { ...at('c1'), caller: 'nobody' })).status).toBe(404)
  })

  it.each<[OperationId, Input]>([
    ['createContact', { body: { firstName: 'Grace', email: 'grace@customers.example' } }],
    ['createCompany', { body: { name: 'Eckert & Mauchly', phone: '+493012345678' } }],
  ])('must be known after a %s with the address of somebody else', async (operation, input) => {
    const { client } = await clientOf((run) => ({
      created: [{ _id: 'p1', firstName: run, name: run }],
      shown: { p1: { ...grace, name: 'Eckert & Mauchly' } },
    }))
    await client.call(operation, input)
    const [deletion, path] =
      operation === 'createContact'
        ? (['deleteContact', { contactId: 'p1' }] as const)
        : (['deleteCompany', { companyId: 'p1' }] as const)
    await expect(client.call(deletion, { path })).rejects.toThrow('the id of another one')
  })

  it('does not matter for those whom the operator named, nor for their conversations', async () => {
    const { client } = await clientOf(() => ({
      created: [{ _id: 'v1', contactId: 'p1' }, { _id: 'v2' }],
      shown: { v1: { contactId: grace }, v2: { contactId: grace }, p1: grace },
    }))
    await client.call('findOrCreateConversation', { body: { email: 'grace@customers.example' } })
    await client.call('createConversation', { body: { contactId: 'p1' } })
    for (const id of ['v1', 'v2']) expect((await client.call('sendLiveMessage', chat(id))).status).toBe(200)
  })

  it.each<[OperationId, object]>([
    ['sendLiveMessage', { channel: 'chat', content: 'Hello', recipientId: 'p1' }],
    ['sendMessage', { channel: 'sms', content: 'Hello', recipientId: 'p1' }],
    ['sendEmailMessage', { subject: 'Hello', content: 'Hello', recipientIds: ['p1'] }],
  ])('must be known before a %s to it', async (operation, body) => {
    const { client } = await clientOf((run) => ({ created: [{ _id: 'p1', email: run }], shown: { p1: grace } }))
    await client.call('createContact', { body: { firstName: 'Ada' } })
    await expect(client.call(operation, { body })).rejects.toThrow('the id of another one')
  })

  it.each([
    ['has a name that the server gave it', {}, { name: 'Quote 7' }],
    ['shows only the id of its deal', {}, {}],
  ])('is known of a quote of an own deal that %s', async (_, sent, shown) => {
    const { client } = await clientOf((run) => ({
      created: [
        { _id: 'd1', name: run },
        { _id: 'q1', dealId: 'd1', ...shown },
      ],
      shown: { d1: { name: run }, q1: shown },
    }))
    await client.call('createDeal', { body: { name: 'Mill', pipeline: 'sales', stage: 'talking' } })
    await client.call('createQuote', { body: { dealId: 'd1', ...sent } })
    expect((await client.call('deleteQuote', { path: { quoteId: 'q1' } })).status).toBe(200)
  })

  it.each([
    ['as it was sent', (phone: string) => phone],
    ['without its plus sign', (phone: string) => phone.slice(1)],
    ['without its country', (phone: string) => phone.replace(/^\+(1|44)/, '0')],
    ['with spaces', (phone: string) => phone.replace(/(\d{3})/g, '$1 ')],
  ])('is known of a contact that shows a number of the run %s', async (_, show) => {
    const phones: string[] = []
    const { client, mint } = await clientOf(() => ({
      created: [{ _id: 'p1' }],
      shown: { p1: () => ({ phone: show(phones[0] ?? '') }) },
    }))
    const phone = mint.phone()
    phones.push(phone)
    await client.call('createContact', { body: { firstName: 'Ada', phone } })
    expect((await client.call('deleteContact', { path: { contactId: 'p1' } })).status).toBe(200)
  })

  it('is told by a number of nobody in the run, and by no other field of it', async () => {
    const { client, mint } = await clientOf((run) => ({
      created: [{ _id: 'p1', firstName: run }],
      shown: { p1: () => ({ phone: '+493012345678', note: mint.phone() }) },
    }))
    await client.call('createContact', { body: { firstName: 'Ada' } })
    await expect(client.call('deleteContact', { path: { contactId: 'p1' } })).rejects.toThrow('the id of another one')
  })
})
