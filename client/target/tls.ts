import { rootCertificates } from 'node:tls'

/** What a connection takes. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean
  readonly ca?: string[]
}

/** Adds a certificate to the root certificates of Node, which the option `ca` would otherwise replace. */
export const alsoTrust = (ca: string | undefined): { ca?: string[] } =>
  ca === undefined ? {} : { ca: [...rootCertificates, ca] }
