import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Pool } from 'undici'
import { describe, expect, it, onTestFailed, onTestFinished } from 'vitest'
import { cli } from '../docs/docs-runner.ts'
import { startSandbox } from '../for-one-test.ts'
import { openSocket } from '../mock/raw-http.ts'
import { inTier } from '../tier.ts'
import { expectWithin } from './budget.ts'

// Each server has a small heap, and ends when it needs more.

/** Of a large world, of a stalled upload in MiB, of a history, of teams with 100 keys each, of loads of them, and of rules. */
const small = { inWorld: 7_000, upload: 8, history: 150, keyed: 100, loads: 6, rules: 2 }
const { heap, contacts, connections, inWorld, upload, history, keyed, loads, rules } = inTier({
  test: { heap: 128, contacts: 120, connections: 20, ...small },
  ci: { heap: 256, contacts: 350, connections: 75, ...small },
  nightly: {
    ...{ heap: 512, contacts: 5_000, connections: 150 },
    ...{ inWorld: 24_000, upload: 28, history: 900, keyed: 500, loads: 14, rules: 1_000 },
  },
})
const pipelined = 200

const key = { 'x-api-key': 'demo-key' }
const createdAt = '2026-03-01T09:30:00.000Z'
const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nx-api-key: demo-key\r\n\r\n`

it('stays flat while large contacts are created and deleted, with an Idempotency-Key and without', async () => {
  const { pool, megabytes } = await startServer()
  const text = 'x'.repeat(900_000)
  const createAndDelete = async (number: number) => {
    const keyed = (name: string) => (number % 2 === 0 ? { ...key, 'idempotency-key': `${name} ${number}` } : key)
    const contact = { firstName: 'Ada', lastName: text, email: `ada.${number}@example.com` }
    const { data } = await ask(pool, 'POST', '/api/contacts', keyed('create'), contact)
    await ask(pool, 'DELETE', `/api/contacts/${data._id}`, keyed('delete'))
  }
  await inTurns(contacts, createAndDelete)
  expectWithin(`megabytes in use after ${contacts} contacts of 900 KB were created and deleted`, await megabytes(), 100)
})

it.each([
  ['the document', '/openapi.json', 100],
  ['100 templates of 10 KB', '/api/templates?page=1&limit=100&types=sms&statuses=approved', 200],
])('stays flat when clients pipeline requests and read no response: %s', async (what, path, goal) => {
  const { url, pool, megabytes } = await startServer()
  await inTurns(100, (number) => {
    const names = { name: `Template ${number}`, uniqueName: `template-${number}` }
    const template = { ...names, templateType: 'sms', content: 'x'.repeat(10_000), provider: 'sms-provider' }
    return ask(pool, 'POST', '/api/templates', key, template)
  })
  const sockets: Socket[] = []
  for (let count = 0; count < connections; count++) {
    const socket = await openSocket(url)
    socket.pause().write(head(path).repeat(pipelined))
    sockets.push(socket)
  }
  let most = 0
  for (let times = 0; times < 20; times++) {
    for (let others = 0; others < 10; others++) await ask(pool, 'GET', '/_sandbox/health')
    most = Math.max(most, await megabytes())
  }
  expectWithin(`megabytes in use while ${connections} clients do not read ${what}`, most, goal)
  for (const socket of sockets.slice(1)) socket.destroy()
  for (const socket of sockets.slice(0, 1))
    expect(await statusesOf(socket)).toEqual(Array.from({ length: pipelined }, () => '200'))
})

async function startServer() {
  const report = `process.on('disconnect', () => process.exit())
  process.on('message', () => {
    gc()
    const { heapUsed, external } = process.memoryUsage()
    process.send(Math.ceil((heapUsed + external) / 1e6))
  })`
  const preload = `data:text/javascript,${encodeURIComponent(report)}`
  const execArgv = [`--max-old-space-size=${heap}`, '--expose-gc', '--import', preload]
  const child = fork(cli, ['serve', '--port', '0'], { execArgv, silent: true })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  onTestFailed(() => console.log(output))
  await expect.poll(() => output).toContain('/_sandbox/health')
  const url = /http:\/\/[^\s/"]+/.exec(output)?.[0] ?? ''
  // The server may close an idle connection at the moment when a busy machine uses it, so each serves one request.
  const pool = new Pool(url, { connections: 4, pipelining: 0 })
  onTestFinished(async () => {
    await pool.destroy()
    child.kill('SIGKILL')
    await ended
  })
  const megabytes = async () => {
    const reply = once(child, 'message')
    child.send('collect garbage')
    const [used] = (await reply) as [number]
    return used
  }
  return { url, pool, megabytes }
}

async function ask(pool: Pool, method: 'GET' | 'POST' | 'DELETE', path: string, headers = {}, body?: object) {
  const sent = body && { body: JSON.stringify(body) }
  const type = body && { 'content-type': 'application/json' }
  const response = await pool.request({ method, path, headers: { ...headers, ...type }, ...sent })
  const text = await response.body.text()
  expect(response.statusCode, text.slice(0, 1_000)).toBeLessThan(300)
  return JSON.parse(text) as { data: { _id: string } }
}

/** Does the work for each number, four at once. */
async function inTurns(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all([one(), one(), one(), one()])
}

/** Reads a response for each request. */
async function statusesOf(socket: Socket): Promise<string[]> {
  const statuses: string[] = []
  let rest = ''
  for await (const chunk of socket) {
    rest += String(chunk)
    const found = [...rest.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    statuses.push(...found.map(([, status = '']) => status))
    rest = rest.slice(-12)
    if (statuses.length >= pipelined) break
  }
  return statuses
}

describe('what takes memory at once', () => {
  it('is one world of several, and the others may try again', async () => {
    const { url, pool } = await startServer()
    const contact = { firstName: 'Ada', lastName: 'x'.repeat(1_000), teamId: 'acme', createdAt, updatedAt: createdAt }
    const contacts = Array.from({ length: inWorld }, (_, at) => ({
      ...contact,
      _id: at.toString(16).padStart(24, '0'),
    }))
    const body = JSON.stringify({ version: 1, teams: [{ _id: 'acme', name: 'Acme', apiKeys: ['acme-key'], contacts }] })
    const headers = { 'content-type': 'application/json' }
    const load = () => fetch(`${url}/_sandbox/world`, { method: 'PUT', headers, body })
    const answers = await Promise.all(Array.from({ length: 12 }, load))
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1')
    for (const answer of answers) await answer.text()
    expect((await load()).status).toBe(200)
    await ask(pool, 'GET', '/_sandbox/health')
  })

  it('is not the body of a client that stalls', async () => {
    const { url, pool, megabytes } = await startServer()
    const size = upload * 1024 * 1024
    const head = ['PUT /_sandbox/world HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
    for (let count = 0; count < connections; count++) {
      const socket = await openSocket(url)
      socket.write([...head, `Content-Length: ${size}`, '', '['].join('\r\n'))
      socket.write(' '.repeat(size - 1_000))
    }
    for (let others = 0; others < 20; others++) await ask(pool, 'GET', '/_sandbox/health')
    expectWithin(`megabytes in use while ${connections} clients stall in a world`, await megabytes(), 100)
  })

  it('is the whole of a response only for a fault that changes it', async () => {
    const { pool, url } = await startServer()
    const text = 'x'.repeat(90_000)
    const conversationId = '66f0a1b2c3d4e5f601235001'
    const message = { channel: 'chat', conversationId, content: text }
    await inTurns(history, () => ask(pool, 'POST', '/api/messages/sendLiveMessage', key, message))
    const read = async () => {
      const response = await fetch(`${url}/api/messages/${conversationId}?page=1&limit=1000`, {
        headers: key,
      })
      return [response.status, (await response.text()).length] as const
    }
    const readMany = async () => Object.fromEntries(await Promise.all(Array.from({ length: 20 }, read)))
    const fault = { operation: 'createDeal', phase: 'afterCommit', status: 500 }
    await ask(pool, 'POST', '/_sandbox/faults', {}, fault)
    expect(await readMany()).toEqual({ 200: (await read())[1] })
    await ask(
      pool,
      'POST',
      '/_sandbox/faults',
      {},
      { ...fault, operation: 'listMessages', status: undefined, body: 'cut' },
    )
    expect(Object.keys(await readMany())).toEqual(['200', '500'])
  })
})

it('refuses a body that finds no memory, in the words of the service, before it is read', async () => {
  const { url } = await startSandbox({ memory: 16, port: 0 })
  const size = 1_000_000
  const head = [
    'POST /api/contacts HTTP/1.1',
    'Host: localhost',
    'x-api-key: demo-key',
    'Content-Type: application/json',
  ]
  const opened = async () => {
    const socket = await openSocket(url)
    socket.write([...head, `Content-Length: ${size}`, '', '{'].join('\r\n'))
    return socket
  }
  const stalled: Socket[] = []
  while (stalled.length < 8) stalled.push(await opened())
  const create = (lastName: string) =>
    fetch(`${url}/api/contacts`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({ firstName: 'Ada', lastName }),
    })
  await expect.poll(async () => (await create('x'.repeat(900_000))).status).toBe(500)
  const refused = await create('x'.repeat(900_000))
  expect(await refused.json()).toEqual({ success: false, message: 'Internal server error' })
  expect(refused.headers.get('x-sandbox-hint')).toMatch(/^other requests take all memory/)
  expect((await create('Byron')).status).toBe(201)
  for (const socket of stalled) socket.destroy()
  await expect.poll(async () => (await create('x'.repeat(900_000))).status).toBe(201)
})

it('refuses faults and gates that together take more than their part, and no request then', async () => {
  const sandbox = await startSandbox({ memory: 24 })
  const where = { lastName: 'x'.repeat(900_000) }
  await sandbox.faults.add({ operation: 'createContact', status: 500, where })
  await sandbox.gates.add({ operation: 'createContact', where })
  for (let added = 0; added < rules; added++)
    await expect(
      added % 2 === 0 ? sandbox.faults.add({ status: 503, where }) : sandbox.gates.add({ where }),
    ).rejects.toThrow(/^the faults and gates take all memory that there is for them/)
  expect([(await sandbox.faults.list()).length, (await sandbox.gates.list()).length]).toEqual([1, 1])
  await sandbox.gates.clear()
  expect(await sandbox.faults.add({ status: 503, where, times: 1 })).toMatchObject({ id: 'fault-2' })
})

it('keeps no key of the worlds before, while each world has others', async () => {
  const { url, megabytes } = await startServer()
  const headers = { 'content-type': 'application/json' }
  const keysOf = (round: number, team: number) =>
    Array.from({ length: 100 }, (_, at) => `key-${round}-${team}-${at}-${'x'.repeat(30)}`)
  const load = async (round: number) => {
    const teams = Array.from({ length: keyed }, (_, team) => ({
      _id: `team-${team}`,
      name: 'A',
      apiKeys: keysOf(round, team),
    }))
    const { status } = await fetch(`${url}/_sandbox/world`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ version: 1, teams }),
    })
    expect(status).toBe(200)
  }
  for (let round = 0; round < 3; round++) await load(round)
  const before = await megabytes()
  for (let round = 0; round < loads; round++) await load(3 + round)
  const goal = keyed / 10
  expectWithin(`megabytes more after ${loads} worlds with other keys each`, (await megabytes()) - before, goal)
})

it('shows the requests of a journal to as many clients as there is memory for, and to the others later', async () => {
  const { url, pool } = await startServer()
  const additionalFields = { list: Array.from({ length: 5_000 }, () => ({})) }
  await inTurns(120, () =>
    ask(pool, 'POST', '/api/contacts', key, { firstName: 'Ada', lastName: 'B', additionalFields }),
  )
  const read = async () => {
    const response = await fetch(`${url}/_sandbox/requests?all`)
    return [response.status, (await response.text()).length] as const
  }
  const answers = await Promise.all(Array.from({ length: 60 }, read))
  expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200, 429]))
  expect((await read())[0]).toBe(200)
})
