import { once } from 'node:events'
import type { RequestOptions } from 'node:https'
import pactum from 'pactum'
import type { Tls } from './client/target/target.ts'
import {
  alsoTrust,
  brokenOff,
  decodeBody,
  type Incoming,
  type Outgoing,
  type Transport,
  NoResponse,
  withTimeout,
} from './client/transport.ts'

// The log of pactum contains whole requests with their credentials.
pactum.settings.setLogLevel('SILENT')

/** Sends with pactum, on the connections of Node's global agents. */
export function pactumTransport({ ca, insecure = false }: Partial<Tls> = {}): Transport {
  const tls = { rejectUnauthorized: !insecure, ...alsoTrust(ca) }
  return {
    send: (request, timeout) =>
      withTimeout(timeout, (signal) => Promise.race([exchange(request, timeout, tls), rejectOnAbort(signal)])),
    close: () => Promise.resolve(),
  }
}

/** Pactum cannot abort a request, which goes on in the background until pactum's timeout. */
async function rejectOnAbort(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  throw signal.reason
}

async function exchange(
  { method, url, headers, body }: Outgoing,
  timeout: number,
  tls: RequestOptions,
): Promise<Incoming> {
  const spec = pactum
    .spec()
    .withMethod(method)
    .withPath(url)
    .withHeaders({ ...headers })
    .withCore(tls)
    .withRequestTimeout(timeout + 1000) // the time without data; 3 seconds by default
  if (body) spec.withBody(body)
  try {
    const { statusCode: status, headers, buffer } = (await spec.toss()) as PactumResponse
    return { status, headers, text: decodeBody(buffer ?? Buffer.from(''), headers['content-encoding']) }
  } catch (error) {
    throw hasBrokenOff(error) ? new NoResponse(brokenOff, 'cut') : error
  }
}

/** The types of pactum contain only the parsed body of an answer. */
interface PactumResponse {
  readonly statusCode: number
  readonly headers: Incoming['headers']
  readonly buffer?: Buffer
}

const hasBrokenOff = (error: unknown) => error instanceof Error && error.message === 'Server aborted request'
