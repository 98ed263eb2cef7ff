import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { sweep, type SweepOptions } from '../../../cli/sweep/sweep.ts'
import { startForTests } from '../../../cli/own-target.ts'

/** The command that runs one of the suites of `suites.mjs`. */
export const suite = (name: string) => [process.execPath, resolve(import.meta.dirname, 'suites.mjs'), name]

export function sweepSuite(name: string, more: Partial<SweepOptions> = {}) {
  const { PATH = '' } = process.env
  return sweep({
    command: suite(name),
    startSandbox: startForTests,
    world: 'demo',
    profile: {},
    atOnce: 2,
    env: { PATH },
    names: new Map(),
    ...more,
  })
}

/** A command with a child process; both ignore SIGTERM, or the parent exits. `ended` resolves after the end of both. */
export async function startLifeline(part: 'stays' | 'leaves' = 'stays') {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    command: [process.execPath, resolve(import.meta.dirname, 'clinging.mjs'), String(port), part],
    began: async () => {
      await expect.poll(() => sockets.length).toBe(2)
    },
    ended: async () => {
      await expect.poll(() => sockets.every(({ closed }) => closed)).toBe(true)
      return sockets.length
    },
  }
}
