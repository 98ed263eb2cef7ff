import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSandbox } from '../mock/harness.ts'
import { openSocket, untilClosed } from '../mock/raw.ts'
import { serve } from './command.ts'

const body = JSON.stringify({ name: 'Analytical Engine', unitPrice: 1 })

describe.each(['SIGTERM', 'SIGINT'] as const)('on %s', (signal) => {
  it('answers 50 requests in flight, waits for nobody else, and ends', async () => {
    const { url, banner, child, over } = await serve()
    const key = keyIn(banner)
    const halfSent = await Promise.all(Array.from({ length: 50 }, () => halfAProduct(url, key)))
    const stuck = await halfAProduct(url, key)
    const headless = await openSocket(url)
    headless.write('POST /api/products HTTP/1.1\r\nHost: loc')
    const silent = await openSocket(url)
    const idle = await openSocket(url)
    idle.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await wait(100)

    const answers = halfSent.map(untilClosed)
    child.kill(signal)
    await refusesConnections(url)
    for (const socket of halfSent) socket.write(body.slice(10))
    const told = await Promise.all(answers)
    // It ends though these never send the rest, nor close.
    expect([stuck, headless].map(({ writableEnded }) => writableEnded)).toEqual([false, false])
    expect((await over).code).toBe(0)
    expect(told.filter(({ status, headers }) => status === 201 && headers.connection === 'close')).toHaveLength(50)
    for (const socket of [stuck, headless, silent, idle]) await closed(socket)
  })

  it('ends when nothing is in flight, though a client keeps its connection', async () => {
    const { url, child, over } = await serve()
    const idle = await openSocket(url)
    idle.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(idle, 'data')
    child.kill(signal)
    expect((await over).code).toBe(0)
  })

  it('does not wait any longer when it comes twice', async () => {
    const { url, banner, child, over } = await serve()
    await halfAProduct(url, keyIn(banner))
    child.kill(signal)
    await refusesConnections(url)
    child.kill(signal)
    // One that waits until its time is over exits with 0.
    expect((await over).code).toBe(1)
  })
})

it('leaves everything in its file, and nobody to hold it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const store = ['--store', `file:${join(folder, 'crm.json')}`]
  const first = await serve(store)
  const made = await fetch(`${first.url}/_sandbox/teams`, { method: 'POST' })
  const { data } = (await made.json()) as { data: { teamId: string } }
  first.child.kill('SIGTERM')
  expect((await first.over).code).toBe(0)
  const second = await serve(store)
  expect((await fetch(`${second.url}/_sandbox/teams/${data.teamId}`)).status).toBe(200)
})

it('is closed from code in the same way', async () => {
  const { sandbox } = await openSandbox({ port: 0 })
  const stuck = await halfAProduct(sandbox.url, 'acme-key')
  const finishing = await halfAProduct(sandbox.url, 'acme-key')
  const answer = untilClosed(finishing)
  const closing = sandbox.close()
  await refusesConnections(sandbox.url)
  finishing.write(body.slice(10))
  expect(await answer).toMatchObject({ status: 201, headers: { connection: 'close' } })
  await closing
  await closed(stuck)
})

it('takes nobody in while it closes', async () => {
  const { sandbox } = await openSandbox({ port: 0 })
  await halfAProduct(sandbox.url, 'acme-key')
  const closing = sandbox.close()
  await refusesConnections(sandbox.url)
  await closing
})

const keyIn = (banner: string) => /key +(\S+)/.exec(banner)?.[1] ?? ''

/** A request that is in flight until the rest of its body comes. */
async function halfAProduct(url: string, key: string): Promise<Socket> {
  const socket = await openSocket(url)
  const head = ['POST /api/products HTTP/1.1', 'Host: localhost', `x-api-key: ${key}`, 'content-type: application/json']
  socket.write([...head, `content-length: ${body.length}`, '', body.slice(0, 10)].join('\r\n'))
  await wait(20)
  return socket
}

/** Resolves once it has begun to close. */
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
