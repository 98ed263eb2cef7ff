import type { IncomingMessage } from 'node:http'
import type { OperationId } from '../../../spec/types.ts'
import { onTestFinished } from 'vitest'
import { Client, type LedgerWriter, type Observer } from '../../../contracts/client/client.ts'
import type { Exchange } from '../../../contracts/client/exchange.ts'
import { createMint, newMarks } from '../../../contracts/client/mint.ts'
import { createTarget, type Target, type TargetOptions } from '../../../contracts/client/target/target.ts'
import { undiciTransport, type Outgoing, type NoResponse } from '../../../contracts/client/transport.ts'
import type { Sandbox, World } from '../../../index.ts'
import { serverThat } from '../../for-one-test.ts'
import { longestWait } from '../../longest-wait.ts'

/** A contact as the service answers with it. */
export const contact = {
  _id: 'c1',
  firstName: 'Ada',
  lastName: 'Lovelace',
  teamId: 'acme',
  createdAt: '2026-03-01T09:30:00.000Z',
  updatedAt: '2026-03-01T09:30:00.000Z',
}

/** An answer to `updateContact` that is as documented. */
export const ok = { success: true, message: 'Contact saved', data: contact }

/** An input of `updateContact`. */
export const ada = { path: { contactId: 'c1' }, body: { firstName: 'Ada' } }

export const key = 'canary-key-of-a-team'

/** A server that gives every request the same answer. */
export function serverThatSays(status: number, body: unknown, headers: Record<string, string> = {}): Promise<string> {
  return serverThat((_, answer) => {
    answer.writeHead(status, { 'content-type': 'application/json', ...headers })
    answer.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}

export async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Passes a request on to a sandbox. */
export async function passOn(sandbox: Sandbox, request: IncomingMessage, body: Buffer) {
  const { method = 'GET', url = '' } = request
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
  const answer = await sandbox.fetch(url, { method, headers, ...(body.length > 0 ? { body } : {}) })
  return { status: answer.status, text: await answer.text() }
}

interface ClientOptions {
  readonly wanted?: TargetOptions
  readonly change?: Partial<Target>
  readonly observer?: Observer
  readonly before?: (operation: OperationId, request: Outgoing) => Promise<void>
  readonly ledger?: Partial<LedgerWriter>
}

/** A client, what it writes into its ledger, and what it sends. */
export function clientFor(baseUrl: string, { wanted = {}, change = {}, ledger: own, ...options }: ClientOptions = {}) {
  const target = { ...createTarget({ baseUrl, timeout: longestWait / 1000, ...wanted }, { team: key }), ...change }
  const mint = createMint(newMarks())
  const written: object[] = []
  const sent: Outgoing[] = []
  const ledger = {
    intend: (intent: object) => {
      written.push(intent)
      return String(written.length)
    },
    record: (intent: string, outcome: object) => {
      written.push({ intent, ...outcome })
    },
    ...own,
  }
  const transport = undiciTransport(baseUrl)
  onTestFinished(() => transport.close())
  const client = new Client({
    target,
    mint,
    ledger,
    send: (request, timeout) => {
      sent.push(request)
      return transport.send(request, timeout)
    },
    ...options,
  })
  return { client, mint, written, sent }
}

/** An observer, and the exchanges that it received. */
export function observed() {
  const exchanges: Exchange[] = []
  const missing: NoResponse[] = []
  const observer: Observer = {
    onAnswer: (_, exchange) => exchanges.push(exchange),
    onNoAnswer: (_, error) => missing.push(error),
  }
  return { observer, exchanges, missing }
}

/** The records of a world, without the stored answers and deletions. */
export const recordsIn = ({ teams }: World) => teams.map(({ answers, deleted, ...team }) => team)
