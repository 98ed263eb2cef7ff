import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { control } from '../../mock/control/client.ts'
import { serve } from '../cli/command.ts'
import { inTier } from '../tier.ts'
import { namedStores } from './harness.ts'

const sms = { channel: 'sms', providerId: 'sms-provider', content: 'Hello' }
const shared = namedStores.filter(({ store }) => store === 'PostgreSQL')

/** Two processes on one store. */
async function twoProcesses(store: string, ...options: readonly string[]) {
  const args = ['--world', 'two-teams', '--store', store, ...options]
  const [one, other] = [await serve(args), await serve(args)]
  return { one, other, urls: [one.url, other.url] as const }
}

const post = (url: string, path: string, body: object, headers: object = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'acme-key', ...headers },
    body: JSON.stringify(body),
  })

const outboxOf = async (url: string, atLeast: number) =>
  (await control({ url }).outbox.list({ team: 'acme', state: 'sent', limit: 1000, atLeast, wait: '30s' })).flatMap(
    ({ to }) => to,
  )

describe.each(shared)('two processes on one $store store', ({ place }) => {
  it('apply a change by one to the next request of the other', async () => {
    const { urls } = await twoProcesses(await place())
    const [one, other] = [control({ url: urls[0] }), control({ url: urls[1] })]
    const create = (url: string) => post(url, '/api/products', { name: 'Cog', unitPrice: 3 })
    for (let round = 0; round < 10; round++) {
      await one.clock.freeze('2030-01-31T09:00:00Z')
      expect((await other.clock.read()).now).toBe('2030-01-31T09:00:00.000Z')
      await one.faults.add({ operation: 'createProduct', status: 503, times: 1 })
      expect([(await create(urls[1])).status, (await create(urls[0])).status]).toEqual([503, 201])
      await one.assumptions.set({ rateLimit: 'perMinute:1' })
      expect([(await create(urls[1])).status, (await create(urls[0])).status]).toEqual([201, 429])
      await other.reset()
      expect((await one.clock.read()).frozen).toBe(false)
      expect((await create(urls[0])).status).toBe(201)
    }
  })

  it('send a bulk message once to everybody, when one is killed on the way', async () => {
    for (let round = 0; round < inTier({ test: 1, ci: 3, nightly: 20 }); round++) {
      const { one, other, urls } = await twoProcesses(await place(), '--assume', 'bulkDelivery=afterDelay:1')
      const to = Array.from({ length: 1000 }, (_, at) => `+1415557${String(at).padStart(4, '0')}`)
      expect((await post(one.url, '/api/messages/sendBulkNewMessages', { ...sms, to: to.join() })).status).toBe(200)
      await outboxOf(urls[1], 1 + Math.floor(Math.random() * 300))
      one.child.kill('SIGKILL')
      await one.over
      expect((await outboxOf(other.url, to.length)).toSorted()).toEqual(to)
      other.child.kill('SIGTERM')
      await once(other.child, 'close')
    }
  })
})
