import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Client } from '../../client/client.ts'
import { mintOf, newMarks } from '../../client/mint.ts'
import { type Target, targetFrom, type Wanted } from '../../client/target/target.ts'
import { type Outgoing, send } from '../../client/transport.ts'

export const key = 'canary-key-of-a-team'

/** A server that does as it is told, until the test is over. */
export async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server whose every answer is this. */
export function serverThatSays(status: number, body: unknown, headers: Record<string, string> = {}): Promise<string> {
  return serverThat((_, answer) => {
    answer.writeHead(status, { 'content-type': 'application/json', ...headers })
    answer.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'contracts-'))
  onTestFinished(() => {
    rmSync(path, { recursive: true, force: true })
  })
  return path
}

export interface Written {
  intent?: object
  created?: string
  nothing?: string
}

/** A client, and what it wrote down and sent. */
export function clientFor(baseUrl: string, wanted: Wanted = {}, change: Partial<Target> = {}) {
  const target = { ...targetFrom({ baseUrl, timeout: 1, ...wanted }, { team: key }), ...change }
  const mint = mintOf(newMarks())
  const written: object[] = []
  const sent: Outgoing[] = []
  const ledger = {
    intend: (intent: object) => {
      written.push(intent)
      return String(written.length)
    },
    record: (event: object) => {
      written.push(event)
    },
  }
  const client = new Client({
    target,
    mint,
    ledger,
    send: (request, timeout) => {
      sent.push(request)
      return send(request, timeout)
    },
  })
  return { client, mint, written, sent }
}
