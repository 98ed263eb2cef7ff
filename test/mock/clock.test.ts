import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../index.ts'
import { openSandbox, type Told } from './harness.ts'
import { whatsapp } from './template-calls.ts'

// Test authors expect that the clock they pass stands still until they set it, and takes effect at once.

const minute = 60_000
const day = 24 * 60 * minute

function stoppedClock() {
  let time = Date.parse('2030-01-31T09:00:00Z')
  const clock = { now: () => time }
  return { clock, advance: (milliseconds: number) => void (time += milliseconds) }
}

const bulk = { channel: 'email', subject: 'Hello', content: 'Hello', providerId: 'email-provider' }

const dataIn = (told: Told) => (told.body as { data: { _id: string; status: string } }).data

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
  const sandbox = await createSandbox({ clock, assume: { whatsappApproval: 'afterDelay:1000' } })
  onTestFinished(() => sandbox.close())
  const headers = { 'x-api-key': 'demo-key', 'content-type': 'application/json' }
  await sandbox.fetch('/api/templates', { method: 'POST', headers, body: JSON.stringify(whatsapp) })
  advance(1000)
  await sandbox.doDueWork()
  const { teams } = await sandbox.world()
  expect(teams[0]?.templates?.find(({ uniqueName }) => uniqueName === whatsapp.uniqueName)?.status).toBe('approved')
})
