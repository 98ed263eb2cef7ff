import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import forge from 'node-forge'
import { fileError, readText, writeUnlinked } from '../lib/files.ts'
import { CannotStart } from '../lib/user-error.ts'
import type { Settings } from './options.ts'

/** The certificate of the operator, or a new one. */
export function certificateFrom(settings: Settings): Certificate {
  const { tlsCert, tlsKey } = settings
  if (tlsCert === undefined && tlsKey === undefined) return createCertificate(namesOf(settings))
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CannotStart(
      (nameOf) => `${nameOf('tlsCert')} and ${nameOf('tlsKey')} are the two halves of one certificate; give both.`,
    )
  const fail = (option: string) => (sentence: string) => new CannotStart(sentence, { option })
  const pair = {
    cert: readText(tlsCert, `The certificate ${tlsCert}`, fail('tlsCert')),
    key: readText(tlsKey, `The key ${tlsKey}`, fail('tlsKey')),
  }
  checkForms(pair, tlsCert, tlsKey)
  const certificate = readPair(pair, tlsCert, tlsKey)
  const validity = validityOf(certificate)
  if (validity !== undefined)
    process.stderr.write(`The certificate ${tlsCert} ${validity}, so most clients refuse it.\n`)
  return pair
}

const certificateStart = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/
const keyStart = /-----BEGIN [A-Z ]*PRIVATE KEY-----/

/** Node would name these mistakes by a code of OpenSSL, or accept them and fail at each handshake. */
function checkForms({ cert, key }: Certificate, certFile: string, keyFile: string): void {
  const [hasCertificate, hasKey] = [certificateStart.test(cert), keyStart.test(key)]
  if (!hasCertificate && !hasKey && keyStart.test(cert) && certificateStart.test(key))
    throw new CannotStart((nameOf) => `The files of ${nameOf('tlsCert')} and ${nameOf('tlsKey')} are swapped.`)
  if (!hasCertificate)
    throw new CannotStart(`The certificate ${certFile} has no certificate in PEM.`, { option: 'tlsCert' })
  if (!hasKey) throw new CannotStart(`The key ${keyFile} has no private key in PEM.`, { option: 'tlsKey' })
  if (key.includes('ENCRYPTED'))
    throw new CannotStart(
      `The key ${keyFile} has a passphrase; remove the passphrase, such as with \`openssl pkey -in ${keyFile} -out plain.pem\`.`,
      { option: 'tlsKey' },
    )
}

/** The certificate of the server, which comes first in its file. */
function readPair({ cert, key }: Certificate, certFile: string, keyFile: string): X509Certificate {
  try {
    const certificate = new X509Certificate(cert)
    if (!certificate.checkPrivateKey(createPrivateKey(key)))
      throw new CannotStart(`The key ${keyFile} does not belong to the first certificate in ${certFile}.`, {
        option: 'tlsKey',
      })
    createSecureContext({ cert, key })
    return certificate
  } catch (error) {
    if (error instanceof CannotStart) throw error
    const { message } = error as Error
    throw new CannotStart(`The certificate ${certFile} and the key ${keyFile} cannot be used (${message}).`, {
      option: 'tlsCert',
    })
  }
}

function validityOf({ validFrom, validTo }: X509Certificate): string | undefined {
  const [from, to] = [new Date(validFrom), new Date(validTo)]
  if (to < new Date()) return `expired on ${dayOf(to)}`
  return from > new Date() ? `is not valid before ${dayOf(from)}` : undefined
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** Names and addresses that the sandbox accepts in a Host header. */
function namesOf({ host = 'localhost', public: isPublic = false, allowHosts }: Settings): string[] {
  const ofNetworks = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  )
  const names = ['localhost', '127.0.0.1', '::1', host, ...allowHosts, ...(isPublic ? ofNetworks : [])]
  return [...new Set(names.map((name) => name.replace(/^\[|\]$/g, '')))]
}

/** Writes the certificate that clients must trust. Returns the path of the file, which a fixed port keeps the same. */
export function writeAuthority(ca: string, port: number): string {
  const path = resolve('.crm-sandbox', `ca-${port}.pem`)
  try {
    writeUnlinked(path, ca)
  } catch (error) {
    throw new CannotStart(`${fileError(`The certificate ${path}, which clients must trust,`, 'written', error)}.`)
  }
  return path
}

/** The certificate and the key of a server, and the certificate of the authority that signed it, all in PEM. */
interface Certificate {
  readonly cert: string
  readonly key: string
  /** For clients to trust. */
  readonly ca?: string
}

/** Creates a certificate for these names, signed by a new authority; the key of the authority is discarded. */
function createCertificate(names: readonly string[]): Certificate {
  const [authority, server] = [newKeys(), newKeys()]
  const issuer = [{ name: 'commonName', value: `crm-sandbox ${randomBytes(4).toString('hex')}` }]
  const ca = certify(authority, issuer, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ])
  const cert = certify(
    server,
    [{ name: 'commonName', value: 'crm-sandbox' }],
    [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: names.map(altName) },
      { name: 'subjectKeyIdentifier' },
      { name: 'authorityKeyIdentifier', keyIdentifier: ca.generateSubjectKeyIdentifier().getBytes() },
    ],
  )
  for (const certificate of [ca, cert]) {
    certificate.setIssuer(issuer)
    certificate.sign(authority.privateKey, forge.md.sha256.create())
  }
  return {
    cert: forge.pki.certificateToPem(cert),
    key: forge.pki.privateKeyToPem(server.privateKey),
    ca: forge.pki.certificateToPem(ca),
  }
}

/** Node makes the keys, since the library would take seconds. */
function newKeys(): forge.pki.rsa.KeyPair {
  const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const
  const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding, publicKeyEncoding })
  return {
    privateKey: forge.pki.privateKeyFromPem(keys.privateKey),
    publicKey: forge.pki.publicKeyFromPem(keys.publicKey),
  }
}

const day = 24 * 60 * 60 * 1000
const longestDays = 397 // browsers refuse more

function certify({ publicKey }: forge.pki.rsa.KeyPair, subject: forge.pki.CertificateField[], extensions: object[]) {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = publicKey
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = new Date(Date.now() - day) // the clock of a client may be slow
  certificate.validity.notAfter = new Date(Date.now() + (longestDays - 1) * day)
  certificate.setSubject(subject)
  certificate.setExtensions(extensions)
  return certificate
}

/** The types of the general names of RFC 5280. */
const altName = (name: string) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })
