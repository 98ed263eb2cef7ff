import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Pool } from 'undici'
import { expect, it, onTestFailed, onTestFinished } from 'vitest'
import { cli } from '../docs/docs-runner.ts'
import { openSocket } from '../mock/raw-http.ts'
import { inTier } from '../tier.ts'
import { expectWithin } from './budget.ts'

// Each server has a small heap, and ends when it needs more.

const { heap, contacts, connections } = inTier({
  test: { heap: 128, contacts: 120, connections: 20 },
  ci: { heap: 256, contacts: 350, connections: 75 },
  nightly: { heap: 512, contacts: 5_000, connections: 150 },
})
const pipelined = 200

const key = { 'x-api-key': 'demo-key' }
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
