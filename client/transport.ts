import { codeOf } from '../shared/file-errors.ts'

/** One request as it leaves. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** One answer as it came. */
export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/**
 * Sends one request, once, within so many milliseconds to the end of the answer. It follows no redirect, which would
 * carry the credential to another host. Throws `Unanswered`.
 */
export type Send = (request: Outgoing, timeout: number) => Promise<Incoming>

/** The connections of one run. Whatever happens to one of its requests, no other request of the process notices. */
export interface Transport {
  readonly send: Send
  readonly close: () => Promise<void>
}

export const brokenOff = 'the answer broke off'

/** No answer, or not all of it. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  /** The answer had begun, and broke off. */
  readonly isCut: boolean
  /** The connection was closed before an answer began: the server may or may not have read the request. */
  readonly isLost: boolean

  constructor(reason: string, isCut = false, isLost = false) {
    super(reason)
    this.isCut = isCut
    this.isLost = isLost
  }
}

/** Runs `exchange` with a signal that ends it when the time is up. */
export async function withDeadline(
  timeout: number,
  exchange: (signal: AbortSignal) => Promise<Incoming>,
): Promise<Incoming> {
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort()
  }, timeout)
  try {
    return await exchange(controller.signal)
  } catch (error) {
    if (controller.signal.aborted) throw new Unanswered(`no answer within ${timeout / 1000} seconds`)
    throw asUnanswered(error)
  } finally {
    clearTimeout(timer)
  }
}

export const asUnanswered = (error: unknown) =>
  error instanceof Unanswered ? error : new Unanswered(reasonOf(error), false, isLost(error))

const isLost = (error: unknown) => ['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '')

function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? ''
  if (code.startsWith('HPE_')) return 'the answer is not HTTP'
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return `no encrypted connection came about (${code})`
  if (untrusted.test(code)) return `its certificate is not trusted (${code}); name those to trust with --ca`
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}

/** Self-signed, or signed by an unknown authority. */
const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'there is no host of that name (ENOTFOUND)',
  ECONNRESET: 'the connection was closed without an answer (ECONNRESET)',
  EPIPE: 'the connection was closed without an answer (EPIPE)',
  ETIMEDOUT: 'the host cannot be reached (ETIMEDOUT)',
  CERT_HAS_EXPIRED: 'its certificate has expired (CERT_HAS_EXPIRED)',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)',
}
