import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Handles the requests of one connection one after another, as they are answered: a client that sends many and reads
 * nothing has one answer waiting. Node would handle all at once, and keep their answers.
 */
export function handleInOrder(server: Server): void {
  const waiting = new WeakMap<Socket, number>()
  const handlers = server.listeners('request') as Handle[]
  const handle: Handle = (request, response) => {
    for (const handler of handlers) handler.call(server, request, response)
  }

  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    // A response has its socket as soon as all others before it are written.
    if (response.socket) handle(request, response)
    else wait(request, response)
  })

  function wait(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    waiting.set(socket, (waiting.get(socket) ?? 0) + 1)
    socket.pause()
    response.once('socket', () => {
      const others = (waiting.get(socket) ?? 1) - 1
      waiting.set(socket, others)
      socket.setTimeout(0)
      if (others === 0) socket.resume()
      handle(request, response)
    })
  }
}
