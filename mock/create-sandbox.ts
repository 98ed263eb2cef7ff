import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Controls } from '../control/controls.ts'
import type { TeamsControl } from '../control/teams.ts'
import type { TeamOnFile, World } from '../fixtures/world.ts'
import { chooseAll, type WrittenChoices } from '../spec/choices.ts'
import { CannotStart } from './cannot-start.ts'
import { controlsOf } from './control/controls.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { type Engine, startEngine } from './engine.ts'
import type { AppOptions } from './http/app.ts'
import { type BindAddress, bindAddress } from './http/bind-address.ts'
import { bodyLimit } from './http/body-limit.ts'
import type { Fetch } from './http/fetch.ts'
import { fetchInProcess } from './http/in-process.ts'
import { checkCanListen, listen, type Listening, urlOf } from './http/listening.ts'
import type { Log } from './http/log.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/port.ts'
import { withWholeMessages } from './whole-messages.ts'

export interface SandboxOptions {
  /** Where to listen; 0 picks a free port. Without a port nothing listens, and `fetch` works all the same. */
  readonly port?: number
  /** The address to listen on, 127.0.0.1 unless another is given. */
  readonly host?: string
  /** Whether a host may mean all interfaces, where other machines can reach it. */
  readonly public?: boolean
  /** Additional Host names to accept; a request with any other Host is refused. */
  readonly allowHosts?: readonly string[]
  /** Origins whose pages may use the API in a browser, such as `http://localhost:5173`; never the control plane. */
  readonly cors?: readonly string[]
  /** The token that `/_sandbox` requires. By default none on loopback, and a generated one on any other address. */
  readonly controlToken?: string
  /** Receives a line for each request. Nothing is logged without it. */
  readonly log?: Log
  /** `memory`, or `file:PATH` to keep everything in a file. */
  readonly store?: string
  /** The records at the start and after a reset. */
  readonly world: World
  /** Choices for what the specification leaves open, such as `{ contactMatching: 'phoneThenEmail' }`. */
  readonly assume?: WrittenChoices
  /** With a seed, the same requests get the same ids in every run. */
  readonly seed?: number
  /** What time it is; everything that depends on time follows it. */
  readonly clock?: Clock
}

/** A running sandbox. */
export interface Sandbox extends Controls, AsyncDisposable {
  /** The address that it listens on; without a port, an address that only `sandbox.fetch` understands. */
  readonly url: string
  /** The address, port and reach reported by the system; undefined without a port. */
  readonly listening: Listening | undefined
  /** The token that `/_sandbox` requires; undefined when it requires none. */
  readonly controlToken: string | undefined
  /** Called, it resolves to the teams of this moment, with their keys. */
  readonly teams: TeamsControl & (() => Promise<readonly TeamOnFile[]>)
  /** All records of this moment, as a world; waits for requests that are being worked on. */
  world(): Promise<World>
  /**
   * Approves templates and sends messages whose time has come. A sandbox with a `clock` of yours does that before each
   * request too; it is for those who look elsewhere, or who want to wait until a bulk send is delivered.
   */
  doDueWork(): Promise<void>
  /** Works like the global `fetch`, but answers in process, without a port. Can be handed to a client. */
  readonly fetch: Fetch
  close(): Promise<void>
}

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { world, assume, seed, clock = systemClock, port, store: storeName = 'memory' } = options
  const chosen = chooseAll(assume)
  const bound = await bindAddress(options.host ?? '127.0.0.1', options.public ?? false)
  const controlToken = options.controlToken ?? tokenBeyond[bound.reach]()
  if (port !== undefined && storeName !== 'memory') await checkCanListen(bound, port)
  const store = await openStore(storeName, world)
  await refuseKeyAsToken(controlToken, store)
  const failed = async (error: unknown) => {
    if (options.log) (await app()).failed(error)
  }
  const engine = await startEngine({ store, world, chosen, seed, clock, failed: (error) => void failed(error) })
  if (controlToken !== undefined) engine.secrets.add(controlToken)
  const controls = controlsOf({ ...engine, storeName, controlToken, startedAt: performance.now() })
  // Loaded on first use: most requests in process need no server, and loading it takes longer than everything else.
  let opened: Promise<FastifyInstance> | undefined
  const app = () => (opened ??= openApp(appOptions(options, bound, engine, { controls, store, controlToken })))
  let closing: Promise<void> | undefined
  const close = () => (closing ??= closeAll())
  const closeAll = async () => {
    await (await opened)?.close()
    await engine.later.close()
    await store.close()
  }

  const listening = port === undefined ? undefined : await listenOrClose(app, bound, port, close)
  const url = listening ? urlOf(listening) : nowhere
  const needsServer = options.log !== undefined || (options.cors ?? []).length > 0
  const fetch = fetchInProcess({ url, routing: engine.routing, app, needsServer })
  const doDueWork = () => engine.later.catchUpWithClock()
  return {
    ...controls,
    url,
    listening,
    controlToken,
    teams: Object.assign(() => store.teams(), controls.teams),
    world: async () => {
      await doDueWork()
      return withWholeMessages(await store.world())
    },
    doDueWork,
    fetch: async (input, init) => {
      if (closing) throw new Error('This sandbox is closed')
      return fetch(input, init)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Without a port. No name ends so, which means that nothing else can answer there. */
const nowhere = 'http://crm-sandbox.invalid'

/** On any address but loopback there is always a control token. */
const tokenBeyond: Readonly<Record<BindAddress['reach'], () => string | undefined>> = {
  thisMachine: () => undefined,
  oneNetwork: newToken,
  everyNetwork: newToken,
}

function newToken(): string {
  return randomBytes(24).toString('base64url')
}

async function refuseKeyAsToken(controlToken: string | undefined, store: Store): Promise<void> {
  if (controlToken === undefined || (await store.teamOfKey(controlToken)) === undefined) return
  await store.close()
  throw new CannotStart('The control token is the API key of a team; choose another one.')
}

function appOptions(
  { port, allowHosts = [], cors = [], log }: SandboxOptions,
  bound: BindAddress,
  { chosen, routing, secrets }: Engine,
  plane: AppOptions['plane'],
): AppOptions {
  return {
    server: { bodyLimit: bodyLimit[chosen.bodyLimit.choice], log, secrets },
    guarded: { bound, allowHosts: port === undefined ? [...allowHosts, new URL(nowhere).host] : allowHosts },
    cors,
    routing,
    plane,
  }
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
