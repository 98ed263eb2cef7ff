import { describe, expect, it } from 'vitest'
import { inTier, sampleOf, seed } from '../../tier.ts'
import { fuzzRun, profiles, type Fetch } from './fuzz-run.ts'

const { requests, atLeast, count, requestsEach } = inTier({
  test: { requests: 1_200, atLeast: 1, count: 2, requestsEach: 150 },
  ci: { requests: 5_000, atLeast: 3, count: 6, requestsEach: 300 },
  nightly: { requests: 100_000, atLeast: 50, count: 100, requestsEach: 1_000 },
})

it(`answers ${requests} random requests as documented`, async () => {
  const { complaints, rarest } = await fuzzRun({ requests, seed })
  expect(complaints, `seed ${seed}`).toEqual([])
  expect(rarest.succeeded, `${rarest.id}, seed ${seed}`).toBeGreaterThanOrEqual(atLeast)
})

it(`answers as documented with ${count} random profiles, and changes nothing when it refuses`, async () => {
  for (const assume of profiles(count, seed)) {
    const { complaints } = await fuzzRun({ requests: requestsEach, seed, assume, checksWorld: true })
    expect(complaints, `seed ${seed}, ${JSON.stringify(assume)}`).toEqual([])
  }
})

describe('a server', () => {
  it.each(sampleOf(broken, inTier({ test: 2, nightly: Infinity })))(
    'that $server is detected',
    async ({ fetch, complaint }) => {
      const { complaints } = await fuzzRun({
        requests: 1000,
        seed: 20260301,
        broken: fetch,
        patience: 500,
        checksWorld: true,
      })
      expect(complaints).toContainEqual(expect.stringMatching(`^${complaint}`))
    },
  )
})

type Change = (answer: Response, text: string) => Response

const changed =
  (change: Change) =>
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const answer = await fetch(input, init)
    return change(answer, await answer.text())
  }

const as = (status: number, text: string, contentType = 'application/json') =>
  new Response(text, { status, headers: { 'content-type': contentType } })

/** Broken servers, and the complaint that each must cause. */
const broken: readonly { server: string; fetch: (fetch: Fetch) => Fetch; complaint: string }[] = [
  {
    server: 'throws on null',
    fetch: (fetch) => async (input, init) =>
      typeof init?.body === 'string' && /\bnull\b/.test(init.body)
        ? as(500, '{"success":false,"message":"Internal server error"}')
        : fetch(input, init),
    complaint: 'a server error',
  },
  {
    server: 'shows what it deleted',
    fetch: changed((answer, text) => as(answer.status, text.replace(/(deleted")}$/, '$1,"data":{}}'))),
    complaint: 'data where none is shown',
  },
  {
    server: 'accepts a product without a price',
    fetch: (fetch) => async (input, init) => {
      const isProduct = input instanceof URL && init?.method === 'POST' && input.pathname === '/api/products'
      const answer = await fetch(input, init)
      return isProduct && answer.status === 400
        ? as(201, '{"success":true,"message":"Product created","data":{"_id":"1","name":"Engine","unitPrice":0}}')
        : answer
    },
    complaint: 'an invalid body that is accepted',
  },
  {
    server: 'creates a record for what it refuses',
    fetch: (fetch) => async (input, init) => {
      const answer = await fetch(input, init)
      const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }
      if (answer.status === 400)
        await fetch('/api/products', { method: 'POST', headers, body: '{"name":"Engine","unitPrice":1}' })
      return answer
    },
    complaint: 'a refusal that changes records',
  },
  {
    server: 'never answers a delete',
    fetch: (fetch) => (input, init) => (init?.method === 'DELETE' ? new Promise(() => undefined) : fetch(input, init)),
    complaint: 'no answer in time',
  },
]
