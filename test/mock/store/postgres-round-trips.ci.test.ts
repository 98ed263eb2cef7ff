import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import type { SandboxOptions } from '../../../mock/create-sandbox.ts'
import { type Call, callerOf, type ApiResponse, twoTeams } from '../helpers.ts'
import { namedStores } from './helpers.ts'
import { startSandbox } from '../../for-one-test.ts'
import { longestWait } from '../../longest-wait.ts'

const postgres = namedStores.filter(({ store }) => store === 'PostgreSQL')

const times = <Item>(count: number, make: (at: number) => Item) => Array.from({ length: count }, (_, at) => make(at))
const phone = (at: number) => `+1415555${String(at).padStart(4, '0')}`
const person = (at: number) => ({
  ...{ firstName: 'Ada', lastName: 'Lovelace', email: `ada.${at}@example.com`, phone: phone(at) },
})
const chat = { channel: 'chat', content: 'Hello', to: phone(1) } as const
const sms = { ...chat, channel: 'sms', providerId: 'sms-provider' } as const
const whatsapp = { ...chat, channel: 'whatsapp', providerId: 'whatsapp-provider' } as const
const email = { channel: 'email', content: 'Hello', subject: 'News', providerId: 'email-provider' } as const
const list = { query: { page: 1, limit: 10, types: ['sms'], statuses: ['approved'] } }

const query = vi.spyOn(pg.Client.prototype, 'query')

const sent = () => query.mock.calls.map(([given]) => (given as unknown as { readonly text: string }).text)

/** The smallest number of round trips in three attempts, since background work sometimes sends a statement during one. */
async function count(ask: (attempt: number) => Promise<ApiResponse | object>): Promise<number> {
  const counts: number[] = []
  for (const attempt of [1, 2, 3]) {
    query.mockClear()
    const { status = 200 } = (await ask(attempt)) as Partial<ApiResponse>
    expect(status).toBeLessThan(300)
    counts.push(sent().filter((text) => !text.includes('min(due_at)')).length)
  }
  return Math.min(...counts)
}

const created = async (call: Call, contacts: readonly object[]) => {
  const response = await Promise.all(contacts.map((body) => call('createContact', { body })))
  return response.map(({ body }) => body.data._id as string)
}

describe.each(postgres)('on $store', ({ place }) => {
  const open = async (options?: Partial<SandboxOptions>) => {
    const sandbox = await startSandbox({ world: twoTeams, ...options, store: await place() })
    return { sandbox, call: callerOf(sandbox) }
  }

  it('a read takes one round trip, a create two, a send three, and one more with a key', async () => {
    const { call } = await open()
    const [contactId = '', ...others] = await created(call, times(4, person))
    const { body } = await call('createConversation', { body: { contactId } })
    const path = { conversationId: body.data._id as string }
    for (const contactId of others) await call('createConversation', { body: { contactId } })
    await call('sendMessage', { body: sms })
    const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
    expect({
      create: await count((attempt) => call('createContact', { body: person(10 + attempt) })),
      upsert: await count((attempt) => call('createOrUpdateContact', { body: { ...person(1), source: `${attempt}` } })),
      update: await count((attempt) => call('updateContact', { path: { contactId }, body: { source: `${attempt}` } })),
      deleteContact: await count((attempt) =>
        call('deleteContact', { path: { contactId: others[attempt - 1] ?? '' } }),
      ),
      getConversation: await count(() => call('getConversation', { path })),
      listMessages: await count(() => call('listMessages', { path, query: { limit: 10 } })),
      listTemplates: await count(() => call('listTemplates', list)),
      sendChat: await count(() => call('sendLiveMessage', { body: chat })),
      sendSms: await count(() => call('sendMessage', { body: sms })),
      sendToStranger: await count((attempt) => call('sendMessage', { body: { ...sms, to: phone(20 + attempt) } })),
      sendEmail: await count(() => call('sendEmailMessage', { body: { ...email, to: person(0).email } })),
      sendWhatsapp: await count(() => call('sendMessage', { body: whatsapp })),
      sendInConversation: await count(() => call('sendMessage', { body: { ...whatsapp, to: undefined, ...path } })),
      createWithKey: await count((attempt) =>
        call('createContact', { body: person(30 + attempt), ...keyed(`a ${attempt}`) }),
      ),
      sendWithKey: await count((attempt) => call('sendMessage', { body: sms, ...keyed(`b ${attempt}`) })),
    }).toEqual({
      ...{ create: 2, upsert: 2, update: 2, deleteContact: 3, getConversation: 1, listMessages: 1, listTemplates: 1 },
      ...{ sendChat: 3, sendSms: 3, sendToStranger: 3, sendEmail: 3, sendWhatsapp: 3, sendInConversation: 3 },
      ...{ createWithKey: 3, sendWithKey: 4 },
    })
  })

  it('an idle server sends one statement, over and over', async () => {
    await open()
    await expect
      .poll(() => sent().slice(-10), { timeout: longestWait })
      .toEqual(Array<unknown>(10).fill(expect.stringContaining('min(due_at)')))
  })

  it.each([
    {
      what: 'an e-mail',
      prepare: async (size: number) => {
        const { call } = await open()
        const recipientIds = await created(call, times(size, person))
        return () => call('sendEmailMessage', { body: { ...email, recipientIds } })
      },
    },
    {
      what: 'a bulk send to strangers',
      prepare: async (size: number) => {
        const { call } = await open({ assume: { bulkDelivery: 'onRelease' } })
        return () => call('sendBulkMessages', { body: { ...sms, to: times(size, phone).join() } })
      },
    },
    {
      what: 'the delivery of a bulk send to strangers by SMS',
      prepare: async (size: number) => {
        const { sandbox, call } = await open({ assume: { bulkDelivery: 'afterDelay:60000' } })
        await sandbox.clock.freeze()
        for (const from of [0, 1000, 2000]) {
          await call('sendBulkMessages', { body: { ...sms, to: times(size, (at) => phone(from + at)).join() } })
          await sandbox.clock.advance('10s')
        }
        await sandbox.clock.advance('30s')
        return () => sandbox.clock.advance('10s')
      },
    },
    {
      what: 'the delivery of a bulk send to contacts by WhatsApp',
      prepare: async (size: number) => {
        const { sandbox, call } = await open({ assume: { bulkDelivery: 'afterDelay:60000' } })
        await created(call, times(size, person))
        await sandbox.clock.freeze()
        return async () => {
          await call('sendBulkMessages', { body: { ...whatsapp, to: times(size, phone).join() } })
          query.mockClear()
          return sandbox.clock.advance('1m')
        }
      },
    },
    {
      what: 'a deletion of contacts with conversations',
      prepare: async (size: number) => {
        const { call } = await open()
        for (const attempt of [1, 2, 3]) {
          const ids = await created(
            call,
            times(size, () => ({ ...person(0), email: `${attempt}@example.com` })),
          )
          await Promise.all(ids.map((contactId) => call('createConversation', { body: { contactId } })))
        }
        return (attempt: number) => call('deleteContactsByEmail', { query: { email: `${attempt}@example.com` } })
      },
    },
    {
      what: 'a company with contacts',
      prepare: async (size: number) => {
        const { call } = await open()
        const contacts = await created(call, times(size, person))
        return () => call('createCompany', { body: { name: 'Analytical Engines', contacts } })
      },
    },
  ])('$what needs no more round trips for 40 than for 2', async ({ prepare }) => {
    const counts: number[] = []
    for (const size of [2, 40]) counts.push(await count(await prepare(size)))
    const [few = 0, many] = counts
    // Work in the background may take a few more.
    expect(many).toBeLessThan(few + 10)
  })
})
