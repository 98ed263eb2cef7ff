import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { createSandbox, type Sandbox } from '../../mock/create-sandbox.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { seeEachChoice } from './each-choice.ts'
import { type Call, callerOf, openSandbox, twoTeams } from './harness.ts'

const ada = 'ada@example.com'
const grace = 'grace@example.com'
const news = { to: ada, channel: 'email', subject: 'News', content: 'We open at nine', providerId: 'email-provider' }
const sms = { to: '+14155550123', channel: 'sms', content: 'We open at nine', providerId: 'sms-provider' }
const whatsapp = { ...sms, channel: 'whatsapp', providerId: 'whatsapp-provider' }
const minute = 60_000
const day = 24 * 60 * minute

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

const addresses = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.com`)

const templateOf = async (call: Call, body: object): Promise<string> =>
  (await call('createTemplate', { body: { name: 'T', uniqueName: 'template', ...body } })).body.data._id
const ofSms = { templateType: 'sms', content: 'From the template', provider: 'sms-provider' }
const ofWhatsapp = {
  templateType: 'whatsapp',
  content: 'Order {{1}} has left',
  category: 'UTILITY',
  language: 'en',
  provider: 'whatsapp-provider',
}

afterEach(() => {
  vi.useRealTimers()
})

/** Fakes the clock and the timers of the sandbox, and leaves those of the network alone. */
function holdTime(now: string) {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
}

describe('a bulk send', () => {
  it.each([
    [ada, '1 message queued'],
    [`${ada}, ${grace}`, '2 messages queued'],
  ])('to %s answers with a message and no data', async (to, message) => {
    const { call } = await openSandbox()
    const { status, body } = await send(call, { ...news, to })
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

  it.each([
    ['sms', sms],
    ['whatsapp', whatsapp],
  ])('can be sent by %s without a subject', async (channel, body) => {
    const { call } = await openSandbox()
    await send(call, { ...body, subject: 'News' })
    const [message] = await heardBy(call, sms.to)
    expect(message).toMatchObject({ channel, content: 'We open at nine' })
    expect(message).not.toHaveProperty('subject')
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
  })

  it('reaches no contact of another team', async () => {
    const { call } = await openSandbox()
    await send(call)
    expect(await heardBy(call, ada, 'globex-key')).toEqual([])
  })

  it.each([
    ['an e-mail without a subject', { subject: undefined }, 'subject'],
    ['a channel that it does not take', { channel: 'chat' }, 'channel'],
    ['a provider of another channel', { providerId: 'sms-provider' }, 'providerId'],
    ['the address of one of another channel', { providerId: '+14155550100' }, 'providerId'],
    ['an unlisted field', { colour: 'teal' }, 'colour'],
    ['no address', { to: ' , ' }, 'to must hold'],
    ['a schedule of another type', { scheduleType: 'someday' }, 'scheduleType'],
  ])('is refused with %s, and sends nothing', async (_, wrong, named) => {
    const { call } = await openSandbox()
    const { status, body } = await send(call, { ...news, ...wrong })
    expect([status, body.message]).toEqual([400, expect.stringContaining(named)])
    expect(await heardBy(call, ada)).toEqual([])
  })

  it('may name a provider by its address', async () => {
    const { call } = await openSandbox()
    expect((await send(call, { ...news, providerId: 'hello@acme.example.com' })).status).toBe(200)
  })

  it('keeps every field of the request in its messages', async () => {
    const { call } = await openSandbox({ assume: { messageFields: 'allSent' } })
    const more = { preheader: 'For {{email}}', source: 'Spring', attachments: [{ anything: 1 }] }
    await send(call, { ...news, ...more })
    expect(await heardBy(call, ada)).toMatchObject([{ ...more, preheader: `For ${ada}`, providerId: 'email-provider' }])
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

describe('what is assumed of bulk sends', () => {
  const answered = async (call: Call, wrong: object, to = ada) => {
    const told = await send(call, { ...news, ...wrong })
    return { told, seen: [told.status, (await heardBy(call, to)).length] }
  }
  const otherwise = (call: Call) => send(call)

  seeEachChoice({
    bulkToStranger: {
      story: (call) => answered(call, {}),
      shows: { contactCreated: [200, 1], skipped: [200, 0] },
      otherwise: (call) => call('sendBulkMessages', { body: {} }),
    },
    bulkBadRecipient: {
      story: (call) => answered(call, { to: `x,${ada}` }),
      shows: { refused: [400, 0], skipped: [200, 1] },
      otherwise,
    },
    bulkEmptyItem: {
      story: (call) => answered(call, { to: `${ada},` }),
      shows: { ignored: [200, 1], refused: [400, 0] },
      otherwise,
    },
    bulkDuplicates: {
      story: (call) => answered(call, { to: `${ada},${ada}` }),
      shows: { once: [200, 1], twice: [200, 2] },
      otherwise,
    },
    addressCompare: {
      story: (call) => answered(call, { to: `${ada},${ada.toUpperCase()}` }),
      shows: { ignoringCase: [200, 1], exact: [200, 1] },
      otherwise,
    },
    unknownProvider: {
      story: (call) => answered(call, { providerId: 'nobody' }),
      shows: { refused: [400, 0], accepted: [200, 1] },
      otherwise,
    },
    attachmentFields: {
      story: (call) => answered(call, { mediaUrl: 'ftp://example.com' }),
      shows: { refused: [400, 0], accepted: [200, 1] },
      otherwise,
    },
    mergeFields: {
      story: async (call) => {
        const told = await send(call, { ...news, content: 'Dear {{email}}' })
        return { told, seen: await textsHeardBy(call, ada) }
      },
      shows: { rendered: [`Dear ${ada}`], raw: ['Dear {{email}}'] },
      otherwise,
    },
    unknownMergeField: {
      story: async (call) => {
        const told = await send(call, { ...news, content: 'Dear {{pigeon}}' })
        return { told, seen: await textsHeardBy(call, ada) }
      },
      shows: { leftAsIs: ['Dear {{pigeon}}'], empty: ['Dear '] },
      otherwise,
    },
    mergeFieldsInSubject: {
      story: async (call) => {
        const told = await send(call, { ...news, subject: 'For {{email}}' })
        return { told, seen: (await heardBy(call, ada)).map(({ subject }) => subject) }
      },
      shows: { rendered: [`For ${ada}`], raw: ['For {{email}}'] },
      otherwise,
    },
    bulkWhatsappWithoutTemplate: {
      story: async (call) => {
        const told = await send(call, whatsapp)
        return { told, seen: [told.status, await textsHeardBy(call, sms.to)] }
      },
      shows: { accepted: [200, ['We open at nine']], refused: [400, []] },
      otherwise: (call) => send(call, sms),
    },
    templateInBulk: {
      story: async (call) => {
        const told = await send(call, { ...sms, templateId: await templateOf(call, ofSms) })
        return { told, seen: await textsHeardBy(call, sms.to) }
      },
      shows: { used: ['From the template'], ignored: ['We open at nine'] },
      otherwise: (call) => send(call, sms),
    },
    templateOfOtherType: {
      story: async (call) => {
        const told = await send(call, { ...whatsapp, templateId: await templateOf(call, ofSms) })
        return { told, seen: [told.status, await textsHeardBy(call, sms.to)] }
      },
      shows: { refused: [400, []], ignored: [200, ['We open at nine']] },
      otherwise: async (call) => send(call, { ...sms, templateId: await templateOf(call, ofSms) }),
    },
    unknownTemplate: {
      story: async (call) => {
        const told = await send(call, { ...whatsapp, templateId: '66f0a1b2c3d4e5f601234567' })
        return { told, seen: [told.status, await textsHeardBy(call, sms.to)] }
      },
      shows: { notFound: [404, []], badRequest: [400, []] },
      otherwise: (call) => send(call, whatsapp),
    },
    unapprovedTemplate: {
      story: async (call) => {
        const told = await send(call, { ...whatsapp, templateId: await templateOf(call, ofWhatsapp) })
        return { told, seen: [told.status, (await heardBy(call, sms.to)).length] }
      },
      shows: { refused: [400, 0], accepted: [200, 1] },
      otherwise: (call) => send(call, whatsapp),
    },
    missingParameters: {
      with: { unapprovedTemplate: 'accepted' },
      story: async (call) => {
        const told = await send(call, { ...whatsapp, templateId: await templateOf(call, ofWhatsapp) })
        return { told, seen: [told.status, await textsHeardBy(call, sms.to)] }
      },
      shows: { leftAsIs: [200, ['Order {{1}} has left']], refused: [400, []] },
      otherwise: (call) => send(call, whatsapp),
    },
    scheduleMissing: {
      story: (call) => answered(call, { scheduleType: 'scheduled', scheduleTime: { date: '2030-01-31' } }),
      shows: { refused: [400, 0], sendsNow: [200, 1] },
      otherwise,
    },
    scheduleForm: {
      story: (call) =>
        answered(call, { scheduleType: 'scheduled', scheduleTime: { date: '2030-02-30', time: '09:00' } }),
      shows: { isoDateAndTime: [400, 0], anyString: [200, 0] },
      otherwise,
    },
    scheduleInPast: {
      story: (call) =>
        answered(call, { scheduleType: 'scheduled', scheduleTime: { date: '2020-01-31', time: '09:00' } }),
      shows: { sendsNow: [200, 1], refused: [400, 0] },
      otherwise,
    },
    scheduleTypeMissing: {
      story: (call) => answered(call, { scheduleTime: { date: '9030-01-31', time: '09:00' } }),
      shows: { sendsNow: [200, 1], followsTime: [200, 0] },
      otherwise: (call) =>
        send(call, { ...news, scheduleType: 'now', scheduleTime: { date: '9030-01-31', time: '09:00' } }),
    },
  })

  it.each([
    ['none', [200, 1]],
    ['atMost:2', [200, 1]],
    ['atMost:1', [400, 0]],
  ] as const)('bulkRecipientLimit=%s: status and messages of a send to two contacts are %j', async (choice, seen) => {
    const { call } = await openSandbox({ assume: { bulkRecipientLimit: choice } })
    const { told, seen: what } = await answered(call, { to: `${ada},${grace}` })
    expect([what, told.assumed]).toEqual([seen, expect.arrayContaining(['bulkRecipientLimit'])])
    expect((await send(call)).assumed).not.toContain('bulkRecipientLimit')
  })
})

describe('when a bulk send happens', () => {
  const count = async (call: Call) => (await heardBy(call, ada)).length
  const release = async (sandbox: Sandbox) => {
    const answer = await sandbox.fetch('/_sandbox/bulk-sends/release', { method: 'POST' })
    expect(answer.status).toBe(200)
  }

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
    await release(sandbox)
    await vi.advanceTimersByTimeAsync(0)
    counts.push(await count(call))
    expect(counts).toEqual(seen)
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

  it('does not rely on scheduleZone when the team has no zone', async () => {
    const { call } = await openSandbox()
    expect((await send(call, { ...news, ...later })).assumed).not.toContain('scheduleZone')
  })

  it('waits to be released when its schedule cannot be parsed and scheduleForm=anyString', async () => {
    const { sandbox, call } = await openSandbox({ assume: { scheduleForm: 'anyString' } })
    await send(call, { ...news, scheduleType: 'scheduled', scheduleTime: { date: 'soon', time: 'noon' } })
    expect(await count(call)).toBe(0)
    await release(sandbox)
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
  const arrived = (call: Call) => vi.waitUntil(async () => (await heardBy(call, last)).length > 0, { timeout: 15_000 })

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
    const folder = await mkdtemp(join(tmpdir(), 'bulk-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const options = { world: twoTeams, store: `file:${join(folder, 'world.yaml')}` }
    const first = await createSandbox(options)
    await send(callerOf(first), long)
    await first.close()
    const second = await createSandbox(options)
    onTestFinished(() => second.close())
    const call = callerOf(second)
    await arrived(call)
    const counts = await Promise.all(people.map(async (address) => (await heardBy(call, address)).length))
    expect(new Set(counts)).toEqual(new Set([1]))
  })

  it('is sent at the start when the world holds it', async () => {
    const { to: _, ...message } = news
    const bulkSends = [{ _id: 'from-before', to: [ada], sendAt: '2020-01-01T00:00:00.000Z', message }]
    const world = { teams: twoTeams.teams.map((team) => ({ ...team, bulkSends })) } as World
    const { call } = await openSandbox({ world })
    await vi.waitUntil(async () => (await heardBy(call, ada)).length === 1, { timeout: 15_000 })
  })

  it.each([['longer than usual', 30_000, 'tenMiB']] as const)(
    'accepts a list that is %s: %i addresses',
    async (_, size, bodyLimit: NonNullable<WrittenChoices['bodyLimit']>) => {
      const { call } = await openSandbox({ assume: { bodyLimit } })
      const { body } = await send(call, { ...news, to: addresses(size).join(',') })
      expect(body.message).toBe(`${size} messages queued`)
    },
  )
})
