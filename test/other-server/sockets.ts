import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Knobs } from './knobs.ts'
import type { Service } from './server.ts'
import type { Written } from './wire.ts'

/** Answers one request over its socket, as the knobs say. */
export async function answerOverHttp(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { knobs, draw } = service
  const { method = '', url = '', headers, socket } = request
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const isReset = draw() < knobs.reset
  if (isReset && draw() < 0.5) return void socket.resetAndDestroy()
  const written = await service.answer({ method, url, headers, bytes: Buffer.concat(chunks) })
  if (isReset) return void socket.resetAndDestroy()
  if (knobs.informational === 'continue') response.writeContinue()
  if (knobs.informational === 'earlyHints') response.writeEarlyHints({ link: '</style.css>; rel=preload' })
  await write(written, response, knobs, draw() * knobs.lateBy)
  if (knobs.idleConnections === 'closed') socket.end()
}

async function write(
  { status, headers, parts }: Written,
  response: ServerResponse,
  knobs: Knobs,
  lateness: number,
): Promise<void> {
  if (lateness > 0) await setTimeout(lateness)
  const named = Object.entries(headers).map(([name, value]) => [
    spell(name, knobs),
    knobs.headersTwice && twice.includes(name) ? [value, value] : value,
  ])
  response.writeHead(status, Object.fromEntries(named) as Written['headers'])
  for (const part of parts) {
    response.write(part)
    await (parts.length > 2 ? setTimeout(1) : new Promise(setImmediate))
  }
  if (knobs.trailers) response.addTrailers({ 'x-checksum': '0' })
  response.end()
  await once(response, 'close')
}

const twice = ['content-type', 'retry-after', 'x-request-id']

const spell = (name: string, { headerNames }: Knobs) =>
  ({
    lower: name,
    upper: name.toUpperCase(),
    mixed: name.replace(/[a-z]/g, (letter, at: number) => (at % 2 === 0 ? letter.toUpperCase() : letter)),
  })[headerNames]
