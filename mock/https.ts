import { networkInterfaces } from 'node:os'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { fileError, readText, writeWhole } from '../shared/files.ts'
import { CannotStart } from './cannot-start.ts'
import { type Certificate, createCertificate } from './http/certificate.ts'
import type { Settings } from './options.ts'

/** The certificate of the operator, or a new one. */
export function certificateFrom(settings: Settings): Certificate {
  const { tlsCert, tlsKey } = settings
  if (tlsCert === undefined && tlsKey === undefined) return createCertificate(namesOf(settings))
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CannotStart('--tls-cert and --tls-key are the two halves of one certificate; give both.')
  const fail = (sentence: string) => new CannotStart(sentence)
  const pair = {
    cert: readText(tlsCert, `The certificate ${tlsCert}`, fail),
    key: readText(tlsKey, `The key ${tlsKey}`, fail),
  }
  try {
    createSecureContext(pair)
  } catch (error) {
    const { message } = error as Error
    throw new CannotStart(`The certificate ${tlsCert} and the key ${tlsKey} cannot be used (${message}); both are PEM.`)
  }
  return pair
}

/** Names and addresses that the sandbox accepts in a Host header. */
function namesOf({ host = 'localhost', public: isPublic = false, allowHost }: Settings): string[] {
  const ofNetworks = Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => address),
  )
  const names = ['localhost', '127.0.0.1', '::1', host, ...allowHost, ...(isPublic ? ofNetworks : [])]
  return [...new Set(names.map((name) => name.replace(/^\[|\]$/g, '')))]
}

/** Writes the certificate that clients must trust. Returns the path of the file, which a fixed port keeps the same. */
export function writeAuthority(ca: string, port: number): string {
  const path = resolve('.crm-sandbox', `ca-${port}.pem`)
  try {
    writeWhole(path, ca)
  } catch (error) {
    throw new CannotStart(`${fileError(`The certificate ${path}, which clients must trust,`, 'written', error)}.`)
  }
  return path
}
