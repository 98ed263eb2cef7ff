import { expect, describe, it, vi } from 'vitest'
import { ids } from '../../mock/core/ids.ts'
import { teamOn } from '../../mock/core/team.ts'
import { queueBulkSend, sendDuePart } from '../../mock/rules/messages/bulk-delivery.ts'
import { MemoryStore } from '../../mock/store/memory/memory-store.ts'
import type { OpenTeam, Records } from '../../mock/store/port.ts'
import { assumedBy } from '../../spec/assumed.ts'
import { chooseAll } from '../../spec/choices.ts'
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

/** How many records the store is asked for, told of and answers with, until everything is sent. */
async function workFor(recipients: number, otherSendAt?: string): Promise<number> {
  const store = new MemoryStore(twoTeams)
  const work = { records: 0 }
  const [clock, newIds] = [{ now: () => Date.now() }, ids()]
  const turnOf = ({ records, onFile }: OpenTeam) => ({
    team: teamOn(counted(records, work), onFile, clock, newIds),
    caller: { teamId: 'acme' },
    assumed: assumedBy(chooseAll())(),
    clock,
    later: () => undefined,
  })
  const sendAt = '2020-01-01T00:00:00.000Z'
  await store.turn('acme', async (open) => {
    if (otherSendAt !== undefined) await queueBulkSend(numbers(1), { message: sms, sendAt: otherSendAt }, turnOf(open))
    await queueBulkSend(numbers(recipients), { message: sms, sendAt }, turnOf(open))
  })
  for (let next = 0; next < Date.now();) {
    next = await store.turn('acme', async (open) => (await sendDuePart(turnOf(open))) ?? Infinity)
  }
  const { teams } = await store.world()
  expect(teams[0]?.messages).toHaveLength(recipients)
  return work.records
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
    expect(JSON.stringify(await sandbox.world()).length).toBeLessThan(5 * long.length)
    const { body } = await call('findOrCreateConversation', { body: { email: 'p499@example.com' } })
    const history = await call('listMessages', { path: { conversationId: body.data._id as string } })
    const [message] = (history.body.data as { messages: object[] }[])[0]?.messages ?? []
    expect(message).toMatchObject({ ...email, content: long, preheader: 'Soon', to: 'p499@example.com' })
    expect(message).not.toHaveProperty('textId')
  })

  it('goes when the last of its messages goes', async () => {
    const { call, sandbox } = await openSandbox()
    await send(call, { ...email, to: addresses(2).join(',') })
    await vi.waitUntil(async () => isSent(await sandbox.world()))
    const texts = async () => (await sandbox.world()).teams[0]?.bulkTexts?.length
    for (const [address, left] of [
      ['p0@example.com', 1],
      ['p1@example.com', undefined],
    ] as const) {
      await call('deleteContactsByEmail', { query: { email: address } })
      expect(await texts()).toBe(left)
    }
  })

  it('goes when nobody gets it', async () => {
    const { call, sandbox } = await openSandbox({ assume: { bulkToStranger: 'skipped' } })
    await send(call, { ...email, to: addresses(2).join(',') })
    await vi.waitUntil(async () => isSent(await sandbox.world()))
    expect((await sandbox.world()).teams[0]).not.toHaveProperty('bulkTexts')
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
