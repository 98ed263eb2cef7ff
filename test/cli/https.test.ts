import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeCertificate } from '../client/certificate.ts'
import { undiciTransport } from '../../client/transport.ts'
import { expectError, newFile, newFolder, run, serve } from './command.ts'

interface Started {
  readonly url: string
  readonly ca?: string
}

async function serveSecurely(...flags: readonly string[]) {
  const { banner, child, over } = await serve(['--print-json', ...flags], {}, newFolder())
  return { ...(JSON.parse(banner) as Started), child, over }
}

async function statusOf(url: string, ca: string) {
  const transport = undiciTransport(url, { ca })
  onTestFinished(() => transport.close())
  return (await transport.send({ method: 'GET', url: `${url}/openapi.json`, headers: {} }, 5000)).status
}

it('serve --https shows a certificate for each of its names, which the file of the banner lets clients trust', async () => {
  const { url, ca = '' } = await serveSecurely('--https', '--allow-host', 'localhost')
  expect(url).toMatch(/^https:/)
  const { port } = new URL(url)
  for (const name of ['127.0.0.1', 'localhost'])
    expect(await statusOf(`https://${name}:${port}`, readFileSync(ca, 'utf8'))).toBe(200)
  await expect(statusOf(url, makeCertificate().cert)).rejects.toThrow(/certificate/)
  await expectError(['requests', '--url', url], /is not trusted; start the program with NODE_EXTRA_CA_CERTS=FILE/, 1)
  const verified = ['verify', '--base-url', url, '--ca', ca, '--only', 'product.create', '--ledgers', newFolder()]
  expect(await run(verified)).toMatchObject({ code: 0 })
})

it('serve --tls-cert and --tls-key show the certificate of the operator', async () => {
  const { cert, key } = makeCertificate()
  const { url, ca } = await serveSecurely('--tls-cert', newFile('c.pem', cert), '--tls-key', newFile('k.pem', key))
  expect(ca).toBeUndefined()
  expect(await statusOf(url, cert)).toBe(200)
})

it('a connection without a handshake does not keep the server from ending', async () => {
  const { cert, key } = makeCertificate()
  const { url, child, over } = await serveSecurely(
    '--tls-cert',
    newFile('c.pem', cert),
    '--tls-key',
    newFile('k.pem', key),
  )
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  child.kill('SIGTERM')
  expect(await over).toMatchObject({ code: 0 })
})

it('half of a certificate, or one that cannot be read, is refused', async () => {
  const folder = newFolder()
  const file = join(folder, 'c.pem')
  writeFileSync(file, 'no certificate')
  await expectError(['serve', '--tls-cert', file], /give both\.$/, 1)
  await expectError(['serve', '--tls-cert', file, '--tls-key', 'nowhere'], /The key nowhere cannot be read/, 1)
  await expectError(['serve', '--tls-cert', file, '--tls-key', file], /cannot be used .*both are PEM\.$/, 1)
})
