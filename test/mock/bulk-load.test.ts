import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, describe, it, onTestFinished, vi } from 'vitest'
import { ids } from '../../mock/core/ids.ts'
import { teamOn } from '../../mock/core/team.ts'
import type { Transaction } from '../../mock/core/transaction.ts'
import { queueBulkSend, sendDuePart } from '../../mock/rules/messages/bulk-delivery.ts'
import { MemoryStore } from '../../mock/store/memory/memory-store.ts'
import type { Records } from '../../mock/store/port.ts'
import { assumedBy } from '../../spec/assumed.ts'
import { chooseAll, type WrittenChoices } from '../../spec/choices.ts'
import { type Call, openSandbox, twoTeams } from './harness.ts'

const sms = { channel: 'sms', content: 'We open at nine', providerId: 'sms-provider' } as const
const email = { channel: 'email', subject: 'News', content: 'We open at nine', providerId: 'email-provider' }
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `+1415${String(5_550_000 + at)}`)
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@example.com`)
const long = 'x'.repeat(100_000)

describe('the work of a bulk send', () => {
  it('grows with the number of its recipients, and no faster', async () => {
    const [few, many] = [await workFor(1_000), await workFor(8_000)]
    expect(many / few).toBeLessThan(9)
  })

  it('is no more while another send waits for its time', async () => {
    expect((await workFor(2_000, '2999-01-01T00:00:00.000Z')) / (await workFor(2_000))).toBeLessThan(2)
  })
})

const sendAt = '2020-01-01T00:00:00.000Z'

/** The number of records that the store reads, writes and returns until every message is sent. */
async function workFor(recipients: number, otherSendAt?: string): Promise<number> {
  const store = new MemoryStore(twoTeams)
  const work = { records: 0 }
  const transaction = turnsOn(store, {}, work)
  if (otherSendAt !== undefined)
    await transaction((one) => queueBulkSend(numbers(1), { message: sms, sendAt: otherSendAt }, one))
  await transaction((one) => queueBulkSend(numbers(recipients), { message: sms, sendAt }, one))
  for (let next = 0; next < Date.now();) next = (await transaction(sendDuePart)) ?? Infinity
  const { teams } = await store.world()
  expect(teams[0]?.messages).toHaveLength(recipients)
  return work.records
}

/** Runs turns of acme, and counts what they ask of the store. */
function turnsOn(store: MemoryStore, assume: WrittenChoices = {}, work = { records: 0 }) {
  const [clock, newIds, newAssumed] = [{ now: () => Date.now() }, ids(), assumedBy(chooseAll(assume))]
  return <Result>(run: (tx: Transaction) => Promise<Result>) =>
    store.transaction('acme', ({ records, onFile }) => {
      const team = teamOn(counted(records, work), onFile, clock, newIds)
      return run({
        team,
        caller: { teamId: 'acme' },
        assumed: newAssumed(),
        clock,
        scheduleAt: () => undefined,
        changed: () => [],
      })
    })
}

function counted(records: Records, work: { records: number }): Records {
  const ofKind = (kind: object) =>
    new Proxy(kind, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>
        return async (...given: unknown[]) => {
          const result = await method.apply(target, given)
          work.records += 1 + (Array.isArray(result) ? result.length : 0)
          return result
        }
      },
    })
  return Object.fromEntries(Object.entries(records).map(([kind, own]) => [kind, ofKind(own)])) as Records
}

const send = (call: Call, body: object) => call('sendBulkMessages', { body })
const isSent = (world: { teams: readonly { bulkSends?: readonly unknown[] }[] }) => !world.teams[0]?.bulkSends

describe('the text of a bulk send', () => {
  it('is kept once, and each of its messages shows it', async () => {
    const { call, sandbox } = await openSandbox({ assume: { messageFields: 'allSent' } })
    await send(call, { ...email, content: long, preheader: 'Soon', to: addresses(500).join(',') })
    await vi.waitUntil(async () => isSent(await sandbox.world()), { timeout: 15_000 })
    const { messages } = (await sandbox.world()).teams[0] ?? {}
    expect(messages).toHaveLength(500)
    expect(messages?.every(({ content }) => content === long)).toBe(true)
    const { body } = await call('findOrCreateConversation', { body: { email: 'p499@example.com' } })
    const history = await call('listMessages', { path: { conversationId: body.data._id as string } })
    const [message] = (history.body.data as { messages: object[] }[])[0]?.messages ?? []
    expect(message).toMatchObject({ ...email, content: long, preheader: 'Soon', to: 'p499@example.com' })
    expect(message).not.toHaveProperty('textId')
  })

  it('is written to a file once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bulk-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const store = `file:${join(folder, 'world.json')}`
    const { call, sandbox } = await openSandbox({ store })
    await send(call, { ...email, content: long, to: addresses(500).join(',') })
    await vi.waitUntil(async () => isSent(await sandbox.world()), { timeout: 15_000 })
    const world = await sandbox.world()
    await sandbox.close()
    const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
    expect(files.join('').split(long).length - 1).toBeLessThanOrEqual(2)
    const again = await openSandbox({ store })
    expect(await again.sandbox.world()).toEqual(world)
  })

  it.each([
    ['stays for the messages that hold it', 'oldest', 1],
    ['is removed when no recipient gets it', 'refused', 0],
  ] as const)('%s', async (_, severalMatches, kept) => {
    const store = new MemoryStore(twoTeams)
    const texts = async () => (await store.world()).teams[0]?.bulkTexts?.length ?? 0
    const transaction = turnsOn(store, { severalMatches })
    for (const phone of numbers(2).flatMap((number) => [number, number]))
      await transaction((one) => one.team.contacts.insert({ firstName: 'Ada', lastName: 'Lovelace', phone }))
    await transaction((one) => queueBulkSend(numbers(2), { message: sms, sendAt }, one))
    expect(await texts()).toBe(1)
    await transaction(sendDuePart)
    expect(await texts()).toBe(kept)
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
