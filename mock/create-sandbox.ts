import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { TeamOnFile, World } from '../fixtures/world.ts'
import { assumedBy } from '../spec/assumed.ts'
import { chooseAll, type WrittenChoices } from '../spec/choices.ts'
import { type BindAddress, bindAddress } from './http/bind-address.ts'
import { bodyLimit } from './http/body-limit.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { addControlPlane } from './control/control-plane.ts'
import { addDocs } from './http/docs.ts'
import { envelopeOf } from './core/envelope.ts'
import { guardHosts } from './http/guard.ts'
import { ids } from './core/ids.ts'
import { readJsonBodies } from './http/json-body.ts'
import { Later } from './core/later.ts'
import { listen, type Listening, urlOf } from './http/listening.ts'
import { type Log, loggerFor } from './http/log.ts'
import { readForms } from './http/multipart-body.ts'
import { operations } from './operations/index.ts'
import { performer } from './core/perform.ts'
import { rateLimitOf } from './core/rate-limit.ts'
import { Secrets } from './http/redaction.ts'
import { addRoutes } from './http/routes.ts'
import { newServer } from './http/server.ts'
import { openStore } from './store/open-store.ts'
import { doDueWork } from './rules/due-work.ts'
import { Teams } from './core/teams.ts'
import { Tokens } from './core/tokens.ts'

export interface SandboxOptions {
  /** Where to listen; 0 picks a free port. Without a port nothing listens, and `fetch` works all the same. */
  readonly port?: number
  /** The address to listen on, 127.0.0.1 unless another is given. */
  readonly host?: string
  /** Whether a host may mean all interfaces, where other machines can reach it. */
  readonly public?: boolean
  /** Additional Host names to accept; a request with any other Host is refused. */
  readonly allowHosts?: readonly string[]
  /** The token that `/_sandbox` requires. By default none on loopback, and a generated one on any other address. */
  readonly controlToken?: string
  /** Receives a line of JSON for each request. Nothing is logged without it. */
  readonly log?: Log
  /** `memory`, or `file:PATH` to keep everything in a file. */
  readonly store?: string
  /** The records at the start and after a reset. */
  readonly world: World
  /** Choices for what the specification leaves open, such as `{ contactMatching: 'phoneThenEmail' }`. */
  readonly assume?: WrittenChoices
  /** With a seed, the same requests get the same ids in every run. */
  readonly seed?: number
  readonly clock?: Clock
}

/** A running sandbox. */
export interface Sandbox extends AsyncDisposable {
  /** The address that it listens on; without a port, an address that only `sandbox.fetch` understands. */
  readonly url: string
  /** The address, port and reach reported by the system; undefined without a port. */
  readonly listening: Listening | undefined
  /** The token that `/_sandbox` requires; undefined when it requires none. */
  readonly controlToken: string | undefined
  /** The teams of this moment, with their keys. */
  teams(): Promise<readonly TeamOnFile[]>
  /** All records of this moment, as a world; waits for requests that are being worked on. */
  world(): Promise<World>
  /** Works like the global `fetch`, but answers in process, without a port. Can be handed to a client. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Restores the state of the start. */
  reset(): Promise<void>
  close(): Promise<void>
}

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { world, assume, seed, clock = systemClock, port, allowHosts = [], store: storeName = 'memory' } = options
  const chosen = chooseAll(assume)
  const bound = await bindAddress(options.host ?? '127.0.0.1', options.public ?? false)
  const controlToken = options.controlToken ?? tokenBeyond[bound.reach]()
  const store = await openStore(storeName, world)
  const tokens = new Tokens(randomBytes(32), clock)
  const secrets = new Secrets()
  const shared = { store, tokens, clock, ids: ids(seed), newAssumed: assumedBy(chosen) }
  const app = newServer({ bodyLimit: bodyLimit[chosen.bodyLimit.choice], logger: loggerFor(options.log, secrets) })
  const failed = (error: unknown) => {
    app.log.error(error)
  }
  const teams = new Teams({ ...shared, onLater: (teamId) => void later.wake(teamId) })
  const later = new Later({ store, teams, clock, doDue: doDueWork, failed })
  const rateLimit = rateLimitOf(chosen, clock)
  const reset = async () => {
    await store.become(world)
    rateLimit.reset()
    shared.ids.restart()
    await later.wake()
  }
  guardHosts(app, { bound, allowHosts })
  readJsonBodies(app)
  readForms(app)
  addRoutes(app, {
    credentials: shared,
    perform: performer({ teams, operations, envelope: envelopeOf(chosen) }),
    newAssumed: shared.newAssumed,
    rateLimit,
  })
  const wake = (teamId?: string) => later.wake(teamId)
  addControlPlane(
    app,
    { ...shared, teams, storeName, chosen, secrets, startedAt: performance.now(), reset, wake },
    controlToken,
  )
  addDocs(app)
  app.addHook('onClose', async () => {
    await later.close()
    await store.close()
  })
  void later.wake()

  secrets.add(...(controlToken === undefined ? [] : [controlToken]))
  secrets.add(...(await store.teams()).flatMap((team) => team.apiKeys))
  const listening = await started(app, bound, port)
  const url = listening ? urlOf(listening) : 'http://localhost'
  const close = () => app.close()
  return {
    url,
    listening,
    controlToken,
    teams: () => store.teams(),
    world: () => store.world(),
    fetch: (input, init) =>
      fetchInProcess(app, url, new Request(input instanceof Request ? input : new URL(input, url), init)),
    reset,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** On any address but loopback there is always a control token. */
const tokenBeyond: Readonly<Record<BindAddress['reach'], () => string | undefined>> = {
  thisMachine: () => undefined,
  oneNetwork: newToken,
  everyNetwork: newToken,
}

function newToken(): string {
  return randomBytes(24).toString('base64url')
}

/** Closes everything again when starting fails. */
async function started(app: FastifyInstance, bound: BindAddress, port?: number): Promise<Listening | undefined> {
  try {
    if (port !== undefined) return await listen(app, bound, port)
    await app.ready()
    return undefined
  } catch (error) {
    await app.close()
    throw error
  }
}

async function fetchInProcess(app: FastifyInstance, url: string, request: Request): Promise<Response> {
  const { pathname, search, origin } = new URL(request.url)
  if (origin !== new URL(url).origin) throw new TypeError(`This fetch only asks ${url}, not ${origin}`)
  const body = Buffer.from(await request.arrayBuffer())
  const answer = await app.inject({
    method: request.method as 'GET',
    url: pathname + search,
    headers: { ...Object.fromEntries(request.headers), host: new URL(url).host },
    ...(body.length > 0 ? { payload: body } : {}),
  })
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
  return new Response(answer.rawPayload.length > 0 ? answer.rawPayload : null, { status: answer.statusCode, headers })
}
