import http from 'node:http'
import https from 'node:https'
import pactum from 'pactum'
import type { Tls } from '../client/target/target.ts'
import {
  alsoTrust,
  brokenOff,
  decodeBody,
  type Incoming,
  type Outgoing,
  type Transport,
  Unanswered,
  withTimeout,
} from '../client/transport.ts'

// It would print whole requests, and with them their credentials.
pactum.settings.setLogLevel('SILENT')

/** Sends with pactum, over connections of its own. */
export function pactumTransport({ ca, insecure = false }: Partial<Tls> = {}): Transport {
  const tls = { rejectUnauthorized: !insecure, ...alsoTrust(ca) }
  const [forHttp, forHttps] = [new http.Agent({ keepAlive: true }), new https.Agent({ keepAlive: true, ...tls })]
  return {
    send: (request, timeout) =>
      withTimeout(timeout, (signal) => {
        const agent = request.url.startsWith('https:') ? forHttps : forHttp
        return exchange(request, timeout, agentFor(signal, agent as http.Agent & AgentLike))
      }),
    close: async () => {
      forHttp.destroy()
      forHttps.destroy()
    },
  }
}

async function exchange(
  { method, url, headers, body }: Outgoing,
  timeout: number,
  agent: http.Agent,
): Promise<Incoming> {
  const spec = pactum
    .spec()
    .withMethod(method)
    .withPath(url)
    .withHeaders({ ...headers })
    .withCore({ agent })
    .withRequestTimeout(timeout + 1000) // it counts only silence, and by default 3 seconds
  if (body) spec.withBody(body)
  try {
    const { statusCode: status, headers: answered, buffer } = (await spec.toss()) as Answer
    return { status, headers: answered, text: decodeBody(buffer ?? Buffer.from(''), answered['content-encoding']) }
  } catch (error) {
    throw hasBrokenOff(error) ? new Unanswered(brokenOff, true) : error
  }
}

/** As it comes from pactum; its own types know only what it makes of the body. */
interface Answer {
  readonly statusCode: number
  readonly headers: Incoming['headers']
  readonly buffer?: Buffer
}

const hasBrokenOff = (error: unknown) => error instanceof Error && error.message === 'Server aborted request'

/** What node:http needs of an agent. */
interface AgentLike {
  readonly protocol: string
  readonly defaultPort: number
  readonly keepAlive: boolean
  addRequest(request: http.ClientRequest, options: object): void
}

/**
 * The agent for one request, which ends when the signal aborts. It is a function, because pactum makes deep copies of
 * the objects it is given, and neither an agent nor a signal works as a copy.
 */
function agentFor(signal: AbortSignal, agent: http.Agent & AgentLike): http.Agent {
  const { protocol, defaultPort, keepAlive } = agent
  const agentLike: AgentLike = {
    protocol,
    defaultPort,
    keepAlive,
    addRequest(request, options) {
      signal.addEventListener('abort', () => request.destroy(), { once: true })
      agent.addRequest(request, options)
    },
  }
  return Object.assign(() => undefined, agentLike) as unknown as http.Agent
}
