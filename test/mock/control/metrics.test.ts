import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../../mock/create-sandbox.ts'
import { MemoryStore } from '../../../mock/store/memory/memory-store.ts'
import { startSandbox } from '../../for-one-test.ts'
import { callerOf, twoTeams } from '../helpers.ts'
import { engine } from '../keyed-requests.ts'
import { namedStores } from '../store/helpers.ts'

async function open(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox({ world: twoTeams, ...options })
  return { sandbox, call: callerOf(sandbox), scrape: async () => samplesIn(await sandbox.metrics()) }
}

const line = /^(crm_sandbox_[a-z_]+)(\{[a-z]+="[^"\\\n]+"(?:,[a-z]+="[^"\\\n]+")*\})? (\d+(?:\.\d+)?(?:e-?\d+)?)$/

/** The values by name and labels. Expects the format of Prometheus. */
function samplesIn(text: string): Map<string, number> {
  const samples = new Map<string, number>()
  let current = ''
  for (const one of text.replace(/\n$/, '').split('\n')) {
    const [, described, name = '', rest = ''] = /^# (HELP|TYPE) (\w+) (.+)$/.exec(one) ?? []
    if (described === 'TYPE') expect(rest).toMatch(/^(counter|gauge|histogram)$/)
    if (described === 'HELP') expect(samples.has((current = name)), `${name} twice`).toBe(false)
    if (described !== undefined) continue
    const [, sampled = '', labels = '', value] = line.exec(one) ?? []
    expect(sampled, one).toMatch(new RegExp(`^${current}(_bucket|_sum|_count)?$`))
    expect(samples.has(sampled + labels), one).toBe(false)
    samples.set(sampled + labels, Number(value))
  }
  return samples
}

it('count the responses by operation and status, with the times that they took', async () => {
  const { sandbox, call, scrape } = await open()
  await call('createProduct', { body: engine })
  await call('createProduct', { body: engine })
  await call('createProduct', { body: {} })
  await sandbox.fetch('/api/nothing')
  await sandbox.reset()
  const samples = await scrape()
  const of = (name: string) => samples.get(`crm_sandbox_${name}`)
  expect(of('requests_total{operation="createProduct",status="201"}')).toBe(2)
  expect(of('requests_total{operation="createProduct",status="400"}')).toBe(1)
  expect(of('requests_total{operation="none",status="404"}')).toBe(1)
  const buckets = [...samples].filter(([name]) =>
    name.startsWith('crm_sandbox_request_duration_seconds_bucket{operation="c'),
  )
  const counts = buckets.map(([, count]) => count)
  expect(counts).toEqual(counts.toSorted((one, other) => one - other))
  expect(buckets.at(-1)).toEqual([expect.stringContaining('le="+Inf"'), 3])
  expect(of('request_duration_seconds_count{operation="createProduct"}')).toBe(3)
  expect(of('request_duration_seconds_sum{operation="createProduct"}')).toBeGreaterThan(0)
})

it('show what takes memory beside the records', async () => {
  const { sandbox, call, scrape } = await open({ memory: 24 })
  const use = async (name: string) => (await scrape()).get(`crm_sandbox_budget_used_bytes{use="${name}"}`) ?? -1
  expect((await scrape()).get('crm_sandbox_budget_bytes')).toBe(24 * 1024 * 1024)
  expect([await use('requests'), await use('rules'), await use('journal')]).toEqual([0, 0, 0])
  await sandbox.faults.add({ operation: 'createDeal', status: 500, message: 'x'.repeat(1_000) })
  await call('createProduct', { body: { ...engine, description: 'y'.repeat(20_000) } })
  expect(await use('rules')).toBeGreaterThan(1_000)
  expect(await use('journal')).toBeGreaterThan(20_000)
  expect(await use('requests')).toBe(0)
  await sandbox.faults.clear()
  expect(await use('rules')).toBe(0)
})

it('show what the sandbox has, and what it keeps', async () => {
  const { sandbox, call, scrape } = await open()
  const before = await scrape()
  await call('createProduct', { body: engine, headers: { 'idempotency-key': 'one' } })
  await sandbox.teams.create({ name: 'Initech' })
  const after = await scrape()
  const grown = (name: string) => (after.get(`crm_sandbox_${name}`) ?? 0) - (before.get(`crm_sandbox_${name}`) ?? 0)
  expect(grown('teams')).toBe(1)
  expect(grown('records')).toBeGreaterThan(0)
  expect(grown('journal_entries')).toBe(1)
  expect(grown('journal_bytes')).toBeGreaterThan(0)
  expect(grown('kept_bytes')).toBeGreaterThan(0)
  expect(after.get('crm_sandbox_ready')).toBe(1)
  expect(after.get('crm_sandbox_memory_bytes')).toBeGreaterThan(1e6)
  expect(after.get('crm_sandbox_event_loop_delay_seconds{percentile="100"}')).toBeGreaterThan(0)
})

it('show how late due work is', async () => {
  let now = Date.parse('2030-01-31T09:00:00Z')
  const { call, scrape } = await open({ clock: { now: () => now }, assume: { bulkDelivery: 'afterDelay:60000' } })
  const body = { channel: 'sms', providerId: 'sms-provider', content: 'News', to: '+14155550123' }
  expect((await call('sendBulkMessages', { body })).status).toBe(200)
  expect((await scrape()).get('crm_sandbox_due_work_lag_seconds')).toBe(0)
  now += 90_000
  expect((await scrape()).get('crm_sandbox_due_work_lag_seconds')).toBe(30)
})

it('are complete while the store does not answer', async () => {
  const gone = () => Promise.reject(new Error('The database has gone'))
  const sandbox = await createSandbox({ world: twoTeams }, undefined, undefined, async () =>
    Object.assign(await MemoryStore.open(twoTeams), { size: gone }),
  )
  onTestFinished(() => sandbox.close())
  const samples = samplesIn(await sandbox.metrics())
  expect(samples.get('crm_sandbox_ready')).toBe(0)
  expect(samples.get('crm_sandbox_journal_entries')).toBe(0)
  expect(samples.has('crm_sandbox_records')).toBe(false)
})

describe('the control token', () => {
  const controlToken = 'a-control-token-of-ours'

  it('is needed', async () => {
    const { sandbox } = await open({ controlToken })
    expect((await sandbox.fetch('/_sandbox/metrics')).status).toBe(401)
    const response = await sandbox.fetch('/_sandbox/metrics', { headers: { authorization: `Bearer ${controlToken}` } })
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  })

  it('is not needed with metricsOpen', async () => {
    const { sandbox } = await open({ controlToken, metricsOpen: true })
    expect((await sandbox.fetch('/_sandbox/metrics')).status).toBe(200)
    expect((await sandbox.fetch('/_sandbox/teams')).status).toBe(401)
  })
})

describe.each(namedStores.filter(({ store }) => store === 'PostgreSQL'))('on $store', ({ place }) => {
  it('show the work with the database, and have all that the dashboard shows', async () => {
    const store = await place()
    const [one, other] = [await open({ store }), await open({ store })]
    const conflicts = async () => (await one.scrape()).get('crm_sandbox_store_conflicts_total') ?? 0
    await expect
      .poll(async () => {
        const creates = Array.from({ length: 10 }, () =>
          [one, other].map(({ call }) => call('createProduct', { body: engine })),
        )
        await Promise.all(creates.flat())
        return conflicts()
      })
      .toBeGreaterThan(0)
    const samples = await one.scrape()
    const of = (name: string) => samples.get(`crm_sandbox_store_${name}`)
    expect(of('round_trips_total')).toBeGreaterThan(20)
    expect(of('connections{state="idle"}')).toBeGreaterThan(0)
    expect([of('waiting'), of('queued'), of('retries_total')]).toEqual([0, 0, 0])
    expect(samples.get('crm_sandbox_teams')).toBe(2)
    const shown = readFileSync('docs/public/grafana-dashboard.json', 'utf8').match(/crm_sandbox_\w+/g) ?? []
    const names = new Set([...samples.keys()].map((name) => name.replace(/\{.*/, '')))
    expect(shown.length).toBeGreaterThan(10)
    expect(shown.filter((name) => !names.has(name))).toEqual([])
  })
})
