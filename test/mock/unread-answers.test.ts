import type { Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../mock/core/clock.ts'
import { Redactor } from '../../shared/redactor.ts'
import { newServer } from '../../mock/http/server.ts'
import { Journal, RequestIds } from '../../mock/journal/journal.ts'
import { openSandbox } from './harness.ts'
import { openSocket } from './raw.ts'

const mebibyte = 1024 * 1024
const request = (target: string, host = 'localhost') => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`

/** A server with an answer of one MiB at /long, and the connections that it has. */
async function openServer(timeToRead?: number) {
  const app = newServer({
    bodyLimit: mebibyte,
    log: undefined,
    secrets: new Redactor(),
    journal: new Journal(systemClock, new RequestIds()),
    ...(timeToRead === undefined ? {} : { timeToRead }),
  })
  const asked: string[] = []
  const connections: Socket[] = []
  app.server.on('connection', (socket) => connections.push(socket))
  app.get<{ Params: { which: string } }>('/long/:which', ({ params }) => {
    asked.push(params.which)
    return params.which.padEnd(mebibyte, '.')
  })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), asked, connections }
}

/** Sends the requests, and waits until the buffers of the client are full. */
async function sendUnread(url: string, bytes: string, connections: readonly Socket[]): Promise<Socket> {
  const socket = await openSocket(url)
  socket.pause()
  socket.write(bytes)
  while (!connections.some(({ writableLength }) => writableLength > 0)) await sleep(5)
  await sleep(100)
  return socket
}

describe('many requests on a connection that reads nothing', () => {
  const many = Array.from({ length: 60 }, (_, at) => String(at))
  const bytes = many.map((which) => request(`/long/${which}`)).join('')

  it('are not handled before the answers to the earlier ones are read', async () => {
    const { url, asked, connections } = await openServer()
    await sendUnread(url, bytes, connections)
    // As many as the buffers of the system take, and one more.
    expect(asked.length).toBeLessThan(30)
    expect(connections[0]?.writableLength).toBeLessThan(1.1 * mebibyte)
  })

  it('are all answered, in order, once it reads', async () => {
    const { url, asked, connections } = await openServer()
    const socket = await sendUnread(url, bytes, connections)
    let read = ''
    socket.on('data', (chunk: Buffer) => (read += chunk.toString().replaceAll('.', '')))
    socket.resume()
    while (asked.length < many.length) await sleep(5)
    socket.end()
    await once(socket, 'close')
    expect([...read.matchAll(/\r\n\r\n(\d+)/g)].map(([, which]) => which)).toEqual(many)
  })

  it('wait in the buffers of the system while too many are unanswered', async () => {
    const { url, connections } = await openServer()
    const socket = await sendUnread(url, bytes.repeat(10_000), connections)
    expect(socket.bytesWritten - socket.writableLength).toBeLessThan(10 * mebibyte)
    expect(socket.writableLength).toBeGreaterThan(mebibyte)
  })
})

describe('a connection that reads nothing', () => {
  it('is closed', async () => {
    const { url, connections } = await openServer(50)
    const socket = await openSocket(url)
    socket.pause()
    socket.write(request('/long/1').repeat(20))
    while (connections.length === 0) await sleep(5)
    await Promise.all(connections.map((connection) => once(connection, 'close')))
  })

  it('stays open while it reads slowly', async () => {
    const { url, asked, connections } = await openServer(1_000)
    const socket = await openSocket(url)
    socket.pause()
    socket.write(request('/long/1').repeat(20))
    for (let turn = 0; turn < 400 && asked.length < 20; turn++) {
      socket.read()
      await sleep(5)
    }
    expect([asked.length, connections[0]?.destroyed]).toEqual([20, false])
  })
})

describe.each(['/openapi.json', '/docs', '/docs/json'])('thousands of unread responses for %s', (target) => {
  it('share its bytes, whatever the host is called', async () => {
    const { sandbox } = await openSandbox({ port: 0 })
    await (await fetch(new URL(target, sandbox.url))).arrayBuffer()
    const { arrayBuffers } = process.memoryUsage()
    const sockets = await Promise.all(Array.from({ length: 50 }, () => openSocket(sandbox.url)))
    for (const socket of sockets) {
      socket.pause()
      socket.write(Array.from({ length: 100 }, (_, at) => request(target, `localhost:${1_000 + at}`)).join(''))
    }
    await sleep(1_000)
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(10 * mebibyte)
  })
})
