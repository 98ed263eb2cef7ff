import { rootCertificates } from 'node:tls'

/** What a connection takes. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean
  readonly ca?: string[]
}

/** The certificates of an operator besides the usual ones, which they would otherwise replace. */
export const trusting = (ca: string | undefined): { ca?: string[] } =>
  ca === undefined ? {} : { ca: [...rootCertificates, ca] }
