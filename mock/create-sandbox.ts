import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { TeamOnFile, World } from '../fixtures/world.ts'
import { readProfile, type WrittenChoices } from '../spec/choices.ts'
import { once } from '../lib/async.ts'
import { Redactor } from '../lib/redactor.ts'
import { withPeriod } from '../lib/text.ts'
import { interceptRequests } from './testing/intercept.ts'
import { Refused } from './testing/control-requests.ts'
import { newTeam, type Team } from './testing/team.ts'
import { CannotStart } from '../lib/user-error.ts'
import { type Controls, controlsOver, type TeamToCreate } from './testing/control-client.ts'
import type { ControlContext } from './control/context.ts'
import type { Watch } from './core/choices-in-force.ts'
import { startSteering } from './control/steering.ts'
import { bindAddress, checkCanListen, listen, type BindAddress, type Listening, urlOf } from './http/listening.ts'
import { readInterceptedOrigin } from './http/guard.ts'
import { controlFunctions, type Fetch, fetchFrom } from './http/fetch.ts'
import { failureWriterOf } from './http/log.ts'
import { newEngine } from './operations/engine.ts'
import type { FaultToAdd, SandboxOptions as OptionsInCode } from './options.ts'
import { openStore, shownName } from './store/open-store.ts'
import { loadInitial, type InitialWorld } from './store/port.ts'
import { mebibyte, MemoryBudget } from './store/retention.ts'

/** The options of createSandbox, with the content of files, and the options of `serve` alone. */
export interface SandboxOptions extends Omit<OptionsInCode, 'world' | 'profile' | 'faults'> {
  readonly world: World
  readonly profile?: WrittenChoices
  readonly faults?: readonly FaultToAdd[]
  /** The certificate and the key, in PEM, of a server for HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string }
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
  readonly teams: Controls['teams'] & (() => Promise<readonly TeamOnFile[]>)
  /** A new team with its key, a `fetch` that sends the key, and the operations as functions: one for each test. */
  team(team?: TeamToCreate): Promise<Team>
  /** All current records, or the records of one team; waits for requests in progress. */
  readonly world: (of?: { readonly teamId?: string }) => Promise<World>
  /**
   * Approves due templates and sends due messages. A sandbox with your `clock` does so before each request too; call this
   * before you read the world directly, or to wait for the delivery of a bulk send.
   */
  doDueWork(): Promise<void>
  /** Works like the global `fetch`, but answers in process, without a port. Can be handed to a client. */
  readonly fetch: Fetch
  /** With `drain`, serves for that many milliseconds more, while `GET /_sandbox/ready` answers 503. */
  close(options?: { readonly drain?: number }): Promise<void>
}

/** A sandbox that can replace its start while it runs. Its settings, such as faults, stay. */
export interface ServedSandbox extends Sandbox {
  /** Replaces all records, and the world that a reset brings back. */
  replaceWorld(world: World): Promise<void>
  /** Replaces the choices learned from a server, except for the `bodyLimit`. */
  replaceProfile(profile: WrittenChoices): Promise<void>
  /** Replaces the faults of the start, and no others. */
  replaceFaults(faults: readonly FaultToAdd[]): Promise<void>
}

/** A world that is loaded when it is needed first. Its name is only shown. A test may open another store. */
export async function createSandbox(
  ownOptions: Omit<SandboxOptions, 'world'> & { readonly world: InitialWorld },
  watch?: Watch,
  worldName?: string,
  open = openStore,
): Promise<ServedSandbox> {
  const intercepted = ownOptions.intercept === undefined ? undefined : readInterceptedOrigin(ownOptions.intercept)
  const options = intercepted === undefined ? ownOptions : { ...ownOptions, ...withOrigin(intercepted, ownOptions) }
  const { port, store: storeName = 'memory' } = options
  const assume = readProfile(options.assume ?? {})
  const bound = await bindAddress(options.host ?? '127.0.0.1', options.public ?? false)
  const isReachable = bound.reach !== 'thisMachine'
  const controlToken = options.controlToken ?? (isReachable ? randomBytes(24).toString('base64url') : undefined)
  if (port !== undefined && storeName !== 'memory') await checkCanListen(bound, port)
  // A stored sandbox needs it at a reset, if ever.
  const world = once(() => loadInitial(options.world))
  const memory = new MemoryBudget(options.memory && options.memory * mebibyte)
  const store = await open(storeName, world, memory)
  const { teams: given } = typeof options.world === 'function' ? { teams: [] } : options.world
  const isKey =
    controlToken !== undefined &&
    (given.some(({ apiKeys }) => apiKeys.includes(controlToken)) || (await store.teamOfKey(controlToken)) !== undefined)
  if (isKey) {
    await store.close()
    throw new CannotStart('The control token is the API key of a team; choose another one.')
  }
  const secrets = new Redactor(controlToken === undefined ? [] : [controlToken])
  const failed = options.log ? failureWriterOf(options.log, secrets) : () => undefined
  const engine = newEngine({ ...options, assume, memory }, store, failed, watch)
  const steering = await startSteering({ ...options, world, secrets, controlToken, failed }, engine)
  const stopping = new AbortController()
  const control = {
    ...engine,
    ...steering,
    stopping: stopping.signal,
    storeName: await shownName(storeName),
    worldName,
    controlToken,
    metricsOpen: options.metricsOpen ?? false,
    isStrict: options.strict ?? false,
    // Loaded on first use: most sandboxes never need it.
    document: async () => (await import('./control/document.ts')).controlDocument(),
  }
  // Loaded on first use, since loading Fastify takes longer than everything else.
  let opened: Promise<FastifyInstance> | undefined
  const app = () => (opened ??= openApp(options, bound, control))
  let endIntercept: (() => void) | undefined
  const closeParts = async () => {
    await steering.endWaits()
    await (await opened)?.close()
    endIntercept?.() // last, so that no request goes to the real server meanwhile
    await steering.close()
    await store.close()
  }
  const closeAll = async (drain: number) => {
    stopping.abort()
    if (drain > 0) await setTimeout(drain)
    const { shared } = store
    const abandon = async () => {
      await setTimeout(longestClose, undefined, { ref: false })
      shared?.abandon()
    }
    await (shared ? Promise.race([closeParts(), abandon()]) : closeParts())
  }
  let closing: Promise<void> | undefined
  const close = ({ drain = 0 } = {}) => (closing ??= closeAll(drain))

  const whileOpen =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result> | Result) =>
    async (...args: Args) => {
      if (closing) throw new Error('This sandbox is closed')
      return work(...args)
    }
  const controlsAt = (url: string) =>
    controlsOver({
      url,
      fetch: whileOpen(fetchFrom(app, url, controlFunctions)),
      ...(controlToken === undefined ? {} : { token: controlToken }),
    })
  // Before the sandbox listens, so that they meet its first request.
  const ownControls = controlsAt(port === undefined ? nowhere : onLoopback)
  let faultIds = await orClose(close, () => addFaults(options.faults ?? [], ownControls))

  const listening = port === undefined ? undefined : await orClose(close, async () => listen(await app(), bound, port))
  await orClose(close, () => steering.others?.join(listening?.port))
  const url = listening ? urlOf(listening, options.tls ? 'https' : 'http') : nowhere
  if (intercepted !== undefined) endIntercept = await orClose(close, () => interceptOrigin(intercepted, url))
  const fetch = whileOpen(fetchFrom(app, url))
  const controls = controlsAt(url)
  return {
    ...controls,
    world: async (of) => {
      const { teams } = (await controls.world(of)) as World
      return { teams }
    },
    doDueWork: whileOpen(() => engine.scheduler.runIfDue()),
    url,
    listening,
    controlToken,
    teams: Object.assign(
      whileOpen(() => store.teams()),
      controls.teams,
    ),
    replaceWorld: whileOpen((next) => steering.worlds.replaceInitial(next)),
    replaceProfile: whileOpen((next) => {
      engine.choices.learn(next)
      steering.settings.changes.notifyAll()
    }),
    replaceFaults: whileOpen(async (next) => {
      const added = await addFaults(next, ownControls)
      await deleteFaults(faultIds, ownControls)
      faultIds = added
    }),
    team: (team) => newTeam({ url, fetch, teams: controls.teams }, team),
    fetch,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/** In milliseconds. After this time, a close abandons work that waits for a database; requests have two seconds to end. */
const longestClose = 3_000

/** The URL without a port. `.invalid` is reserved, so no server can have this name. */
const nowhere = 'http://crm-sandbox.invalid'

/** Accepted by any sandbox, also before it listens. */
const onLoopback = 'http://127.0.0.1'

/** Adds all of the faults, or none. Returns their ids. */
async function addFaults(faults: readonly FaultToAdd[], controls: Controls): Promise<readonly string[]> {
  const ids: string[] = []
  for (const fault of faults)
    try {
      ids.push((await controls.faults.add(fault)).id)
    } catch (error) {
      await deleteFaults(ids, controls)
      if (!(error instanceof Refused)) throw error
      throw new CannotStart(`Fault ${ids.length + 1} of the start is refused: ${withPeriod(error.message)}`, {
        option: 'faults',
      })
    }
  return ids
}

/** Ignores deleted ones. */
async function deleteFaults(ids: readonly string[], controls: Controls): Promise<void> {
  for (const id of ids)
    await controls.faults.delete(id).catch((error: unknown) => {
      if (!(error instanceof Refused && error.status === 404)) throw error
    })
}

async function openApp(
  options: Omit<SandboxOptions, 'world'>,
  bound: BindAddress,
  control: ControlContext,
): Promise<FastifyInstance> {
  const { newApp } = await import('./control/app.ts')
  const { port, allowHosts = [] } = options
  return newApp(
    { ...options, bound, allowHosts: port === undefined ? [...allowHosts, new URL(nowhere).host] : allowHosts },
    control,
  )
}

/** Requests to the origin come over a port, and have its name in their Host header. */
function withOrigin(origin: string, { port = 0, allowHosts = [] }: Omit<SandboxOptions, 'world'>) {
  return { port, allowHosts: [...allowHosts, new URL(origin).hostname] }
}

/** Lets the sandbox at `url` answer the requests of this process to an origin. Returns the function that ends it. */
function interceptOrigin(origin: string, url: string): () => void {
  const end = interceptRequests(origin, url)
  if (!end) throw new CannotStart(`Another sandbox of this process intercepts ${origin}; close it first.`)
  return end
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
