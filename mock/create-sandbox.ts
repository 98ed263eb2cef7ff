import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Controls } from '../control/controls.ts'
import type { TeamsControl, TeamToCreate } from '../control/teams.ts'
import type { TeamOnFile, World } from '../fixtures/world.ts'
import { readProfile, type WrittenChoices } from '../spec/choices.ts'
import type { Profile } from '../spec/profile.ts'
import { newTeam, type Team } from '../typed-client/team.ts'
import { CannotStart } from './cannot-start.ts'
import { controlsOf, eachAfter } from './control/controls.ts'
import { type Clock, systemClock } from './core/clock.ts'
import type { Watch } from './core/watch.ts'
import { type Engine, startEngine } from './engine.ts'
import type { AppOptions } from './http/app.ts'
import { type BindAddress, bindAddress } from './http/bind-address.ts'
import { bodyLimit } from './http/body-limit.ts'
import type { Fetch } from './http/fetch.ts'
import { fetchInProcess } from './http/in-process.ts'
import { checkCanListen, listen, type Listening, urlOf } from './http/listening.ts'
import type { Log } from './http/log.ts'
import { interceptOrigin, readInterceptedOrigin, withOrigin } from './intercepted-origin.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/port.ts'

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
  /**
   * The origin of a server, such as `https://crm.example.com`, whose place the sandbox takes: it answers all requests of
   * this process to it, until it is closed. It listens for them on a free port, unless there is a `port`.
   */
  readonly intercept?: string
  /** The token that `/_sandbox` requires. By default none on loopback, and a generated one on any other address. */
  readonly controlToken?: string
  /** Receives a line for each request. Nothing is logged without it. */
  readonly log?: Log
  /** `memory`, or `file:PATH` to keep everything in a file. */
  readonly store?: string
  /** The records at the start and after a reset. */
  readonly world: World
  /** What was learned from a server. */
  readonly profile?: Profile
  /** Whether to speak as the server of the profile does: its texts, ids, times, additional fields and headers. */
  readonly voice?: boolean
  /** Choices by hand for what the specification leaves open, such as `{ contactMatching: 'phoneThenEmail' }`. */
  readonly assume?: WrittenChoices
  /** With a seed, the same requests get the same ids in every run. */
  readonly seed?: number
  /** What time it is; everything that depends on time follows it. */
  readonly clock?: Clock
  /** Whether a request may ask for a documented error by itself, with `Prefer: code=404`; it may by default. */
  readonly faultsByHeader?: boolean
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
  /** A new team with its key, a `fetch` that sends the key, and the operations as functions: one for each test. */
  team(team?: TeamToCreate): Promise<Team>
  /** All records of this moment, or those of one team; waits for requests that are being worked on. */
  readonly world: (of?: { readonly teamId?: string }) => Promise<World>
  /**
   * Approves templates and sends messages whose time has come. A sandbox with a `clock` of yours does that before each
   * request too; it is for those who look elsewhere, or who want to wait until a bulk send is delivered.
   */
  doDueWork(): Promise<void>
  /** Works like the global `fetch`, but answers in process, without a port. Can be handed to a client. */
  readonly fetch: Fetch
  close(): Promise<void>
}

export async function createSandbox(given: SandboxOptions, watch?: Watch): Promise<Sandbox> {
  const intercepted = given.intercept === undefined ? undefined : readInterceptedOrigin(given.intercept)
  const options = intercepted === undefined ? given : { ...given, ...withOrigin(intercepted, given) }
  const { world, seed, clock = systemClock, port, store: storeName = 'memory', profile = { choices: {} } } = options
  const assume = readProfile(options.assume ?? {})
  const bound = await bindAddress(options.host ?? '127.0.0.1', options.public ?? false)
  const controlToken = options.controlToken ?? tokenBeyond[bound.reach]()
  if (port !== undefined && storeName !== 'memory') await checkCanListen(bound, port)
  const store = await openStore(storeName, world)
  await refuseKeyAsToken(controlToken, store)
  const failed = async (error: unknown) => {
    if (options.log) (await app()).failed(error)
  }
  const engine = await startEngine({
    ...{
      store,
      world,
      profile: profile.choices,
      voice: options.voice === false ? undefined : profile.voice,
      assume,
      seed,
      clock,
    },
    faultsByHeader: options.faultsByHeader ?? true,
    failed: (error) => void failed(error),
    watch,
  })
  if (controlToken !== undefined) engine.secrets.add(controlToken)
  const controls = controlsOf({ ...engine, storeName, controlToken, startedAt: performance.now() })
  // Loaded on first use: most requests in process need no server, and loading it takes longer than everything else.
  let opened: Promise<FastifyInstance> | undefined
  const app = () => (opened ??= openApp(appOptions(options, bound, engine, { controls, store, controlToken })))
  let closing: Promise<void> | undefined
  const close = () => (closing ??= closeAll())
  let endIntercept: (() => void) | undefined
  const closeAll = async () => {
    engine.interception.clear()
    engine.changes.close()
    engine.journal.close()
    await (await opened)?.close()
    endIntercept?.() // last, so that no request goes to the real server meanwhile
    await engine.later.close()
    await store.close()
  }

  const listening = port === undefined ? undefined : await orClose(close, async () => listen(await app(), bound, port))
  const url = listening ? urlOf(listening) : nowhere
  if (intercepted !== undefined) endIntercept = await orClose(close, () => interceptOrigin(intercepted, url))
  const needsServer = options.log !== undefined || (options.cors ?? []).length > 0
  const answer = fetchInProcess({ url, routing: engine.routing, app, needsServer })
  const checkOpen = () => {
    if (closing) throw new Error('This sandbox is closed')
  }
  const fetch: Fetch = async (input, init) => {
    checkOpen()
    return answer(input, init)
  }
  const listTeams = async () => {
    checkOpen()
    return store.teams()
  }
  const steered = eachAfter(checkOpen, { ...controls, doDueWork: engine.doDueWork })
  return {
    ...steered,
    url,
    listening,
    controlToken,
    teams: Object.assign(listTeams, steered.teams),
    team: (team) => newTeam({ url, fetch, teams: steered.teams }, team),
    fetch,
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
  { choices, routing, secrets, journal }: Engine,
  plane: AppOptions['plane'],
): AppOptions {
  return {
    server: { bodyLimit: bodyLimit[choices.of().chosen.bodyLimit.choice], log, secrets, journal },
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
async function orClose<Result>(close: () => Promise<void>, start: () => Result): Promise<Awaited<Result>> {
  try {
    return await start()
  } catch (error) {
    await close()
    throw error
  }
}
