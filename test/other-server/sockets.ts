import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Service } from './server.ts'

/** Answers one request over its socket, or resets the connection before or after the work. */
export async function answerOverHttp(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { knobs, draw } = service
  const { method = '', url = '', headers: sent, socket } = request
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const isReset = draw() < knobs.reset
  if (isReset && draw() < 0.5) return void socket.resetAndDestroy()
  const { status, headers, parts } = await service.answer({ method, url, headers: sent, bytes: Buffer.concat(chunks) })
  if (isReset) return void socket.resetAndDestroy()
  response.writeHead(status, headers)
  for (const part of parts) response.write(part)
  response.end()
  await once(response, 'close')
}
