import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../index.ts'
import { openSandbox, type Told } from './harness.ts'
import { whatsapp } from './template-calls.ts'

// Test authors expect that a clock stands still until it is set, and takes effect at once.

const begin = Date.parse('2030-01-31T09:00:00Z')
const minute = 60_000
const day = 24 * 60 * minute

function stoppedClock() {
  let time = begin
  const clock = { now: () => time }
  return { clock, advance: (milliseconds: number) => void (time += milliseconds) }
}

const bulk = {
  to: 'ada@example.com,grace@example.com',
  channel: 'email',
  subject: 'Hello',
  content: 'Hello',
  providerId: 'email-provider',
}

const dataIn = (told: Told) => (told.body as { data: { _id: string; status: string } }).data

describe.each([undefined, 0])('a clock of a test, with port %s', (port) => {
  const listening = port === undefined ? {} : { port }

  it('approves a template when its delay is over, in hours that pass at once', async () => {
    const { clock, advance } = stoppedClock()
    const { call } = await openSandbox({ clock, assume: { whatsappApproval: 'afterDelay:3600000' }, ...listening })
    const { _id: templateId } = dataIn(await call('createTemplate', { body: whatsapp }))
    const statusNow = async () => dataIn(await call('getTemplate', { path: { templateId } })).status
    expect(await statusNow()).toBe('pending')
    advance(60 * minute - 1)
    expect(await statusNow()).toBe('pending')
    advance(1)
    expect(await statusNow()).toBe('approved')
  })

  it('sends scheduled messages at their time', async () => {
    const { clock, advance } = stoppedClock()
    const { sandbox, call } = await openSandbox({ clock, ...listening })
    const scheduleTime = { date: '2030-02-01', time: '09:00' }
    expect(
      (await call('sendBulkMessages', { body: { ...bulk, scheduleType: 'scheduled', scheduleTime } })).status,
    ).toBe(200)
    const sent = async () => (await sandbox.world()).teams[0]?.messages?.length ?? 0
    advance(day - 1)
    expect(await sent()).toBe(0)
    advance(1)
    expect(await sent()).toBe(2)
  })

  it('has sent a whole list before the next request is answered, however long the list', async () => {
    const { clock, advance } = stoppedClock()
    const { call } = await openSandbox({ clock, ...listening })
    const to = Array.from({ length: 1_200 }, (_, at) => `ada${at}@example.com`).join(',')
    const scheduleTime = { date: '2030-02-01', time: '09:00' }
    await call('sendBulkMessages', { body: { ...bulk, to, scheduleType: 'scheduled', scheduleTime } })
    advance(day)
    const found = await call('findOrCreateConversation', { body: { email: 'ada1199@example.com' } })
    const { _id: conversationId } = dataIn(found)
    const history = await call('listMessages', { path: { conversationId }, query: { page: 1, limit: 10 } })
    expect((history.body as { pagination: { total: number } }).pagination.total).toBe(1)
  })

  it('ends a token', async () => {
    const { clock, advance } = stoppedClock()
    const { sandbox, call } = await openSandbox({ clock, ...listening })
    const signed = await sandbox.fetch('/_sandbox/tokens', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ teamId: 'acme', role: 'admin', expiresIn: 600 }),
    })
    const { data } = (await signed.json()) as { data: { token: string } }
    const ask = async () =>
      (
        await call('deleteProduct', {
          path: { productId: 'none' },
          key: null,
          headers: { authorization: `Bearer ${data.token}` },
        })
      ).status
    expect(await ask()).toBe(404)
    advance(10 * minute)
    expect(await ask()).toBe(401)
  })

  it('discards an Idempotency-Key after a day', async () => {
    const { clock, advance } = stoppedClock()
    const { call } = await openSandbox({ clock, assume: { keyRetention: 'oneDay' }, ...listening })
    const create = async () => {
      const told = await call('createCompany', { body: { name: 'Initech' }, headers: { 'idempotency-key': 'once' } })
      return dataIn(told)._id
    }
    const first = await create()
    advance(day)
    expect(await create()).toBe(first)
    advance(1)
    expect(await create()).not.toBe(first)
  })

  it('lets a team ask again when its minute is over', async () => {
    const { clock, advance } = stoppedClock()
    const { call } = await openSandbox({ clock, assume: { rateLimit: 'perMinute:1' }, ...listening })
    const ask = async () => (await call('deleteProduct', { path: { productId: 'none' } })).status
    expect([await ask(), await ask()]).toEqual([404, 429])
    advance(minute)
    expect(await ask()).toBe(404)
  })

  it('dates new records', async () => {
    const { clock, advance } = stoppedClock()
    const { call } = await openSandbox({ clock, ...listening })
    advance(day)
    const made = await call('createContact', { body: { firstName: 'Ada', lastName: 'Lovelace' } })
    expect(dataIn(made)).toMatchObject({
      createdAt: '2030-02-01T09:00:00.000Z',
      updatedAt: '2030-02-01T09:00:00.000Z',
    })
  })
})

it('runs due work without a request', async () => {
  const { clock, advance } = stoppedClock()
  const sandbox = await createSandbox({ clock, assume: { whatsappApproval: 'afterDelay:1000' } })
  onTestFinished(() => sandbox.close())
  const headers = { 'x-api-key': 'demo-key', 'content-type': 'application/json' }
  await sandbox.fetch('/api/templates', { method: 'POST', headers, body: JSON.stringify(whatsapp) })
  advance(1000)
  await sandbox.doDueWork()
  const { teams } = await sandbox.world()
  expect(teams[0]?.templates?.find(({ uniqueName }) => uniqueName === whatsapp.uniqueName)?.status).toBe('approved')
})

it('gives a new record one time, although the clock goes on meanwhile', async () => {
  let time = Date.UTC(2026, 2, 1)
  const { call } = await openSandbox({ clock: { now: () => time++ } })
  const { body } = await call('createContact', { body: { firstName: 'Ada', lastName: 'Lovelace' } })
  expect(body.data.updatedAt).toBe(body.data.createdAt)
})
