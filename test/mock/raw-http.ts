import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The head of a request without a body. */
export const head = (target: string, method: string, headers: readonly string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n')

/** A socket to a server, for bytes that no HTTP client sends. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''))
  socket.on('error', () => undefined)
  onTestFinished(() => {
    socket.destroy()
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

/** Sends the lines of a request head, and reads the answer until the server closes the connection. */
export async function sendRaw(url: string, lines: readonly string[], body = ''): Promise<Answer> {
  const socket = await openSocket(url)
  const answer = untilClosed(socket)
  socket.write([...lines, 'Connection: close', '', body].join('\r\n'))
  return answer
}

export async function untilClosed(socket: Socket): Promise<Answer> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await new Promise((resolve) => socket.once('close', resolve))
  return read(Buffer.concat(chunks).toString())
}

function read(text: string): Answer {
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s)
  const [first = '', ...headers] = head.split('\r\n')
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(
      headers.map((line) => line.split(/: ?(.*)/s)).map(([name = '', value = '']) => [name.toLowerCase(), value]),
    ),
    body,
  }
}
