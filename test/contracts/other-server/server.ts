import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeBody, type Send } from '../../../contracts/client/transport.ts'
import type { StartedTarget } from '../../../contracts/index.ts'
import { chances } from '../../tier.ts'
import { contacts } from './contacts.ts'
import { conversations } from './conversations.ts'
import { usual, type Switches } from './switches.ts'
import { messages } from './messages.ts'
import { records } from './records.ts'
import { Refusal, type Given, type Operation, type Reply } from './replies.ts'
import { idsOf, Team } from './team.ts'
import { templates } from './templates.ts'
import { showTimes, writeReply, type Incoming, type Written } from './replies.ts'
import { once } from 'node:events'

/** Answers one request over its socket, or resets the connection before or after the work. */
export async function answerOverHttp(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { switches, draw } = service
  const { method = '', url = '', headers: sent, socket } = request
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const isReset = draw() < switches.reset
  if (isReset && draw() < 0.5) return void socket.resetAndDestroy()
  const { status, headers, parts } = await service.answer({ method, url, headers: sent, bytes: Buffer.concat(chunks) })
  if (isReset) return void socket.resetAndDestroy()
  response.writeHead(status, headers)
  for (const part of parts) response.write(part)
  response.end()
  await once(response, 'close')
}

/** The credentials that this server knows. */
export const credentials = {
  team: 'other-server-key-of-acme',
  otherTeam: 'another-key-which-globex-has',
  admin: 'token-of-an-admin-of-acme',
  agent: 'token-of-an-agent-of-acme',
}

type Route = readonly [method: string, pattern: RegExp, operation: Operation, key: string]

/** Fixed paths go before those with an id. */
const routes: readonly Route[] = Object.entries<Operation>({
  ...conversations,
  ...messages,
  ...templates,
  ...contacts,
  ...records,
})
  .toSorted(([one], [other]) => Number(one.includes(':')) - Number(other.includes(':')))
  .map(([key, operation]) => {
    const [method = '', path = ''] = key.split(' ')
    return [method, new RegExp(`^${path.replace(':id', '([^/]+)')}$`), operation, key]
  })

/** Broken operations, by method and path. */
export type Deviation = (teams: readonly Team[]) => Readonly<Record<string, (original: Operation) => Operation>>

interface Options {
  readonly deviation?: Deviation | undefined
}

/** Starts a server that was written from the specification alone; switches decide its open questions. */
export async function startOtherServer(choices: Partial<Switches> = {}, options: Options = {}) {
  const service = new Service(choices, options)
  // On a busy machine, a server that ends idle connections may end one that a client begins to use.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void answerOverHttp(service, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${service.switches.prefix}`,
    service,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The server without its sockets. */
export class Service {
  readonly switches: Switches
  readonly teams: readonly [Team, Team]
  /** At random, the same each time. */
  readonly draw = chances(7)
  readonly #idForm: RegExp
  readonly #deviations: ReturnType<Deviation>
  readonly #firstReplies = new Map<string, { readonly reply: Reply; readonly request: Incoming; readonly at: number }>()
  #tokens: number
  #filledAt = Date.now()

  constructor(choices: Partial<Switches>, { deviation }: Options = {}) {
    const switches = { ...usual, ...choices }
    const { next, form } = idsOf(switches)
    this.switches = switches
    this.teams = [new Team('team-acme', providers('1'), next), new Team('team-globex', providers('2'), next)]
    this.#idForm = form
    this.#deviations = deviation?.(this.teams) ?? {}
    this.#tokens = switches.rate
    const [own] = this.teams
    if (!switches.approvedTemplate) return
    const approved = { templateType: 'whatsapp', name: 'Order', uniqueName: 'order', status: 'approved' }
    const fields = { content: 'Your order {{1}} has left', category: 'UTILITY', language: 'en_US' }
    own.insert('template', { ...approved, ...fields, provider: 'whatsapp-provider' })
  }

  async answer(request: Incoming): Promise<Written> {
    for (const team of this.teams) team.catchUp()
    if (this.draw() < this.switches.busy) return refuseBusy(request, this.switches, this.draw())
    if (this.#isTooFast()) return this.#refuseRate(request)
    return writeReply(request, showTimes(this.#replyOnce(request), this.switches.times) as Reply, this.switches)
  }

  /** Handles a repeated Idempotency-Key. */
  #replyOnce(request: Incoming): Reply {
    const key = request.headers['idempotency-key']
    const { repeatedKey } = this.switches
    if (repeatedKey === 'ignored' || typeof key !== 'string') return this.#reply(request)
    const isOfTeam = repeatedKey === 'replayedForADay'
    const team = this.#callerOf(request, request.url)?.team.id
    const name = isOfTeam ? `${team} ${key}` : `${String(request.headers['x-api-key'])} ${request.url} ${key}`
    const first = this.#firstReplies.get(name)
    if (first && !(isOfTeam && Date.now() - first.at > 86_400_000)) {
      const isAgain = !isOfTeam || isSame(first.request, request)
      return isAgain && repeatedKey !== 'refused' ? first.reply : { status: 400, message: 'This key was used before' }
    }
    const reply = this.#reply(request)
    if (reply.status < 300) this.#firstReplies.set(name, { reply, request, at: Date.now() })
    return reply
  }

  #reply(request: Incoming): Reply {
    try {
      const { operation, given } = this.#understand(request)
      return operation(given)
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, message: error.message }
      return { status: 500, message: 'Internal server error' }
    }
  }

  #understand(request: Incoming): { operation: Operation; given: Given } {
    const { switches } = this
    const url = new URL(request.url, 'http://host')
    const path = url.pathname.slice(switches.prefix.length)
    const caller = this.#callerOf(request, path)
    if (!caller) throw new Refusal(401, 'Unauthorized')
    for (const [method, pattern, honest, key] of routes) {
      const match = method === request.method ? pattern.exec(path) : null
      if (!match) continue
      const operation = this.#deviations[key]?.(honest) ?? honest
      const ids = match.slice(1).map(decodeURIComponent)
      const texts = { 400: switches.text400, 404: switches.text404, 500: 'Internal server error' }
      if (!ids.every((id) => this.#idForm.test(id)))
        throw new Refusal(switches.malformedId, texts[switches.malformedId])
      return {
        operation,
        given: {
          ...caller,
          key: keyOf(request),
          path: ids,
          query: url.searchParams,
          switches,
          ...readContent(request, switches),
        },
      }
    }
    throw new Refusal(404, switches.text404)
  }

  #callerOf({ headers, method }: Incoming, path: string): Pick<Given, 'team' | 'caller'> | undefined {
    const [acme, globex] = this.teams
    const key = headers['x-api-key']
    const keys = { [credentials.team]: acme, [credentials.otherTeam]: globex }
    const [, byKey] = Object.entries(keys).find(([known]) => key === known) ?? []
    if (byKey) return { team: byKey, caller: { user: undefined, role: this.switches.roleOfKey } }
    const { tokens } = this.switches
    if (tokens === 'onlyForReads' && method !== 'GET') return undefined
    if (tokens === 'nowhere' || (tokens === 'onlyForTemplates' && !path.startsWith('/api/templates'))) return undefined
    const user = { [`Bearer ${credentials.admin}`]: 'admin', [`Bearer ${credentials.agent}`]: 'agent' }[
      headers.authorization ?? ''
    ] as 'admin' | 'agent' | undefined
    return user && { team: acme, caller: { user, role: user } }
  }

  /** A bucket that is filled again over time. */
  #isTooFast(): boolean {
    const { rate } = this.switches
    if (rate === Infinity) return false
    this.#tokens = Math.min(rate / 5, this.#tokens + (rate * (Date.now() - this.#filledAt)) / 1000)
    this.#filledAt = Date.now()
    if (this.#tokens < 1) return true
    this.#tokens--
    return false
  }

  #refuseRate(request: Incoming): Written {
    const soon = new Date(Date.now() + 1000).toUTCString()
    const after = { none: undefined, seconds: '1', date: soon, nonsense: 'soon' }[this.switches.retryAfter]
    const reply = { status: 429, message: 'Too many requests' }
    return writeReply(request, reply, this.switches, after === undefined ? {} : { 'retry-after': after })
  }
}

/** By the server as it answers otherwise, or by a proxy before it. */
function refuseBusy(request: Incoming, switches: Switches, draw: number): Written {
  const [status = 503] = [503, 502, 429].slice(Math.floor(draw * 3))
  const soon = switches.retryAfter === 'date' ? new Date(Date.now() + 2000).toUTCString() : '1'
  if (status !== 502) return writeReply(request, { status, message: 'Too busy' }, switches, { 'retry-after': soon })
  return { status, headers: { 'content-type': 'text/html' }, parts: [Buffer.from('<h1>502 Bad Gateway</h1>')] }
}

/** Sends without a socket. */
export const sendTo =
  (service: Service): Send =>
  async ({ method, url, headers, body = Buffer.alloc(0) }) => {
    const { pathname, search } = new URL(url)
    const answer = await service.answer({ method, url: `${pathname}${search}`, headers, bytes: body })
    const { 'content-type': type, 'content-encoding': encoding, 'retry-after': after, date } = answer.headers
    const answered = { 'content-type': type, 'content-encoding': encoding, 'retry-after': after, date }
    return {
      status: answer.status,
      headers: answered as Record<string, string | undefined>,
      text: decodeBody(Buffer.concat(answer.parts), encoding as string | undefined),
    }
  }

/** Such a server with its credentials and providers, as a run knows them. */
export const otherTarget = (baseUrl: string, options: StartedTarget['wanted'] = {}) => ({
  wanted: {
    emailProvider: 'email-provider,hello@team1.example.com',
    smsProvider: 'sms-provider,+14155550101',
    whatsappProvider: 'whatsapp-provider,+14155550111',
    baseUrl,
    ...options,
  },
  credentials,
})

const isSame = (one: Incoming, other: Incoming) =>
  one.method === other.method && one.url === other.url && one.bytes.equals(other.bytes)

const keyOf = ({ headers }: Incoming) => {
  const key = headers['idempotency-key']
  return typeof key === 'string' ? key : undefined
}

const providers = (team: string) => [
  { _id: 'email-provider', channel: 'email', address: `hello@team${team}.example.com` },
  { _id: 'sms-provider', channel: 'sms', address: `+1415555010${team}` },
  { _id: 'whatsapp-provider', channel: 'whatsapp', address: `+1415555011${team}` },
]

function readContent({ headers, bytes }: Incoming, switches: Switches): Pick<Given, 'body' | 'form'> {
  const type = headers['content-type'] ?? ''
  if (bytes.length === 0) return { body: undefined, form: undefined }
  if (type.startsWith('multipart/form-data')) return readForm(bytes.toString('latin1'), type, switches)
  if (!type.startsWith('application/json')) throw new Refusal(400, switches.text400)
  try {
    return { body: JSON.parse(bytes.toString()) as unknown, form: undefined }
  } catch {
    throw new Refusal(400, switches.text400)
  }
}

function readForm(content: string, type: string, switches: Switches): Pick<Given, 'body' | 'form'> {
  const [, boundary] = /boundary=(.+)$/.exec(type) ?? []
  if (boundary === undefined) throw new Refusal(400, switches.text400)
  const files: string[] = []
  const fields: Record<string, string> = {}
  for (const part of content.split(`--${boundary}`).slice(1, -1)) {
    const [head = '', value = ''] = part.split('\r\n\r\n', 2)
    const [, name = ''] = /name="([^"]*)"/.exec(head) ?? []
    if (head.includes('filename=')) files.push(name)
    else fields[name] = Buffer.from(value.slice(0, -2), 'latin1').toString()
  }
  return { body: fields, form: { files, bytes: content.length } }
}
