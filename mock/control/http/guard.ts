import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Store } from '../../store/port.ts'

interface Denial {
  readonly status: 401 | 403
  readonly message: string
}

/** Why a request may not use the control plane, or `undefined` when it may. */
export async function checkEntry(
  headers: IncomingHttpHeaders,
  controlToken: string | undefined,
  store: Store,
): Promise<Denial | undefined> {
  if (isCrossSite(headers)) {
    return { status: 403, message: 'The control plane refuses requests from the pages of other sites' }
  }
  if (controlToken === undefined) return undefined
  const sent = readToken(headers)
  if (sent === undefined || !isEqual(sent, controlToken)) {
    return { status: 401, message: 'Send the control token as x-sandbox-token, or as a bearer token' }
  }
  // An API key is given to everyone who tests the API, and must not open the control plane too.
  if ((await store.teamOfKey(controlToken)) === undefined) return undefined
  return { status: 401, message: 'The control token is the API key of a team; start the sandbox with another one' }
}

/** Browsers send these headers with a request of another site; other clients send neither. */
function isCrossSite({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (origin !== undefined && origin !== `http://${host ?? ''}`) return true
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

function readToken({ authorization, 'x-sandbox-token': token }: IncomingHttpHeaders): string | undefined {
  return typeof token === 'string' ? token : /^Bearer +([^ ]+)$/i.exec(authorization ?? '')?.[1]
}

/** Compares in constant time, so that response times tell nothing about the token. */
const isEqual = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))

const digest = (text: string) => createHash('sha256').update(text).digest()
