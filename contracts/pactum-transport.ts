import http from 'node:http'
import https from 'node:https'
import pactum from 'pactum'
import type { Tls } from '../client/target/target.ts'
import {
  alsoTrust,
  brokenOff,
  decodeBody,
  type Incoming,
  mostBytes,
  type Outgoing,
  tooLong,
  type Transport,
  Unanswered,
  withTimeout,
} from '../client/transport.ts'

// The log of pactum contains whole requests with their credentials.
pactum.settings.setLogLevel('SILENT')

/** Sends with pactum. The transport opens and closes its connections. */
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
    .withRequestTimeout(timeout + 1000) // the time without data; 3 seconds by default
  if (body) spec.withBody(body)
  try {
    const { statusCode: status, headers: answered, buffer } = (await spec.toss()) as Answer
    return { status, headers: answered, text: decodeBody(buffer ?? Buffer.from(''), answered['content-encoding']) }
  } catch (error) {
    throw hasBrokenOff(error) ? new Unanswered(brokenOff, true) : error
  }
}

/** The answer of pactum, whose types contain only the parsed body. */
interface Answer {
  readonly statusCode: number
  readonly headers: Incoming['headers']
  readonly buffer?: Buffer
}

const hasBrokenOff = (error: unknown) => error instanceof Error && error.message === 'Server aborted request'

/** The fields of an agent that node:http uses. */
interface AgentLike {
  readonly protocol: string
  readonly defaultPort: number
  readonly keepAlive: boolean
  addRequest(request: http.ClientRequest, options: object): void
}

/**
 * An agent for one request, which ends when the signal aborts. It is a function, because pactum copies objects deeply,
 * and a copy of an agent or of a signal does not work.
 */
function agentFor(signal: AbortSignal, agent: http.Agent & AgentLike): http.Agent {
  const { protocol, defaultPort, keepAlive } = agent
  const agentLike: AgentLike = {
    protocol,
    defaultPort,
    keepAlive,
    addRequest(request, options) {
      signal.addEventListener('abort', () => request.destroy(), { once: true })
      request.once('response', (response: http.IncomingMessage) => {
        let length = 0
        response.on('data', (chunk: Buffer) => {
          length += chunk.length
          if (length <= mostBytes) return
          // Only this event brings the error through pactum.
          response.emit('error', new Unanswered(tooLong, true))
          request.destroy()
        })
      })
      agent.addRequest(request, options)
    },
  }
  return Object.assign(() => undefined, agentLike) as unknown as http.Agent
}
