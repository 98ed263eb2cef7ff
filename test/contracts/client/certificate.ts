import { generateKeyPairSync, sign } from 'node:crypto'

interface Certified {
  readonly key: string
  readonly cert: string
}

/** A self-signed certificate for one address, valid from 2020 on. */
export function makeCertificate({
  address = [127, 0, 0, 1],
  from = '200101000000Z',
  until = '491231235959Z',
} = {}): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('crm-sandbox test')))))
  const validity = sequence(time(from), time(until))
  const names = sequence(subjectAltName, der(0x04, sequence(der(0x87, Buffer.from(address)))))
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.of(2))), // version 3
    der(0x02, Buffer.of(1)), // serial number
    sequence(ecdsaWithSha256),
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(names)),
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', signed, privateKey))
  const bytes = sequence(signed, sequence(ecdsaWithSha256), signature)
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

const commonName = Buffer.from('0603550403', 'hex')
const subjectAltName = Buffer.from('0603551d11', 'hex')
const ecdsaWithSha256 = Buffer.from('06082a8648ce3d040302', 'hex')

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)

const time = (text: string) => der(0x17, Buffer.from(text))

/** A value of ASN.1: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...length), content])
}
