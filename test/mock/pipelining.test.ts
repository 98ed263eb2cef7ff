import { once } from 'node:events'
import { expect, it } from 'vitest'
import { openSandbox } from './helpers.ts'
import { openSocket } from './raw-http.ts'

// A client pipelines when it sends requests on a connection without waiting for the responses before them.

const head = (target: string, key = 'acme-key') =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${key}\r\n\r\n`
const post = (target: string, body: string) =>
  `POST ${target} HTTP/1.1\r\nHost: localhost\r\nx-api-key: acme-key\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

it('handles a request only once the response before it has been sent', async () => {
  const { sandbox } = await openSandbox({ port: 0 })
  const socket = await openSocket(sandbox.url)
  socket.write(head('/_sandbox/requests/follow') + post('/api/products', '{"name":"Engine","unitPrice":1}'))
  await once(socket, 'data')
  for (let times = 0; times < 20; times++) await sandbox.health()
  expect(await sandbox.requests.find()).toEqual([])
})

it('sends all responses in order to a client that reads them late', async () => {
  const { sandbox } = await openSandbox({ port: 0 })
  const socket = await openSocket(sandbox.url)
  const targets = Array.from({ length: 300 }, (_, at) => (at % 100 === 99 ? '/openapi.json' : `/api/nowhere/${at}`))
  socket.pause()
  socket.write(targets.map((target) => head(target)).join('') + 'BREW')
  for (let times = 0; times < 20; times++) await sandbox.health()
  let read = ''
  socket.on('data', (chunk: Buffer) => (read += chunk.toString()))
  socket.resume()
  await once(socket, 'close')
  const statuses = [...read.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  expect(statuses).toEqual([...targets.map((target) => (target === '/openapi.json' ? '200' : '404')), '400'])
})

it('closes a connection on which hundreds of tiny requests wait, and answers others', async () => {
  const { sandbox } = await openSandbox({ port: 0 })
  const socket = await openSocket(sandbox.url)
  socket.resume().write(head('/_sandbox/requests/follow') + 'GET / HTTP/1.1\r\n\r\n'.repeat(2_000))
  await once(socket, 'close')
  expect(await sandbox.health()).toBeDefined()
})
