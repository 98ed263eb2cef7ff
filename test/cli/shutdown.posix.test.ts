import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, type TestContext } from 'vitest'
import { openSocket, untilClosed } from '../mock/raw-http.ts'
import { serve } from './command.ts'
import { newFolder, postAs } from '../for-one-test.ts'
import { spawn } from 'node:child_process'
import { cli } from '../docs/docs-runner.ts'

const body = JSON.stringify({ name: 'Analytical Engine', unitPrice: 1 })

describe.each(['SIGTERM', 'SIGINT'] as const)('on %s', (signal) => {
  it('answers 50 requests in flight, waits for no other client, and exits with 0', async () => {
    const { url, child, over } = await serve()
    const halfSent = await Promise.all(Array.from({ length: 50 }, () => startProduct(url)))
    const stuck = await startProduct(url)
    const headless = await openSocket(url)
    headless.write('POST /api/products HTTP/1.1\r\nHost: loc')
    const silent = await openSocket(url)
    const idle = await openSocket(url)
    idle.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')

    const answers = halfSent.map(untilClosed)
    child.kill(signal)
    await refusesConnections(url)
    for (const socket of halfSent) socket.write(body.slice(10))
    const responses = await Promise.all(answers)
    expect([stuck, headless].map(({ writableEnded }) => writableEnded)).toEqual([false, false])
    expect((await over).code).toBe(0)
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(50)
    for (const socket of [stuck, headless, silent, idle]) await closed(socket)
  })

  it('exits with 1 at once when the signal comes twice', async () => {
    const { url, child, over } = await serve()
    await startProduct(url)
    child.kill(signal)
    await refusesConnections(url)
    child.kill(signal)
    expect((await over).code).toBe(1)
  })
})

describe('with --drain', () => {
  const post = async (url: string) => {
    const { status, headers } = await fetch(`${url}/api/products`, postAs('demo-key', body))
    return [status, headers.get('connection'), headers.get('keep-alive')]
  }
  const isReady = async (url: string) => (await fetch(`${url}/_sandbox/ready`)).status

  it('serves on after SIGTERM, ends each connection with its answer, and is not ready', async () => {
    const { url, child, over } = await serve(['--drain', '1h', '--keep-alive', '90s'])
    expect(await post(url)).toEqual([201, 'keep-alive', 'timeout=90'])
    expect(await isReady(url)).toBe(200)
    child.kill('SIGTERM')
    await expect.poll(() => isReady(url)).toBe(503)
    expect(await post(url)).toEqual([201, 'close', null])
    expect((await fetch(`${url}/_sandbox/live`)).status).toBe(200)
    child.kill('SIGTERM')
    expect((await over).code).toBe(1)
  })

  it('stops once that time is over', async () => {
    const { url, child, over } = await serve([], { CRM_SANDBOX_DRAIN: '50ms' })
    const idle = await openSocket(url)
    child.kill('SIGTERM')
    expect((await over).code).toBe(0)
    await closed(idle)
  })

  it('stops at once with Ctrl+C', async () => {
    const { child, over } = await serve(['--drain', '1h'])
    child.kill('SIGINT')
    expect((await over).code).toBe(0)
  })
})

it('leaves everything in its file, without a lock', async () => {
  const store = ['--store', `file:${join(newFolder(), 'crm.json')}`]
  const first = await serve(store)
  const created = await fetch(`${first.url}/_sandbox/teams`, { method: 'POST' })
  const { data } = (await created.json()) as { data: { teamId: string } }
  first.child.kill('SIGTERM')
  expect((await first.over).code).toBe(0)
  const second = await serve(store)
  expect((await fetch(`${second.url}/_sandbox/teams/${data.teamId}`)).status).toBe(200)
})

/** Sends a request without the end of its body, and returns once the server has read its head. */
async function startProduct(url: string): Promise<Socket> {
  const socket = await openSocket(url)
  const head = [
    'POST /api/products HTTP/1.1',
    'Host: localhost',
    'x-api-key: demo-key',
    'content-type: application/json',
    'expect: 100-continue',
  ]
  const goesOn = once(socket, 'data')
  socket.write([...head, `content-length: ${body.length}`, '', body.slice(0, 10)].join('\r\n'))
  expect(String(await goesOn)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  return socket
}

async function refusesConnections(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  for (;;) {
    const socket = connect(Number(port), hostname)
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (!isOpen) return
    await wait(10)
  }
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.destroyed) await new Promise((resolve) => socket.resume().once('close', resolve))
}

// The parent process of each test plays npx, or the shell of `npm start`: it starts the server, and is killed.

const ofNpx = { npm_command: 'exec', npm_lifecycle_event: 'npx', npm_lifecycle_script: "'crm-sandbox' serve" }

it.concurrent.for<[string, Readonly<Record<string, string>>]>([
  ['npx', ofNpx],
  ['`npm start` of a clone', { npm_lifecycle_event: 'start', npm_package_name: 'crm-sandbox' }],
])('ends when the %s that started it is gone', async ([, variables], context) => {
  const { parent, pid } = await startBy(context, variables)
  parent.kill('SIGKILL')
  while (isRunning(pid)) await wait(50)
})

it.concurrent('drains when the npx that started it is gone', async (context) => {
  const { parent, url } = await startBy(context, { ...ofNpx, CRM_SANDBOX_DRAIN: '1h' })
  parent.kill('SIGKILL')
  await context.expect.poll(async () => (await fetch(`${url}/_sandbox/ready`)).status).toBe(503)
  context.expect((await fetch(`${url}/_sandbox/live`)).status).toBe(200)
})

it.concurrent.for<[string, Readonly<Record<string, string>>]>([
  ['by its path', {}],
  ['by a script of another project', { npm_lifecycle_event: 'start', npm_package_name: 'shop' }],
  ['by a program that npx runs', { ...ofNpx, npm_lifecycle_script: "'jest' crm-sandbox" }],
])('keeps running when it was started %s', async ([, variables], context) => {
  const { parent, url, pid } = await startBy(context, variables)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  await wait(1_500) // three times as long as it takes to notice
  expect(isRunning(pid)).toBe(true)
  expect((await fetch(url)).status).toBe(200)
})

async function startBy({ onTestFinished }: TestContext, variables: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH ?? '', ...variables }
  const parent = spawn(process.execPath, ['-e', starting], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const { url, pid } = JSON.parse(line.toString()) as { url: string; pid: number }
  onTestFinished(() => {
    parent.kill('SIGKILL')
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  })
  return { parent, url, pid }
}

const starting = `
  const args = [${JSON.stringify(cli)}, 'serve', '--port', '0', '--print-json']
  require('node:child_process').spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'ignore'] })
  setInterval(() => {}, 1000)
`

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
