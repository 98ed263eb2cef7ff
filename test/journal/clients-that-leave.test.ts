import { expect, it } from 'vitest'
import { openSandbox } from '../mock/harness.ts'
import { openSocket } from '../mock/raw.ts'

const asAcme = ['Host: localhost', 'x-api-key: acme-key', 'Content-Type: application/json']
const product = '{"name":"Cog","unitPrice":1}'

it('a client that leaves while its operation works does not undo it, and the next one is served', async () => {
  const { sandbox, call } = await openSandbox({ port: 0 })
  const gate = await sandbox.gates.add({ operation: 'createProduct' })
  const socket = await openSocket(sandbox.url)
  const head = ['POST /api/products HTTP/1.1', ...asAcme, `Content-Length: ${product.length}`, '', product]
  socket.write(head.join('\r\n'))
  await sandbox.gates.wait(gate.id, { wait: '30s' })
  socket.resetAndDestroy()
  const noted = sandbox.requests.wait({ operation: 'createProduct', within: '30s' })
  await sandbox.gates.release(gate.id)
  expect(await noted).toMatchObject({ status: 201, changed: 'product +1' })
  expect((await call('createProduct', { body: JSON.parse(product) as object })).status).toBe(201)
  expect((await sandbox.world()).teams[0]?.products).toHaveLength(2)
})

it('unread events block no request, and end with the sandbox', async () => {
  const { sandbox, call } = await openSandbox({ port: 0 })
  const socket = await openSocket(sandbox.url)
  const begun = new Promise((resolve) => socket.once('data', resolve))
  socket.write(['GET /_sandbox/requests/follow HTTP/1.1', 'Host: localhost', '', ''].join('\r\n'))
  await call('createProduct', { body: JSON.parse(product) as object })
  await begun
  socket.pause()
  const content = 'x'.repeat(10_000)
  for (let at = 0; at < 1_500; at++) await call('createProduct', { body: { name: content, unitPrice: 1 } })
  expect(await sandbox.requests.count()).toBeLessThanOrEqual(1_000)
  await sandbox.close()
}, 60_000)

it('events can be read in process, and a reader that cancels makes room for another', async () => {
  const { sandbox, call } = await openSandbox()
  for (let reader = 0; reader < 60; reader++) {
    const answer = await sandbox.fetch('/_sandbox/requests/follow')
    expect(answer.status).toBe(200)
    const events = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect(await events?.read()).toMatchObject({ value: ': following\n\n' })
    await call('createProduct', { body: JSON.parse(product) as object })
    expect((await events?.read())?.value).toContain('"operation":"createProduct"')
    await events?.cancel()
  }
})
