import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Store } from '../store/port.ts'

export interface NoEntry {
  readonly status: 401 | 403
  readonly message: string
}

/** Why a request may not touch the control plane; asked before anything else is done with it. */
export async function noEntry(
  headers: IncomingHttpHeaders,
  token: string | undefined,
  store: Store,
): Promise<NoEntry | undefined> {
  if (isFromElsewhere(headers)) {
    return { status: 403, message: 'The control plane takes nothing from the pages of another site' }
  }
  if (token === undefined) return undefined
  const sent = tokenIn(headers)
  if (sent === undefined || !areEqual(sent, token)) {
    return { status: 401, message: 'Send the control token as x-sandbox-token, or as a bearer token' }
  }
  // A key is given to whoever tests the API, and was not meant to open more than that.
  if ((await store.teamOfKey(token)) === undefined) return undefined
  return { status: 401, message: 'The control token is the API key of a team; start the sandbox with another one' }
}

/** A browser says for whom it asks. Whoever is not a browser says nothing. */
function isFromElsewhere({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (origin !== undefined && origin !== `http://${host ?? ''}`) return true
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

function tokenIn({ authorization, 'x-sandbox-token': token }: IncomingHttpHeaders): string | undefined {
  return typeof token === 'string' ? token : /^Bearer +([^ ]+)$/i.exec(authorization ?? '')?.[1]
}

/** In the same time for every text that is sent, so that nobody can feel their way to the token. */
const areEqual = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))

const digest = (text: string) => createHash('sha256').update(text).digest()
