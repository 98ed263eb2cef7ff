import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import forge from 'node-forge'

/** The certificate and the key of a server, and the certificate of the authority that signed it, all in PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  /** For clients to trust. */
  readonly ca?: string
}

/** Creates a certificate for these names, signed by a new authority; the key of the authority is discarded. */
export function createCertificate(names: readonly string[]): Certificate {
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
