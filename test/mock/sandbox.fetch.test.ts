import { expect, it, onTestFinished, describe } from 'vitest'
import { createSandbox } from '../../mock/create-sandbox.ts'
import { operations } from '../../spec/operations.ts'
import { examples, furnished, operationIds, targetOf } from './requests.ts'
import { twoTeams } from './helpers.ts'
import { TextResponse } from '../../mock/http/text-response.ts'

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

it('sandbox.fetch answers as the server does over a socket, odd requests and others', async () => {
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

it('sandbox.fetch can be aborted like the global fetch, before and during the request', async () => {
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

it('sandbox.fetch answers no more once the sandbox is closed', async () => {
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
  const { status, statusText } = answer
  return {
    status,
    statusText,
    url: answer.url.replace(url, ''),
    headers: Object.fromEntries(headers),
    body: text.replaceAll(url, ''),
  }
}

const ofTheConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding']

const knownText = '{"name":"Ada Lovelace, Gräfin – 💡"}'
const textInit = {
  status: 201,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-sandbox-assumed': 'a' },
}

/** The methods that read a body, and their results. */
const readings: Readonly<Record<string, (response: Response) => unknown>> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  arrayBuffer: async (response) => Buffer.from(await response.arrayBuffer()).toString(),
  blob: async (response) => (await response.blob()).text(),
  bytes: async (response) => Buffer.from((await callMethod(response, 'bytes')) as Uint8Array).toString(),
  textStream: async (response) => readAll(callMethod(response, 'textStream') as ReadableStream<string>),
  formData: (response) => callMethod(response, 'formData'),
  body: async (response) => new Response(response.body).text(),
  clone: async (response) => [await response.clone().text(), response.bodyUsed],
}
/** Node 20 lacks some. */
const ways = Object.keys(readings).filter((name) => name in Response.prototype)

describe('a response with a known text', () => {
  it('is a response, with a head like any other', () => {
    const response = new TextResponse(knownText, textInit)
    const other = new Response(knownText, textInit)
    expect(response).toBeInstanceOf(Response)
    for (const name of ['status', 'statusText', 'ok', 'type', 'url', 'redirected', 'bodyUsed'] as const) {
      expect([name, response[name]]).toEqual([name, other[name]])
    }
    expect([...response.headers]).toEqual([...other.headers])
  })

  it('can be read in every way that Node knows', () => {
    const head = ['constructor', 'headers', 'ok', 'redirected', 'status', 'statusText', 'type', 'url', 'bodyUsed']
    const known = Object.getOwnPropertyNames(Response.prototype)
    expect(known.filter((name) => !head.includes(name)).toSorted()).toEqual(ways.toSorted())
  })

  it.each(ways.flatMap((first) => ways.map((second) => [first, second] as const)))(
    'gives %s, and after that %s, what any response gives',
    async (first, second) => {
      expect(await readTwice(new TextResponse(knownText, textInit), first, second)).toEqual(
        await readTwice(new Response(knownText, textInit), first, second),
      )
    },
  )
})

async function readTwice(response: Response, ...ways: readonly string[]) {
  const given: unknown[] = []
  for (const way of ways) {
    const read = Promise.resolve(response).then((asked) => readings[way]?.(asked))
    given.push(await read.catch((error: unknown) => (error as Error).name), response.bodyUsed)
  }
  return given
}

function callMethod(response: Response, name: string): unknown {
  return (Reflect.get(response, name) as () => unknown).call(response)
}

async function readAll(stream: ReadableStream<string>): Promise<string> {
  let text = ''
  for await (const part of stream) text += part
  return text
}
