import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { makeCertificate } from '../contracts/client/certificate.ts'
import { undiciTransport } from '../../contracts/client/transport.ts'
import { expectError, run, serve } from './command.ts'
import { newFile, newFolder } from '../for-one-test.ts'

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
  const { url, ca = '', child, over } = await serveSecurely('--https', '--allow-host', 'localhost')
  expect(url).toMatch(/^https:/)
  const { port } = new URL(url)
  for (const name of ['127.0.0.1', 'localhost'])
    expect(await statusOf(`https://${name}:${port}`, readFileSync(ca, 'utf8'))).toBe(200)
  await expect(statusOf(url, makeCertificate().cert)).rejects.toThrow(/certificate/)
  const untrusted = /^error: The certificate of .* is not trusted; .*NODE_EXTRA_CA_CERTS=FILE/
  await expectError(['requests', '--url', url], untrusted, 1)
  await expectError(['world', '--from', url], untrusted)
  for (const command of [['requests'], ['ctl', 'clock', 'read'], ['coverage']])
    expect(await run([...command, '--url', url, '--ca', ca])).toMatchObject({ code: 0 })
  const verified = ['verify', '--base-url', url, '--ca', ca, '--only', 'product.create', '--ledgers', newFolder()]
  expect(await run(verified)).toMatchObject({ code: 0 })
  child.kill('SIGTERM')
  expect(await over).toMatchObject({ code: 0 })
  expect(existsSync(ca)).toBe(false)
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

it.each([
  [
    'expired',
    { until: '210101000000Z' },
    /^The certificate .*c\.pem expired on 2021-01-01, so most clients refuse it\.\n$/,
  ],
  [
    'not yet valid',
    { from: '480101000000Z' },
    /^The certificate .*c\.pem is not valid before 2048-01-01, so most clients/,
  ],
])('a certificate that is %s is served with a warning', async (_, validity, warning) => {
  const { cert, key } = makeCertificate(validity)
  const { child, over } = await serveSecurely('--tls-cert', newFile('c.pem', cert), '--tls-key', newFile('k.pem', key))
  child.kill('SIGTERM')
  expect(await over).toMatchObject({ code: 0, stderr: expect.stringMatching(warning) as string })
})

it('a certificate and a key that clients cannot use are refused at the start', async () => {
  const { cert, key } = makeCertificate()
  const [rsa, locked] = [{}, { cipher: 'aes-256-cbc', passphrase: 'secret' }].map(
    (encryption) =>
      generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem', ...encryption },
      }).privateKey,
  )
  const damaged = cert.replace(/^MII/m, 'AAA')
  const refused: [string, string | undefined, RegExp][] = [
    [cert, rsa, /The key .*k\.pem does not belong to the first certificate in .*c\.pem\.$/],
    ['', key, /The certificate .*c\.pem has no certificate in PEM\.$/],
    [cert, '', /The key .*k\.pem has no private key in PEM\.$/],
    [key, cert, /The files of --tls-cert and --tls-key are swapped\.$/],
    [cert, locked, /The key .*k\.pem has a passphrase; remove the passphrase, such as with `openssl pkey/],
    [damaged, key, /The certificate .*c\.pem and the key .*k\.pem cannot be used \(/],
  ]
  for (const [tlsCert, tlsKey = '', sentence] of refused) {
    const files = ['--tls-cert', newFile('c.pem', tlsCert), '--tls-key', newFile('k.pem', tlsKey)]
    await expectError(['serve', '--port', '0', ...files], sentence, 1)
  }
})

it('half of a certificate, or a file that cannot be read, is refused', async () => {
  const file = newFile('c.pem', makeCertificate().cert)
  await expectError(['serve', '--tls-cert', file], /give both\.$/, 1)
  await expectError(['serve', '--tls-cert', file, '--tls-key', 'nowhere'], /The key nowhere cannot be read/, 1)
})
