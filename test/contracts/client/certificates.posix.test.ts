import { writeFileSync } from 'node:fs'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Tls } from '../../../contracts/client/target/target.ts'
import { undiciTransport } from '../../../contracts/client/transport.ts'
import { pactumTransport } from '../../../contracts/pactum-transport.ts'
import { createSandbox } from '../../../index.ts'
import { run } from '../../cli/command.ts'
import { makeCertificate } from './certificate.ts'
import { passOn, readAll, serverThatSays } from './helpers.ts'
import { newFolder } from '../../for-one-test.ts'

const own = makeCertificate()
const unrelated = makeCertificate()
const ofAnotherAddress = makeCertificate({ address: [10, 0, 0, 7] })
const expired = makeCertificate({ until: '200201000000Z' })

const transports = {
  undici: (origin: string, tls: Partial<Tls>) => undiciTransport(origin, tls),
  pactum: (_: string, tls: Partial<Tls>) => pactumTransport(tls),
}

describe.each(Object.entries(transports))('The transport of %s', (_, createTransport) => {
  const statusOf = async (origin: string, tls: Partial<Tls>) => {
    const transport = createTransport(origin, tls)
    onTestFinished(() => transport.close())
    const { status } = await transport.send({ method: 'GET', url: `${origin}/openapi.json`, headers: {} }, 5000)
    return status
  }

  it('takes a certificate that the operator trusts', async () => {
    expect(await statusOf(await sandboxWith(own), { ca: own.cert })).toBe(200)
  })

  it('takes any certificate when none is checked', async () => {
    expect(await statusOf(await sandboxWith(ofAnotherAddress), { insecure: true })).toBe(200)
  })

  it.each([
    ['that is not trusted', own, {}, /certificate.*; name certificates to trust with --ca$/],
    ['that is not the one which is trusted', own, { ca: unrelated.cert }, /certificate.* --ca$/],
    ['of another address', ofAnotherAddress, { ca: ofAnotherAddress.cert }, /does not match certificate's altnames/],
    ['that has expired', expired, { ca: expired.cert }, /certificate has expired/],
  ])('refuses a certificate %s, and says so', async (_, certificate, tls, reason) => {
    await expect(statusOf(await sandboxWith(certificate), tls)).rejects.toThrow(reason)
  })

  it('reports a server without encryption', async () => {
    const plain = await serverThatSays(200, {})
    await expect(statusOf(plain.replace('http:', 'https:'), {})).rejects.toThrow(/^no encrypted connection came about/)
  })
})

describe('verify', () => {
  const verifying = (url: string, args: readonly string[] = [], variables = { CRM_API_KEY: 'acme-key' }) =>
    run(['verify', '--base-url', url, '--only', 'contact.create', '--ledgers', newFolder(), ...args], variables)

  it('trusts the certificate in the file that --ca names', async () => {
    const path = join(newFolder(), 'company.pem')
    writeFileSync(path, own.cert)
    const { code, stdout } = await verifying(await sandboxWith(own), ['--ca', path])
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('conformant') as string })
  })

  it.each(['acme-key', ''])(
    'names --ca in one sentence for an untrusted certificate, with the key "%s"',
    async (key) => {
      const { code, stdout, stderr } = await verifying(await sandboxWith(own), [], { CRM_API_KEY: key })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(stderr).toMatch(/certificate.*--ca/)
    },
  )
})

/** The address of a sandbox that shows this certificate. */
async function sandboxWith(certificate: Pick<ServerOptions, 'key' | 'cert'>): Promise<string> {
  const sandbox = await createSandbox({ world: 'two-teams' })
  const server = createServer(certificate, (request, answer) => {
    const pass = async () => {
      const { status, text } = await passOn(sandbox, request, await readAll(request))
      answer.writeHead(status, { 'content-type': 'application/json' }).end(text)
    }
    void pass().catch(() => answer.destroy())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await sandbox.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}
