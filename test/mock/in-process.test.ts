import { expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../mock/create-sandbox.ts'
import { operations } from '../../spec/operations.ts'
import { examples, furnished, operationIds, targetOf } from './asks.ts'
import { twoTeams } from './harness.ts'

type Sent = readonly [path: string, init: RequestInit]

const json = { 'x-api-key': 'acme-key', 'content-type': 'application/json' }

const usual = operationIds.map((id): Sent => {
  const { body } = examples[id]
  const method = operations[id].method.toUpperCase()
  return [targetOf(id), { method, headers: json, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }]
})

const path = '/api/products'
const product = '{"name":"Engine","unitPrice":1}'
const post = { method: 'POST', headers: json, body: product }

/** Requests that no client of the document would send. */
const odd: readonly Sent[] = [
  ...['//', '%', '%20', ';a=b', '?', '?&&', '?a=%ff&a=b+c'].map((end): Sent => [path + end, post]),
  ...['/', '/api', '/openapi.json', '/docs', '/docs/nothing', '/_sandbox/nothing', '/API/products'].map(
    (other): Sent => [other, { headers: json }],
  ),
  ...['HEAD', 'OPTIONS', 'PATCH', 'put'].map((method): Sent => [path, { method, headers: json }]),
  [path, { ...post, headers: { ...json, 'content-type': 'application/json; charset=latin1' } }],
  [path, { ...post, headers: { ...json, 'content-type': 'multipart/form-data' } }],
  [path, { ...post, headers: { ...json, 'idempotency-key': 'once', origin: 'http://elsewhere.example' } }],
  [path, { method: 'POST', body: product }],
  [path, { ...post, body: '' }],
  [path, { ...post, body: Buffer.from('{"name":"\xff"}', 'latin1') }],
  [path, { ...post, body: `{"name":"${'x'.repeat(300_000)}"}` }],
]

it('answers as the server does over a socket, odd requests and others', async () => {
  const options = { world: furnished, seed: 1, clock: { now: () => Date.UTC(2026, 2, 1) } }
  const overSocket = await createSandbox({ ...options, port: 0 })
  const inProcess = await createSandbox(options)
  onTestFinished(async () => {
    await overSocket.close()
    await inProcess.close()
  })
  for (const [target, init] of [...odd, ...usual]) {
    const expected = await told(await fetch(overSocket.url + target, init), overSocket.url)
    expect(await told(await inProcess.fetch(inProcess.url + target, init), inProcess.url), target).toEqual(expected)
  }
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

/** The OpenAPI document names the URL of its sandbox. */
async function told(answer: Response, url: string) {
  const text = await answer.text()
  const ignored = text.includes(url) ? [...ofTheConnection, 'content-length'] : ofTheConnection
  const headers = [...answer.headers].filter(([name]) => !ignored.includes(name))
  return { status: answer.status, headers: Object.fromEntries(headers), body: text.replaceAll(url, '') }
}

const ofTheConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding']
