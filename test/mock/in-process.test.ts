import { setTimeout as after } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../mock/create-sandbox.ts'
import { asSent, Pool, profiles, type Shown } from '../fuzz/fuzz-run.ts'
import { requestsOf } from '../fuzz/requests.ts'
import { operationIds } from './asks.ts'
import { inTier } from '../tier.ts'
import { twoTeams } from './harness.ts'

type Ask = (fetch: Sandbox['fetch'], base: string) => Promise<Response>

// The same requests each time.
const seed = 20260301

const count = inTier({ test: 400, ci: 2_000 })

it('answers as the server does over a socket, odd requests and others', async () => {
  const statuses = await askAlike(count, {})
  const times = [200, 201, 400, 401, 404].map((status) => statuses.filter((seen) => seen === status).length)
  // Successes become rare in a long run, since it deletes what it could refer to.
  expect(Math.min(...times)).toBeGreaterThan(4)
}, 60_000)

it('does so with other choices', async () => {
  for (const assume of profiles(inTier({ test: 2, ci: 5 }), seed)) await askAlike(200, { assume })
})

it('can be aborted like the global fetch, before and during the request', async () => {
  await using sandbox = await createSandbox({ world: twoTeams })
  const gone = AbortSignal.abort()
  const controller = new AbortController()
  const request = (signal: AbortSignal) => new Request(`${sandbox.url}/api/quotes`, { method: 'POST', signal })
  await expect(sandbox.fetch('/openapi.json', { signal: gone })).rejects.toThrow('aborted')
  await expect(sandbox.fetch(request(gone))).rejects.toThrow('aborted')
  const asked = [
    sandbox.fetch('/openapi.json', { signal: controller.signal }),
    sandbox.fetch(request(controller.signal)),
  ]
  controller.abort()
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await sandbox.fetch('/openapi.json')).status).toBe(200)
})

it('answers no more once the sandbox is closed', async () => {
  const sandbox = await createSandbox({ world: twoTeams })
  await sandbox.close()
  await expect(sandbox.fetch('/api/templates')).rejects.toThrow('This sandbox is closed')
  await expect(sandbox.close()).resolves.toBeUndefined()
})

/** Asks both doors of the same sandbox; gives the statuses of the answers. */
async function askAlike(count: number, options: Partial<SandboxOptions>): Promise<number[]> {
  const { answersAlike } = await openDoors(options)
  const pool = new Pool()
  const statuses: number[] = []
  for (const draft of drafts(count)) {
    const { url, init } = asSent(draft.id, draft, pool, 'http://localhost')
    const path = draft.around.path(url.pathname + url.search)
    if (path.length > 12_000) continue // a socket takes no more than 16 KiB of headers
    const odd = draft.around.init(init)
    const asked = `${odd.method ?? 'GET'} ${path} ${JSON.stringify(odd)}`
    const { status, body } = await answersAlike((fetch, base) => fetch(base + path, odd), asked)
    statuses.push(status)
    if (status < 300 && path.startsWith('/api')) pool.learn(draft.id, JSON.parse(body) as Shown)
    if (status < 300 && draft.id === 'sendBulkMessages') await after(20) // messages sent meanwhile take ids
  }
  return statuses
}

/** Two sandboxes that get the same requests, one over a socket. */
async function openDoors(options: Partial<SandboxOptions>) {
  const same = { world: twoTeams, seed: 1, clock: { now: () => Date.UTC(2026, 2, 1) }, ...options }
  const overSocket = await createSandbox({ ...same, port: 0 })
  const inProcess = await createSandbox(same)
  onTestFinished(async () => {
    await overSocket.close()
    await inProcess.close()
  })
  return {
    answersAlike: async (ask: Ask, asked: string) => {
      const expected = await told(await ask(fetch, overSocket.url), overSocket.url)
      expect(await told(await ask(inProcess.fetch, inProcess.url), inProcess.url), asked).toEqual(expected)
      return expected
    },
  }
}

/** The OpenAPI document names the URL of its sandbox. */
async function told(answer: Response, url: string) {
  const text = await answer.text()
  const ignored = text.includes(url) ? [...ofTheConnection, 'content-length'] : ofTheConnection
  const headers = [...answer.headers].filter(([name]) => !ignored.includes(name))
  return { status: answer.status, headers: Object.fromEntries(headers), body: text.replaceAll(url, '') }
}

const ofTheConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding']

interface Around {
  readonly path: (path: string) => string
  readonly init: (init: RequestInit) => RequestInit
}

const asItIs: Around = { path: (path) => path, init: (init) => init }
const inPath = (path: Around['path']): Around => ({ ...asItIs, path })
const inInit = (init: Around['init']): Around => ({ ...asItIs, init })
const withHeaders = (headers: Record<string, string>) =>
  inInit((init) => ({ ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }))

/** Paths, headers and methods that no client of the document would send. */
const oddities: readonly Around[] = [
  ...['/', '//', '/.', '%', '%2F', '%20', ';a=b', '?', '?&&', '?=', '?a', '?a=%', '?a=%ff&a=b+c', '?page=1&page=2'].map(
    (end) => inPath((path) => path + end),
  ),
  ...[
    '/',
    '/api',
    '/openapi.json',
    '/docs',
    '/docs/nothing',
    '/_sandbox/templates/none/approve',
    '/_sandbox/nothing',
  ].map((other) => inPath(() => other)),
  inPath((path) => path.replace('/api', '/API')),
  inPath((path) => path.replace('/', '//')),
  inPath((path) => path.replace(/[^/?]+(\?|$)/, (last) => `${'x'.repeat(3000)}${last}`)),
  inPath((path) => path.replace(/[a-z](?=[^/]*$)/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`)),
  ...['HEAD', 'OPTIONS', 'PATCH', 'put', 'DELETE'].map((method) =>
    inInit((init) => ({ ...init, method, ...(method === 'HEAD' ? { body: null } : {}) })),
  ),
  withHeaders({ 'x-api-key': 'nobody' }),
  withHeaders({ authorization: 'Bearer nothing' }),
  withHeaders({ 'content-type': 'application/json; charset=latin1' }),
  withHeaders({ 'content-type': 'text/plain' }),
  withHeaders({ 'content-type': 'multipart/form-data' }),
  withHeaders({ 'idempotency-key': 'once', origin: 'http://elsewhere.example' }),
  inInit(({ headers, ...init }) => init),
  inInit((init) => (init.method === 'GET' ? init : { ...init, body: '' })),
  inInit((init) => (init.method === 'GET' ? init : { ...init, body: Buffer.from('{"name":"\xff"}', 'latin1') })),
  inInit((init) => (init.method === 'GET' ? init : { ...init, body: `{"name":"${'x'.repeat(300_000)}"}` })),
]

/** Each operation in its turn. */
function* drafts(count: number) {
  const each = Math.ceil(count / operationIds.length)
  const around = fc.oneof(
    { weight: 2, arbitrary: fc.constant(asItIs) },
    { weight: 1, arbitrary: fc.constantFrom(...oddities) },
  )
  const all = operationIds.map((id, at) => {
    const options = { seed: seed + at, numRuns: each }
    return fc.sample(fc.tuple(requestsOf(id), around), options).map(([draft, odd]) => ({ ...draft, around: odd, id }))
  })
  for (let at = 0; at < count; at++) {
    const draft = all[at % all.length]?.[Math.floor(at / all.length)]
    if (draft) yield draft
  }
}
