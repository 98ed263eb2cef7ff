import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { TeamOnFile, World } from '../fixtures/world.ts'
import { assumedBy } from '../spec/assumed.ts'
import { chooseAll, type WrittenChoices } from '../spec/choices.ts'
import type { AppOptions } from './http/app.ts'
import { type BindAddress, bindAddress } from './http/bind-address.ts'
import { bodyLimit } from './http/body-limit.ts'
import { type Clock, systemClock } from './clock.ts'
import { envelopeOf } from './envelope.ts'
import { ids } from './ids.ts'
import type { Fetch } from './http/fetch.ts'
import { fetchInProcess } from './http/in-process.ts'
import { Later } from './later.ts'
import { listen, type Listening, urlOf } from './http/listening.ts'
import { type Log, loggerFor } from './http/log.ts'
import { operations } from './operations/index.ts'
import { performer } from './perform.ts'
import { rateLimitOf } from './rate-limit.ts'
import type { Routing } from './http/pipeline.ts'
import { Secrets } from './http/redaction.ts'
import { openStore } from './store/open-store.ts'
import { Tokens } from './tokens.ts'

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
  readonly fetch: Fetch
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
  const failed = async (error: unknown) => {
    if (options.log) (await app()).log.error(error)
  }
  const later = new Later({ ...shared, failed: (error) => void failed(error) })
  const rateLimit = rateLimitOf(chosen, clock)
  const reset = async () => {
    await store.become(world)
    rateLimit.reset()
    shared.ids.restart()
    await later.wake()
  }
  const routing: Routing = {
    credentials: shared,
    perform: later.after(performer({ ...shared, operations, envelope: envelopeOf(chosen) })),
    newAssumed: shared.newAssumed,
    rateLimit,
  }
  const wake = (teamId?: string) => later.wake(teamId)
  const controls = { ...shared, storeName, chosen, secrets, startedAt: performance.now(), reset, wake }
  const server = { bodyLimit: bodyLimit[chosen.bodyLimit.choice], logger: loggerFor(options.log, secrets) }
  const appOptions = { server, guarded: { bound, allowHosts }, routing, controls, controlToken }
  // Opened when it is first needed: what is asked in process mostly needs none, and to load it takes longer than all else.
  let opened: Promise<FastifyInstance> | undefined
  const app = () => (opened ??= openApp(appOptions))
  let closing: Promise<void> | undefined
  const close = () => (closing ??= closeAll())
  const closeAll = async () => {
    await (await opened)?.close()
    await later.close()
    await store.close()
  }
  void later.wake()

  secrets.add(...(controlToken === undefined ? [] : [controlToken]))
  secrets.add(...(await store.teams()).flatMap((team) => team.apiKeys))
  const listening = port === undefined ? undefined : await listenOrClose(app, bound, port, close)
  const url = listening ? urlOf(listening) : 'http://localhost'
  const fetch = fetchInProcess({ url, routing, app, isLogged: options.log !== undefined })
  return {
    url,
    listening,
    controlToken,
    teams: () => store.teams(),
    world: () => store.world(),
    fetch: async (input, init) => {
      if (closing) throw new Error('This sandbox is closed')
      return fetch(input, init)
    },
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

async function openApp(options: AppOptions): Promise<FastifyInstance> {
  const { newApp } = await import('./http/app.ts')
  return newApp(options)
}

/** A sandbox that cannot start leaves nothing open. */
async function listenOrClose(
  app: () => Promise<FastifyInstance>,
  bound: BindAddress,
  port: number,
  close: () => Promise<void>,
): Promise<Listening> {
  try {
    return await listen(await app(), bound, port)
  } catch (error) {
    await close()
    throw error
  }
}
