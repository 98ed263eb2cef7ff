import { request as forward } from 'node:http'
import { describe, expect, it } from 'vitest'
import { generateWorld } from '../../fixtures/generate/generate-world.ts'
import { serve } from '../cli/command.ts'
import { verified, verifiedThrough } from '../contracts/command.ts'
import { inTier, sampleOf, seed } from '../tier.ts'
import { namedStores } from '../mock/store/helpers.ts'
import { serverThat } from '../for-one-test.ts'

// A check must pass every time, in any order.

const runs = Array.from({ length: inTier({ test: 1, nightly: 20 }) }, (_, index) => (seed % 1000) + index)

describe.each(sampleOf(namedStores, inTier({ test: 1, nightly: 3 })))('A sandbox on the $store store', ({ place }) => {
  it.each(runs)('keeps every promise, in the order of seed %i', async (seed) => {
    const { code, stdout } = await verified({ store: await place(), seed }, '--seed', String(seed))
    expect(stdout).toContain('Verdict: conformant.')
    expect(code).toBe(0)
  })
})

const shared = namedStores.filter(({ store }) => store === 'PostgreSQL')

describe.each(shared)('Two processes on one $store store', ({ place }) => {
  it.each(runs)('keep every promise behind a round-robin proxy, in the order of seed %i', async (seed) => {
    const store = await place()
    const proxyOf = async (url: string) => roundRobin(url, (await serve(['--store', store])).url)
    const { code, stdout } = await verifiedThrough(proxyOf, { store }, '--seed', String(seed))
    expect(stdout).toContain('Verdict: conformant.')
    expect(code).toBe(0)
  })
})

/** Sends each request to the next of the servers. */
function roundRobin(...urls: readonly string[]): Promise<string> {
  let sent = 0
  return serverThat((request, answer) => {
    const target = new URL(request.url ?? '', urls[sent++ % urls.length])
    const headers = { ...request.headers, host: target.host }
    const onward = forward(target, { method: request.method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.headers)
      answered.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    request.pipe(onward)
  })
}

it.each(runs.slice(0, inTier({ test: 1, nightly: 3 })))(
  'a sandbox with 10,000 contacts keeps every promise, in the order of seed %i',
  async (seed) => {
    const worlds = await Promise.all(['acme', 'globex'].map((team) => generateWorld({ seed, team, contacts: 5000 })))
    const teams = worlds.flatMap((world) => world.teams)
    const { code, stdout } = await verified({ world: { teams } }, '--seed', String(seed))
    expect(stdout).toContain('Verdict: conformant.')
    expect(code).toBe(0)
  },
)
