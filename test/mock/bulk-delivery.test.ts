import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { createSandbox } from '../../mock/create-sandbox.ts'
import { ada, news, send, heardBy } from './bulk-sends.ts'
import { type Call, callerOf, openSandbox, twoTeams } from './harness.ts'
import { newFolder, startSandbox } from '../for-one-test.ts'

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

  it('names in its response what the delivery assumes about the contacts', async () => {
    const { call } = await openSandbox()
    const assumed = expect.arrayContaining(['nameOfNewContact', 'newContactStatus', 'newContactLifecycle']) as string[]
    expect((await send(call)).assumed).toEqual(assumed)
    expect((await send(call)).assumed).not.toContain('nameOfNewContact')
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
    await vi.waitUntil(async () => (await heardBy(call, ada)).length === 1, { timeout: 15_000 })
  })
})
