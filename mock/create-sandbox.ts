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
  /** What else the sandbox is called; a request for any other host is refused. */
  readonly allowHosts?: readonly string[]
  /** What opens `/_sandbox`. Without one, whoever is on this machine may; beyond it, one is made. */
  readonly controlToken?: string
  /** Where a line of JSON goes for each request. Without it nothing is logged. */
  readonly log?: Log
  /** `memory`, or `file:PATH` to keep everything in a file. */
  readonly store?: string
  /** What is there at the start, and after a reset. */
  readonly world: World
  /** Other choices for what the specification leaves open, such as `{ contactMatching: 'phoneThenEmail' }`. */
  readonly assume?: WrittenChoices
  /** With a seed, the same requests get the same ids. */
  readonly seed?: number
  readonly clock?: Clock
}

/** A running stand-in. */
export interface Sandbox extends AsyncDisposable {
  /** Where it listens; without a port an address that only `fetch` knows. */
  readonly url: string
  /** Where it really listens; nothing without a port. */
  readonly listening: Listening | undefined
  /** What opens `/_sandbox`, when it takes more than to be on this machine. */
  readonly controlToken: string | undefined
  /** The teams that it has now, with their keys. */
  teams(): Promise<readonly TeamOnFile[]>
  /** Everything that it holds now, as a world. A turn that runs is waited for. */
  world(): Promise<World>
  /** As the global fetch, but what is asked of this sandbox needs no port. May be handed to a client. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Everything is as it was at the start. */
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

/** Beyond this machine there is always a control token. */
const tokenBeyond: Readonly<Record<BindAddress['reach'], () => string | undefined>> = {
  thisMachine: () => undefined,
  oneNetwork: newToken,
  everyNetwork: newToken,
}

function newToken(): string {
  return randomBytes(24).toString('base64url')
}

/** What could not start has nothing left open. */
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
