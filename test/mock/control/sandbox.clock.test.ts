import { describe, expect, it } from 'vitest'
import { control } from '../../../mock/testing/control-client.ts'
import type { SandboxOptions } from '../../../mock/create-sandbox.ts'
import { openSandbox, type ApiResponse } from '../helpers.ts'
import { itRefuses, type RefusedCall } from './refused.ts'
import { whatsapp } from '../template-requests.ts'
import { startSandbox, postAs } from '../../for-one-test.ts'

const begin = '2030-01-31T09:00:00.000Z'
const product = { name: 'Analytical Engine', unitPrice: 1 }
const dataIn = (response: ApiResponse) =>
  (response.body as { data: { _id: string; createdAt: string; status: string } }).data

/** A sandbox with a frozen clock. */
async function frozen(options: Partial<SandboxOptions> = {}) {
  const opened = await openSandbox(options)
  await opened.sandbox.clock.freeze(begin)
  return { ...opened, clock: opened.sandbox.clock }
}

describe('the clock', () => {
  it('is the time of the machine until it is set', async () => {
    const { sandbox } = await openSandbox()
    const { now, frozen } = await sandbox.clock.read()
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000)
    expect(frozen).toBe(false)
  })

  it('goes on from the time to which it is set', async () => {
    const base = { time: Date.parse('2026-01-01T00:00:00Z') }
    const { sandbox } = await openSandbox({ clock: { now: () => base.time } })
    expect(await sandbox.clock.set(begin)).toMatchObject({ now: begin, frozen: false })
    base.time += 60_000
    expect((await sandbox.clock.read()).now).toBe('2030-01-31T09:01:00.000Z')
    await sandbox.clock.set('2026-01-01')
    expect((await sandbox.clock.read()).now).toBe('2026-01-01T00:00:00.000Z')
    expect(await sandbox.clock.restart()).toMatchObject({ now: '2026-01-01T00:01:00.000Z' })
  })

  it('stands still while it is frozen, and goes on from there', async () => {
    const base = { time: 0 }
    const { sandbox } = await openSandbox({ clock: { now: () => base.time } })
    await sandbox.clock.freeze(begin)
    base.time += 60_000
    expect(await sandbox.clock.set({ frozen: true })).toMatchObject({ now: begin, frozen: true })
    await sandbox.clock.resume()
    base.time += 1_000
    expect(await sandbox.clock.read()).toMatchObject({ now: '2030-01-31T09:00:01.000Z', frozen: false })
  })

  it('takes a Date, here and over HTTP', async () => {
    const { sandbox } = await openSandbox({ port: 0 })
    for (const { clock } of [sandbox, control({ url: sandbox.url })]) {
      expect((await clock.set(new Date(begin))).now.slice(0, 16)).toBe(begin.slice(0, 16))
      expect(await clock.freeze(new Date(begin))).toEqual({ now: begin, frozen: true })
      await expect(clock.set(new Date('yesterday'))).rejects.toThrow('now must be a time from 1970 to 9999')
      await clock.restart()
    }
  })

  it.each([
    [1_500, '2030-01-31T09:00:01.500Z'],
    ['500ms', '2030-01-31T09:00:00.500Z'],
    ['90s', '2030-01-31T09:01:30.000Z'],
    ['1.5h', '2030-01-31T10:30:00.000Z'],
    ['2d', '2030-02-02T09:00:00.000Z'],
    ['1w', '2030-02-07T09:00:00.000Z'],
    ['P1DT12H', '2030-02-01T21:00:00.000Z'],
    ['PT0.25S', '2030-01-31T09:00:00.250Z'],
    [0, begin],
  ])('is advanced by %s', async (by, now) => {
    const { clock } = await frozen()
    expect(await clock.advance(by)).toMatchObject({ now, frozen: true })
  })

  it('restarts with a reset', async () => {
    const { sandbox, clock } = await frozen()
    await sandbox.reset()
    const { now, frozen: isFrozen } = await clock.read()
    expect(isFrozen).toBe(false)
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000)
  })
})

describe('advancing the clock', () => {
  it('stamps records, one after the other as the clock says', async () => {
    const { call, clock } = await frozen()
    const create = async () =>
      dataIn(await call('createContact', { body: { firstName: 'Ada', lastName: 'L' } })).createdAt
    const one = await create()
    await clock.advance('2d')
    expect([one, await create()]).toEqual([begin, '2030-02-02T09:00:00.000Z'])
    await clock.set('1970-01-01T00:00:00Z')
    expect(await create()).toBe('1970-01-01T00:00:00.000Z')
  })

  it('ends tokens, kept answers and the count of requests in a minute', async () => {
    const { sandbox, call, clock } = await frozen({ assume: { keyRetention: 'oneDay', rateLimit: 'perMinute:2' } })
    const { token } = await sandbox.tokens.sign({ teamId: 'acme', role: 'agent', expiresIn: 60 })
    const create = (key: string | null, headers: Record<string, string>) =>
      call('createProduct', { key, headers, body: product })
    const byToken = async () => (await create(null, { authorization: `Bearer ${token}` })).status
    const withKey = async () => dataIn(await create('acme-key', { 'idempotency-key': 'one' }))._id
    const first = await withKey()
    await clock.advance('59s')
    expect([await byToken(), await byToken()]).toEqual([201, 429])
    await clock.advance('1s')
    expect(await byToken()).toBe(401)
    await clock.advance('23h')
    expect(await withKey()).toBe(first)
    await clock.advance('1h')
    expect(await withKey()).not.toBe(first)
  })

  const to = (address: string, time: string) => ({
    to: address,
    channel: 'email',
    subject: 'Hello',
    content: 'Hello',
    providerId: 'email-provider',
    scheduleType: 'scheduled',
    scheduleTime: { date: '2030-02-01', time },
  })

  it('approves templates and sends scheduled messages in order, each at its own time', async () => {
    const { sandbox, call, clock } = await frozen({ assume: { whatsappApproval: 'afterDelay:3600000' } })
    const made = dataIn(await call('createTemplate', { body: whatsapp }))
    for (const [key, address, time] of [
      ['globex-key', 'late@example.com', '12:30'],
      ['acme-key', 'early@example.com', '09:15'],
      ['acme-key', 'grace@example.com', '23:59'],
    ] as const) {
      expect((await call('sendBulkMessages', { key, body: to(address, time) })).status).toBe(200)
    }
    await clock.advance(60 * 60_000 - 1)
    const status = async () => dataIn(await call('getTemplate', { path: { templateId: made._id } })).status
    expect(await status()).toBe('pending')
    expect(await clock.advance('30h')).toMatchObject({ now: '2030-02-01T15:59:59.999Z' })
    expect(await status()).toBe('approved')
    const { teams } = await sandbox.world()
    const sent = teams.flatMap(({ messages = [] }) => messages.map(({ createdAt }) => createdAt))
    expect(sent).toEqual(['2030-02-01T09:15:00.000Z', '2030-02-01T12:30:00.000Z'])
  })

  it('runs due work when a running clock is set to a later time', async () => {
    const { sandbox, call } = await openSandbox()
    await sandbox.clock.set(begin)
    await call('sendBulkMessages', { body: to('ada@example.com', '09:15') })
    await sandbox.clock.set('2030-02-03')
    const { teams } = await sandbox.world()
    expect(teams[0]?.messages?.map(({ createdAt }) => createdAt)).toEqual(['2030-02-01T09:15:00.000Z'])
  })

  it('does each thing once when the clock is advanced several times at once', async () => {
    const { sandbox, call, clock } = await frozen()
    for (const time of ['09:15', '10:15', '11:15'])
      await call('sendBulkMessages', { body: to('ada@example.com', time) })
    await Promise.all(Array.from({ length: 8 }, () => clock.advance('6h')))
    expect((await clock.read()).now).toBe('2030-02-02T09:00:00.000Z')
    const { teams } = await sandbox.world()
    expect(teams[0]?.messages?.map(({ createdAt }) => createdAt.slice(11, 16))).toEqual(['09:15', '10:15', '11:15'])
  })
})

describe('a time that is none', () => {
  const times = 'must be a time from 1970 to 9999, such as 2030-01-31T09:00:00Z, or a number of milliseconds since 1970'
  const durations = 'must be a duration such as 500ms, 90s, 15m, 12h, 2d or P1DT12H, or a number of milliseconds'
  const past = ['', 'now', '2030', '2030-02-30', '2030-01-31T25:00:00Z', '1969-12-31T23:59:59.999Z', -1]
  const future = ['10000-01-01', '+010000-01-01', '9999-12-31T00:00:01Z', 1e300, `2030-01-31${' '.repeat(50_000)}`]
  const periods = ['', '2', 'd', '-2d', '2y', '1e3s', 'P', 'PT', 'P1M', 'P-1D', -1, 1e300, `1${'0'.repeat(300_000)}d`]
  const wrong: RefusedCall[] = [
    ...[...past, ...future].map((now): RefusedCall => [
      `set to ${String(now).slice(0, 30)}`,
      ({ clock }) => clock.set(now),
      `now ${times}`,
    ]),
    ...periods.map((by): RefusedCall => [
      `advance ${String(by).slice(0, 30)}`,
      ({ clock }) => clock.advance(by),
      `by ${durations}`,
    ]),
    ['too far', ({ clock }) => clock.advance('1000000w'), 'by must not take the clock beyond the year 9999'],
    ['nothing', ({ clock }) => clock.set({} as never), 'the body must give now or frozen, or both'],
    ['frozen', ({ clock }) => clock.set({ frozen: 'yes' as never }), 'frozen must be true or false'],
  ]

  itRefuses(wrong)

  it.each([NaN, Infinity, -Infinity])('is refused in process, where JSON cannot say it: %s', async (number) => {
    const { clock } = await frozen()
    await expect(clock.set(number)).rejects.toThrow(times)
    await expect(clock.advance(number)).rejects.toThrow(durations)
    expect((await clock.read()).now).toBe(begin)
  })
})

// Test authors expect that the clock they pass stands still until they set it, and takes effect at once.

const minute = 60_000
const day = 24 * 60 * minute

function stoppedClock() {
  let time = Date.parse('2030-01-31T09:00:00Z')
  const clock = { now: () => time }
  return { clock, advance: (milliseconds: number) => void (time += milliseconds) }
}

const bulk = { channel: 'email', subject: 'Hello', content: 'Hello', providerId: 'email-provider' }

describe.each([undefined, 0])('a clock of a test, with port %s', (port) => {
  const listening = port === undefined ? {} : { port }

  it('that throws is an internal error in the envelope, and in the journal', async () => {
    let isBroken = false
    const now = () => {
      if (isBroken) throw new Error('no time')
      return 0
    }
    const { sandbox, call } = await openSandbox({ clock: { now }, ...listening })
    isBroken = true
    expect(await call('getTemplate', { path: { templateId: 'a' } })).toMatchObject({
      status: 500,
      body: { success: false, message: 'Internal server error' },
    })
    isBroken = false
    expect(await sandbox.requests.find()).toMatchObject([{ status: 500, failure: 'Error: no time' }])
  })

  it('sends a whole list at its time, before the next request is answered', async () => {
    const { clock, advance } = stoppedClock()
    const { sandbox, call } = await openSandbox({ clock, ...listening })
    const to = Array.from({ length: 1_200 }, (_, at) => `ada${at}@example.com`).join(',')
    const scheduleTime = { date: '2030-02-01', time: '09:00' }
    await call('sendBulkMessages', { body: { ...bulk, to, scheduleType: 'scheduled', scheduleTime } })
    advance(day - 1)
    expect((await sandbox.world()).teams[0]).not.toHaveProperty('messages')
    advance(1)
    const found = await call('findOrCreateConversation', { body: { email: 'ada1199@example.com' } })
    const history = await call('listMessages', { path: { conversationId: dataIn(found)._id } })
    expect((history.body as { pagination: { total: number } }).pagination.total).toBe(1)
  })
})

it('is read once for both times of a new contact', async () => {
  let time = Date.parse('2030-01-31T09:00:00Z')
  const { sandbox, call } = await openSandbox({ clock: { now: () => time++ } })
  const names = { firstName: 'Ada', lastName: 'Lovelace' }
  await call('createContact', { body: names })
  await call('createOrUpdateContact', { body: { ...names, email: 'ada@example.com', phone: '+14155550199' } })
  await call('createContactWithConversation', { body: { ...names, email: 'grace@example.com' } })
  await call('findOrCreateConversation', { body: { email: 'mary@example.com' } })
  await call('sendBulkMessages', { body: { ...bulk, to: 'joan@example.com,ruth@example.com' } })
  const contacts = (await sandbox.world()).teams[0]?.contacts ?? []
  expect(contacts).toHaveLength(6)
  expect(contacts.filter(({ createdAt, updatedAt }) => createdAt !== updatedAt)).toEqual([])
})

it('runs due work without a request', async () => {
  const { clock, advance } = stoppedClock()
  const sandbox = await startSandbox({ clock, assume: { whatsappApproval: 'afterDelay:1000' } })
  await sandbox.fetch('/api/templates', postAs('demo-key', whatsapp))
  advance(1000)
  await sandbox.doDueWork()
  const { teams } = await sandbox.world()
  expect(teams[0]?.templates?.find(({ uniqueName }) => uniqueName === whatsapp.uniqueName)?.status).toBe('approved')
})
