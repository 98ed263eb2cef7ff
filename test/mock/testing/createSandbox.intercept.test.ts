import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https, { request as requestTakenBefore } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import { request as undiciRequest } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox } from '../../../index.ts'
import { startSandbox } from '../../for-one-test.ts'

const crm = 'https://crm.invalid'
const headers = { 'x-api-key': 'demo-key', 'content-type': 'application/json' }
const ada = JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace' })

/** Each sends a body to the fixed URL of an operation. */
const clients: [name: string, post: (url: string, body: string) => Promise<Answered>][] = [
  ['fetch', async (url, body) => ofFetch(await fetch(url, { method: 'POST', headers, body }))],
  [
    'fetch of a Request',
    async (url, body) => ofFetch(await fetch(new Request(url, { method: 'POST', headers, body }))),
  ],
  [
    'undici',
    async (url, body) => {
      const answer = await undiciRequest(url, { method: 'POST', headers, body })
      return { status: answer.statusCode, body: await answer.body.json() }
    },
  ],
  [
    'axios',
    async (url, body) => {
      const { status, data } = await axios.post(url, body, { headers, validateStatus: () => true })
      return { status, body: data }
    },
  ],
  ['node:https', (url, body) => ask(https.request(url, options), body)],
  ['the request of node:https, taken before', (url, body) => ask(requestTakenBefore(url, options), body)],
  [
    'node:https with an agent of its own',
    (url, body) => ask(https.request(url, { ...options, agent: new https.Agent({ keepAlive: true, ca: [] }) }), body),
  ],
  ['node:https without an agent', (url, body) => ask(https.request(url, { ...options, agent: false }), body)],
  [
    'node:https with options',
    (url, body) => {
      const { hostname: host, pathname: path, port } = new URL(url)
      return ask(https.request({ ...options, host, path, ...(port ? { port } : {}) }), body)
    },
  ],
]

describe.each(clients)('%s', (_, post) => {
  const create = (body: string, origin = crm) => post(`${origin}/api/contacts`, body)

  it('reaches the sandbox at a host that is fixed', async () => {
    const sandbox = await intercepting(crm)
    expect(await create(ada)).toMatchObject({ status: 201, body: { data: { firstName: 'Ada', teamId: 'demo' } } })
    expect(await contactsOf(sandbox)).toBe(1)
    expect(await create('{')).toMatchObject({ status: 400, body: { success: false } })
  })

  it('reaches nothing that only looks like it, and nothing at all once the sandbox is closed', async () => {
    const sandbox = await intercepting(crm)
    for (const other of ['https://crm.invalid:444', 'https://crm.invalid.invalid', 'https://api.crm.invalid']) {
      await expect(create(ada, other)).rejects.toThrow()
    }
    expect(await contactsOf(sandbox)).toBe(0)
    await sandbox.close()
    await expect(create(ada)).rejects.toThrow()
  })
})

it('leaves other servers alone', async () => {
  const other = await otherServer()
  await intercepting(crm)
  expect(await (await fetch(other.url)).text()).toBe(`GET / of ${other.host}`)
  expect((await axios.get<string>(other.url)).data).toBe(`GET / of ${other.host}`)
  expect(other.requests).toBe(2)
})

it('leaves the process as it was when it is closed', async () => {
  const before = processWide()
  const [one, other] = [await intercepting(crm), await intercepting('http://crm.invalid:8080')]
  expect(processWide()).not.toEqual(before)
  await one.close()
  expect((await fetch('http://crm.invalid:8080/openapi.json')).status).toBe(200)
  await other.close()
  expect(processWide()).toEqual(before)
})

describe('several sandboxes', () => {
  it('each intercept their own origin', async () => {
    await intercepting('https://one.invalid', 'two-teams')
    await intercepting('https://other.invalid', 'empty')
    const teams = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const answer = await fetch(`https://${name}.invalid/_sandbox/teams`)
        return ((await answer.json()) as { data: unknown[] }).data.length
      }),
    )
    expect(teams).toEqual([2, 1])
  })

  it('cannot answer for the same one, and the second leaves nothing open', async () => {
    const first = await intercepting('https://crm.invalid')
    for (const same of ['https://crm.invalid', 'HTTPS://CRM.INVALID/', 'https://crm.invalid:443']) {
      await expect(createSandbox({ intercept: same })).rejects.toThrow(
        'Another sandbox of this process intercepts https://crm.invalid; close it first.',
      )
    }
    expect((await fetch(`${crm}/openapi.json`)).status).toBe(200)
    await first.close()
    await intercepting(crm)
    expect((await fetch(`${crm}/openapi.json`)).status).toBe(200)
  })
})

it('listens on the given port, or on a free one', async () => {
  const free = await intercepting(crm)
  expect(free.listening).toMatchObject({ address: '127.0.0.1', reach: 'thisMachine' })
  await using other = await createSandbox({ intercept: 'https://six.invalid', port: 0, host: '::1' })
  expect(other.url).toMatch(/^http:\/\/\[::1\]/)
  expect((await ask(https.request('https://six.invalid/api/contacts', options), ada)).status).toBe(201)
  expect((await fetch('https://six.invalid/openapi.json')).status).toBe(200)
})

it('takes over an address of this machine', async () => {
  await intercepting('http://localhost:4999')
  expect((await fetch('http://localhost:4999/openapi.json')).status).toBe(200)
  await intercepting('https://[::1]:8443')
  expect((await ask(https.request('https://[::1]:8443/api/contacts', options), ada)).status).toBe(201)
})

const noOrigins = ['', '*', 'crm.invalid', 'ftp://crm.invalid', 'https://', 'https://*', 'https://%00', 'file:///etc']
const notOnlyOrigins = ['/api', '?x', '#x', '.', ':99999', '\\api'].map((end) => `${crm}${end}`)
const noTexts = [1, true, null, {}, [crm], new URL(crm)]

it.each<unknown>([...noOrigins, ...notOnlyOrigins, 'https://ada:secret@crm.invalid', ...noTexts])(
  'refuses to intercept %o',
  async (intercept) => {
    const before = processWide()
    await expect(createSandbox({ intercept } as object)).rejects.toThrow(
      /^The option intercept of createSandbox must be (a string|the origin of a server, without a path, such as https:\/\/crm\.example\.com)\.$/,
    )
    expect(processWide()).toEqual(before)
  },
)

describe('a client', () => {
  it('sends forms and streams', async () => {
    const sandbox = await intercepting(crm)
    const form = new FormData()
    for (const [name, value] of Object.entries(template)) form.set(name, value)
    form.set('headerMediaType', 'image')
    form.set('headerMedia', new Blob([pixel], { type: 'image/png' }), 'cog.png')
    const key = { 'x-api-key': 'demo-key' }
    const sent = await fetch(`${crm}/api/templates`, { method: 'POST', headers: key, body: form })
    expect(await sent.json()).toMatchObject({ success: true })
    const byAxios = await axios.postForm(
      `${crm}/api/templates`,
      { ...template, uniqueName: 'by_axios' },
      { headers: key },
    )
    expect(byAxios.status).toBe(201)

    const parts = new ReadableStream({
      start(controller) {
        for (const part of ['{"firstName":"Ada",', '"lastName":"Lovelace"}']) controller.enqueue(Buffer.from(part))
        controller.close()
      },
    })
    const streamed = await fetch(`${crm}/api/contacts`, {
      method: 'POST',
      headers,
      body: parts,
      duplex: 'half',
    } as object)
    expect(streamed.status).toBe(201)
    expect(await contactsOf(sandbox)).toBe(1)
  })

  it('follows redirects to the origin and away from it', async () => {
    const other = await otherServer(`${crm}/openapi.json`)
    await intercepting(crm)
    expect(((await (await fetch(other.url)).json()) as { openapi: string }).openapi).toMatch(/^3/)
    expect((await axios.get<{ openapi: string }>(other.url)).data.openapi).toMatch(/^3/)
  })

  it('gives up, before an answer and while it comes', async () => {
    const sandbox = await intercepting(crm)
    await expect(fetch(`${crm}/openapi.json`, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
    const controller = new AbortController()
    const answer = await fetch(`${crm}/openapi.json`, { signal: controller.signal })
    controller.abort()
    await expect(answer.text()).rejects.toThrow('aborted')
    const byAxios = axios.get(`${crm}/openapi.json`, { signal: AbortSignal.abort() })
    await expect(byAxios).rejects.toThrow('canceled')
    expect((await sandbox.fetch('/openapi.json')).status).toBe(200)
  })

  it('keeps its connection', async () => {
    await intercepting(crm)
    const agent = new https.Agent({ keepAlive: true })
    const ports = new Set<number | undefined>()
    for (let nth = 0; nth < 3; nth++) {
      const asked = https.request(`${crm}/openapi.json`, { agent })
      const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage]
      ports.add(answer.socket.localPort)
      await text(answer)
      await new Promise(setImmediate) // the socket is free again one turn after the end
    }
    expect(ports.size).toBe(1)
    agent.destroy()
  })
})

interface Answered {
  readonly status: number
  readonly body: unknown
}

const ofFetch = async (answer: Response): Promise<Answered> => ({ status: answer.status, body: await answer.json() })

const options = { method: 'POST', headers }

async function ask(asked: http.ClientRequest, body: string): Promise<Answered> {
  const [answer] = (await once(asked.end(body), 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 0, body: JSON.parse(await text(answer)) }
}

interface Dispatcher {
  dispatch(options: { origin: unknown }, handler: unknown): unknown
}

const place: unique symbol = Symbol.for('undici.globalDispatcher.1')

const processGlobals = globalThis as unknown as { [place]: Dispatcher }

const dispatcher = {
  get dispatcher() {
    return processGlobals[place]
  },
  set dispatcher(value: Dispatcher) {
    processGlobals[place] = value
  },
}

/** The globals that an interception patches. */
function processWide(): unknown[] {
  const { addRequest } = http.Agent.prototype as unknown as { addRequest: unknown }
  return [dispatcher.dispatcher, addRequest]
}

const template = {
  templateType: 'whatsapp',
  name: 'Cog',
  uniqueName: 'cog',
  content: 'A cog for {{1}}',
  category: 'UTILITY',
  language: 'en_US',
  provider: 'whatsapp-provider',
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const intercepting = (intercept: string, world = 'empty') => startSandbox({ intercept, world })

/** A server that has nothing to do with the sandbox; it may redirect. */
async function otherServer(location?: string) {
  let requests = 0
  const server = http.createServer(({ method = '', url = '', headers: { host = '' } }, response) => {
    requests++
    if (location !== undefined) response.writeHead(302, { location })
    response.end(`${method} ${url} of ${host}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}/`,
    host,
    get requests() {
      return requests
    },
  }
}

async function contactsOf(sandbox: Sandbox): Promise<number> {
  const { teams } = await sandbox.world()
  return teams.flatMap(({ contacts = [] }) => contacts).length
}
