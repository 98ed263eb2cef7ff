import { describe, expect, it, vi, afterEach } from 'vitest'
import { openSandbox, twoTeams, callerOf, type Call } from './helpers.ts'
import { join } from 'node:path'
import type { World } from '../../fixtures/world.ts'
import { createSandbox } from '../../mock/create-sandbox.ts'
import { newFolder, startSandbox } from '../for-one-test.ts'
import { idOf } from './requests.ts'

const ada = 'ada@example.com'

const grace = 'grace@example.com'

const news = {
  to: ada,
  channel: 'email',
  subject: 'News',
  content: 'We open at nine',
  providerId: 'email-provider',
}

const sms = { to: '+14155550123', channel: 'sms', content: 'We open at nine', providerId: 'sms-provider' }

const whatsapp = { ...sms, channel: 'whatsapp', providerId: 'whatsapp-provider' }

interface Message {
  readonly content: string
  readonly subject?: string
  readonly channel: string
}

const send = (call: Call, body: object = news, headers = {}) => call('sendBulkMessages', { body, headers })

/** The messages to the contact with the address, oldest first. */
async function heardBy(call: Call, address: string, key = 'acme-key'): Promise<Message[]> {
  const body = address.includes('@') ? { email: address } : { phone: address }
  const { body: found } = await call('findOrCreateConversation', { body, key })
  const path = { conversationId: found.data._id as string }
  const { body: history } = await call('listMessages', { path, query: { limit: 100 }, key })
  return (history.data as { messages: Message[] }[]).flatMap(({ messages }) => messages).reverse()
}

const textsHeardBy = async (call: Call, address: string) => (await heardBy(call, address)).map(({ content }) => content)

const templateOf = async (call: Call, body: object): Promise<string> =>
  (await call('createTemplate', { body: { name: 'T', uniqueName: 'template', ...body } })).body.data._id

const ofWhatsapp = {
  templateType: 'whatsapp',
  content: 'Order {{1}} has left',
  category: 'UTILITY',
  language: 'en',
  provider: 'whatsapp-provider',
}

describe('a bulk send', () => {
  it.each([
    [ada, '1 message queued'],
    [`${ada}, ${grace}`, '2 messages queued'],
  ])('to %s answers with a message and no data', async (to, message) => {
    const { call } = await openSandbox()
    const { status, body } = await send(call, { ...news, to, providerId: 'hello@acme.example.com' })
    expect([status, body]).toEqual([200, { success: true, message }])
  })

  it('sends each contact one message with its own values, in its one conversation', async () => {
    const { call } = await openSandbox()
    await call('createContact', { body: { firstName: 'Ada', lastName: 'Lovelace', email: ada } })
    const merged = { subject: 'News for {{firstName}}', content: 'Dear {{contact.firstName}}' }
    await send(call, { ...news, ...merged, to: `${ada},${grace}` })
    expect(await heardBy(call, ada)).toMatchObject([{ channel: 'email', subject: 'News for Ada', content: 'Dear Ada' }])
    expect(await heardBy(call, grace)).toMatchObject([{ content: `Dear ${grace}` }])
  })

  it('fills in an approved WhatsApp template', async () => {
    const { call } = await openSandbox({ assume: { whatsappApproval: 'atOnce' } })
    const templateId = await templateOf(call, ofWhatsapp)
    await send(call, { ...whatsapp, templateId, bodyParameters: [{ type: 'text', text: '42' }] })
    expect(await textsHeardBy(call, sms.to)).toEqual(['Order 42 has left'])
  })

  it('is sent once when its Idempotency-Key is repeated', async () => {
    const { call } = await openSandbox()
    for (let times = 0; times < 3; times++) await send(call, news, { 'idempotency-key': 'once' })
    expect(await heardBy(call, ada)).toHaveLength(1)
    expect(await heardBy(call, ada, 'globex-key')).toEqual([])
  })

  it('keeps every field of the request in its messages', async () => {
    const { call } = await openSandbox({ assume: { messageFields: 'allSent' } })
    const more = { preheader: 'For {{email}}', source: 'Spring', attachments: [{ anything: 1 }] }
    await send(call, { ...news, ...more })
    expect(await heardBy(call, ada)).toMatchObject([{ ...more, preheader: `For ${ada}`, providerId: 'email-provider' }])
  })

  it.each([
    ['none', 200, 1],
    ['atMost:2', 200, 1],
    ['atMost:1', 400, 0],
  ] as const)(
    'with bulkRecipientLimit=%s to two contacts is answered %i',
    async (bulkRecipientLimit, status, count) => {
      const { call } = await openSandbox({ assume: { bulkRecipientLimit } })
      const told = await send(call, { ...news, to: `${ada},${grace}` })
      expect([told.status, told.assumed]).toEqual([status, expect.arrayContaining(['bulkRecipientLimit'])])
      expect(await heardBy(call, ada)).toHaveLength(count)
      expect((await send(call)).assumed).not.toContain('bulkRecipientLimit')
    },
  )

  it('does not rely on bulkRecipientLimit when it is refused because of its provider', async () => {
    const { call } = await openSandbox()
    const { status, assumed } = await send(call, { ...news, to: `${ada},${grace}`, providerId: 'nobody' })
    expect([status, assumed]).toEqual([400, ['unknownProvider', 'badRequestMessage']])
  })

  it('skips an address that several contacts have when severalMatches=refused', async () => {
    const { call } = await openSandbox({ assume: { severalMatches: 'refused' } })
    for (const firstName of ['Ada', 'Augusta']) {
      await call('createContact', { body: { firstName, lastName: 'Lovelace', email: ada } })
    }
    await send(call, { ...news, to: `${ada},${grace}` })
    expect(await heardBy(call, grace)).toHaveLength(1)
  })
})

it('bulkRecipientLimit counts the receivers of an e-mail', async () => {
  const { call } = await openSandbox({ assume: { bulkRecipientLimit: 'atMost:2' } })
  const people = ['ada', 'grace', 'joan'].map((name) => ({
    firstName: name,
    lastName: 'x',
    email: `${name}@example.com`,
  }))
  const recipientIds = await Promise.all(people.map((body) => idOf(call('createContact', { body }))))
  const { to, ...email } = news
  const counts = [1, 2, 3].map(async (count) => {
    const body = { ...email, recipientIds: recipientIds.slice(0, count) }
    const { status, assumed } = await call('sendEmailMessage', { body })
    return [status, assumed.includes('bulkRecipientLimit')]
  })
  expect(await Promise.all(counts)).toEqual([
    [200, false],
    [200, true],
    [400, true],
  ])
})

const email = { channel: 'email', subject: 'News', content: 'We open at nine', providerId: 'email-provider' }
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `+1415${String(5_550_000 + at)}`)
const long = 'x'.repeat(100_000)

const isSent = (world: { teams: readonly { bulkSends?: readonly unknown[] }[] }) => !world.teams[0]?.bulkSends

describe('the text of a bulk send', () => {
  it('is shown by each of its messages', async () => {
    const { call, sandbox } = await openSandbox({ assume: { messageFields: 'allSent' } })
    await send(call, { ...email, content: long, preheader: 'Soon', to: addresses(500).join(',') })
    await expect.poll(async () => isSent(await sandbox.world())).toBe(true)
    const { messages } = (await sandbox.world()).teams[0] ?? {}
    expect(messages).toHaveLength(500)
    expect(messages?.every(({ content }) => content === long)).toBe(true)
    const { body } = await call('findOrCreateConversation', { body: { email: 'person499@example.com' } })
    const history = await call('listMessages', { path: { conversationId: body.data._id as string } })
    const [message] = (history.body.data as { messages: object[] }[])[0]?.messages ?? []
    expect(message).toMatchObject({ ...email, content: long, preheader: 'Soon', to: 'person499@example.com' })
  })
})

describe('a long text to many recipients', () => {
  it.each([
    ['with merge fields, more than 64 MiB in all', 'Dear {{firstName}}', 100_000, 700, 400],
    ['with merge fields, less than that', 'Dear {{firstName}}', 100_000, 600, 200],
    ['without merge fields, more than 1 GiB in all', '', 500_000, 2_200, 400],
    ['without merge fields, less than that', '', 500_000, 2_100, 200],
  ])('is accepted up to a volume: %s', async (_, dear, length, recipients, status) => {
    const { call, sandbox } = await openSandbox({ assume: { bulkDelivery: 'onRelease' } })
    const content = dear.padEnd(length, '.')
    const answer = await send(call, { ...sms, content, to: numbers(recipients).join(',') })
    expect(answer.status).toBe(status)
    if (status === 400) {
      expect(answer.body.message).toMatch(/^to must name at most \d+ recipients of a message of \d+ characters/)
      expect(await sandbox.world()).toEqual(twoTeams)
    }
  })

  it('is refused in a single e-mail too', async () => {
    const contacts = addresses(1_000).map((address, at) => ({
      _id: `c${at}`,
      firstName: 'A',
      lastName: 'B',
      email: address,
      createdAt: '2026-03-01T09:30:00.000Z',
    }))
    const world = { teams: twoTeams.teams.map((team) => ({ ...team, contacts })) } as unknown as typeof twoTeams
    const { call } = await openSandbox({ world })
    const recipientIds = contacts.map(({ _id }) => _id)
    const { status, body } = await call('sendEmailMessage', { body: { ...email, content: long, recipientIds } })
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^recipientIds must name at most \d+ /)])
  })
})

const minute = 60_000

const day = 24 * 60 * minute

const addresses = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.com`)

afterEach(() => vi.useRealTimers())

/** Fakes the clock and the timers of the sandbox, but not the timers of the network. */
function holdTime(now: string) {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
}

describe('when a bulk send happens', () => {
  const count = async (call: Call) => (await heardBy(call, ada)).length

  it.each([
    ['atOnce', [1, 1, 1]],
    ['afterDelay:60000', [0, 1, 1]],
    ['onRelease', [0, 0, 1]],
  ] as const)('bulkDelivery=%s: sends %j messages at once, after a minute, and when released', async (choice, seen) => {
    holdTime('2026-03-01T09:30:00Z')
    const { sandbox, call } = await openSandbox({ assume: { bulkDelivery: choice } })
    expect((await send(call)).assumed).toContain('bulkDelivery')
    const counts = [await count(call)]
    await vi.advanceTimersByTimeAsync(minute)
    counts.push(await count(call))
    await sandbox.bulkSends.release()
    await vi.advanceTimersByTimeAsync(0)
    counts.push(await count(call))
    expect(counts).toEqual(seen)
  })

  it('is no assumption of a send that is refused', async () => {
    const { call } = await openSandbox({ assume: { bulkRecipientLimit: 'atMost:1', scheduleInPast: 'refused' } })
    const late = { scheduleType: 'scheduled', scheduleTime: { date: '2020-01-31', time: '09:00' } }
    for (const body of [
      { ...news, ...late, to: ada },
      { ...news, to: `${ada},${grace}` },
    ]) {
      const { status, assumed } = await call('sendBulkMessages', { body })
      expect([status, assumed]).toEqual([400, expect.not.arrayContaining(['bulkDelivery'])])
    }
  })

  it('names in its response what the delivery assumes about the contacts', async () => {
    const { call } = await openSandbox()
    const assumed = expect.arrayContaining(['nameOfNewContact', 'newContactStatus', 'newContactLifecycle']) as string[]
    expect((await send(call)).assumed).toEqual(assumed)
    expect((await send(call)).assumed).not.toContain('nameOfNewContact')
  })

  const [field, nothing] = ['Dear {{firstName}}', 'Dear {{pigeon}}']

  it.each<[fields: object, about: readonly string[]]>([
    [{}, []],
    [{ content: field }, ['mergeFields', 'mergeFieldPaths']],
    [{ content: nothing }, ['mergeFields', 'unknownMergeField']],
    [{ subject: field }, ['mergeFieldsInSubject', 'mergeFieldPaths']],
    [{ preheader: nothing }, ['mergeFieldsInSubject', 'unknownMergeField']],
  ])('with %j names in its response what the delivery assumes about merge fields: %j', async (fields, about) => {
    const { call } = await openSandbox()
    const { assumed } = await send(call, { ...news, ...fields })
    expect(assumed.filter((name) => /mergeField/i.test(name))).toEqual(about)
  })

  it('with a merge field in a parameter names what its delivery assumes about it', async () => {
    const { sandbox, call } = await openSandbox()
    const templateId = await templateOf(call, ofWhatsapp)
    await sandbox.templates.approve(templateId, { teamId: 'acme' })
    const bodyParameters = [{ type: 'text', text: '{{firstName}}' }]
    const { assumed } = await send(call, { ...whatsapp, templateId, bodyParameters })
    expect(assumed.filter((name) => /mergeField/i.test(name))).toEqual(['mergeFieldPaths'])
  })

  const later = { scheduleType: 'scheduled', scheduleTime: { date: '2026-05-01', time: '09:00' } }

  it('waits for its time, even beyond the longest timer', async () => {
    holdTime('2026-03-01T09:00:00Z')
    const { call } = await openSandbox()
    await send(call, { ...news, ...later })
    await vi.advanceTimersByTimeAsync(61 * day - 1)
    expect(await count(call)).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(await count(call)).toBe(1)
  })

  it.each([
    ['utc', '2026-03-08', '03:30', '2026-03-08T03:30:00Z'],
    ['teamZone', '2026-03-07', '09:00', '2026-03-07T14:00:00Z'],
    ['teamZone', '2026-03-08', '03:30', '2026-03-08T07:30:00Z'], // the clocks were put forward an hour before
    ['teamZone', '2026-05-01', '09:00:30', '2026-05-01T13:00:30Z'],
  ] as const)('scheduleZone=%s: for a team in New York, %s %s is %s', async (choice, date, time, moment) => {
    holdTime('2026-03-01T09:00:00Z')
    const world: World = { teams: twoTeams.teams.map((team) => ({ ...team, timeZone: 'America/New_York' })) }
    const { call } = await openSandbox({ world, assume: { scheduleZone: choice } })
    const { assumed } = await send(call, { ...news, scheduleType: 'scheduled', scheduleTime: { date, time } })
    expect(assumed).toContain('scheduleZone')
    await vi.advanceTimersByTimeAsync(Date.parse(moment) - Date.now() - 1)
    expect(await count(call)).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(await count(call)).toBe(1)
  })

  it('waits to be released when its schedule cannot be parsed and scheduleForm=anyString', async () => {
    const { sandbox, call } = await openSandbox({ assume: { scheduleForm: 'anyString' } })
    await send(call, { ...news, scheduleType: 'scheduled', scheduleTime: { date: 'soon', time: 'noon' } })
    expect(await count(call)).toBe(0)
    await sandbox.bulkSends.release()
    expect(await count(call)).toBe(1)
  })

  it('is dropped by a reset', async () => {
    holdTime('2026-03-01T09:00:00Z')
    const { sandbox, call } = await openSandbox()
    await send(call, { ...news, ...later })
    await send(call, { ...news, to: [...addresses(5_000), ada].join(',') })
    await sandbox.reset()
    await vi.advanceTimersByTimeAsync(100 * day)
    expect(await count(call)).toBe(0)
  })
})

describe('a long bulk send', () => {
  const people = addresses(6_000)
  const last = people.at(-1) ?? ''
  const long = { ...news, to: people.join(',') }
  const arrived = (call: Call) => expect.poll(() => heardBy(call, last)).not.toEqual([])

  it('lets other requests run in between', async () => {
    const { call } = await openSandbox()
    await send(call, long)
    expect(await heardBy(call, last)).toEqual([])
    await call('sendBulkMessages', { body: news, key: 'globex-key' })
    expect(await heardBy(call, ada, 'globex-key')).toHaveLength(1)
    expect(await heardBy(call, last)).toEqual([])
    await arrived(call)
  })

  it('continues after a restart, and sends no message twice', async () => {
    const options = { world: twoTeams, store: `file:${join(newFolder(), 'world.yaml')}` }
    const first = await createSandbox(options)
    await send(callerOf(first), long)
    await first.close()
    const second = await startSandbox(options)
    const call = callerOf(second)
    await arrived(call)
    const { messages = [] } = (await second.world()).teams[0] ?? {}
    expect([messages.length, new Set(messages.map(({ contactId }) => contactId)).size]).toEqual([6_000, 6_000])
  })

  it('is sent at the start when the world holds it', async () => {
    const { to: _, ...message } = news
    const bulkSends = [{ _id: 'from-before', to: [ada], sendAt: '2020-01-01T00:00:00.000Z', message }]
    const world = { teams: twoTeams.teams.map((team) => ({ ...team, bulkSends })) } as World
    const { call } = await openSandbox({ world })
    await expect.poll(() => heardBy(call, ada)).toHaveLength(1)
  })
})
