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
  await write(written, response, knobs)
  if (knobs.idleConnections === 'closed') socket.end()
}

async function write({ status, headers, parts }: Written, response: ServerResponse, knobs: Knobs): Promise<void> {
  const named = Object.entries(headers).map(([name, value]) => [
    knobs.headerNames === 'upper' ? name.toUpperCase() : name,
    value,
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
