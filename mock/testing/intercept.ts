import { Agent, type ClientRequest, type RequestOptions } from 'node:http'
import { runInThisContext } from 'node:vm'

/**
 * Sends every request of this process to `origin` to `url` instead, whether sent by the global `fetch`, by the package
 * undici, or by `node:http` and `node:https`. All other requests are left alone. Returns the function that ends it, or
 * `undefined` when another interception of this origin is active.
 */
export function interceptRequests(origin: string, url: string): (() => void) | undefined {
  const { targets } = state
  if (targets.has(origin)) return undefined
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const target: InterceptedOrigin = { url, agent: new Agent({ keepAlive: true, host, port: Number(port) }) }
  targets.set(origin, target)
  state.restore ??= patch((requested) => targets.get(normalize(requested)))
  return () => {
    if (targets.get(origin) !== target) return
    targets.delete(origin)
    target.agent.destroy()
    if (targets.size > 0) return
    state.restore?.()
    state.restore = undefined
  }
}

/** Where the requests to an origin go instead. */
interface InterceptedOrigin {
  readonly url: string
  readonly agent: Agent
}

/** Finds the target of a request by its origin, such as `https://crm.example.com`. */
type FindTarget = (origin: string) => InterceptedOrigin | undefined

interface State {
  readonly targets: Map<string, InterceptedOrigin>
  /** Undoes the patches; `undefined` while nothing is intercepted. */
  restore: (() => void) | undefined
}

// Jest gives each test file its own `globalThis` and loads this module again; `fetch` uses the one of Node.js.
const nodeGlobal = runInThisContext('globalThis') as Record<symbol, unknown>

const stateKey = Symbol.for('crm-sandbox.takeovers')
const state = ((nodeGlobal as Record<symbol, State | undefined>)[stateKey] ??= {
  targets: new Map<string, InterceptedOrigin>(),
  restore: undefined,
})

/** In lower case, without a default port. */
function normalize(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).origin : origin
}

function patch(find: FindTarget): () => void {
  Reflect.get(nodeGlobal, 'Response') // the first use loads Node's undici, which sets the dispatcher
  const restores = [...dispatcherKeys.map((key) => patchDispatcher(key, find)), patchAgents(find)]
  return () => {
    for (const restore of restores) restore()
  }
}

/** The part of undici's dispatcher that every version has. */
interface Dispatcher {
  dispatch(options: { readonly origin?: string | URL }, handler: unknown): boolean
}

/** The keys of the global dispatcher: each version of undici uses one of them. */
const dispatcherKeys = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')]

/** Redirects the global `fetch`, and the requests of the package undici that name no dispatcher. */
function patchDispatcher(key: symbol, find: FindTarget): () => void {
  const holder = nodeGlobal as Record<symbol, Dispatcher | undefined>
  const original = holder[key]
  if (original === undefined) return () => undefined
  const redirecting = redirect(original, find)
  holder[key] = redirecting
  return () => {
    // A dispatcher that was set meanwhile may still call this one, which then finds no target.
    if (holder[key] === redirecting) holder[key] = original
  }
}

function redirect(dispatcher: Dispatcher, find: FindTarget): Dispatcher {
  const dispatch: Dispatcher['dispatch'] = (options, handler) => {
    const { origin } = options
    const target = origin === undefined ? undefined : find(origin.toString())
    return dispatcher.dispatch(target ? { ...options, origin: target.url } : options, handler)
  }
  return new Proxy(dispatcher, {
    get: (target, key): unknown => (key === 'dispatch' ? dispatch : Reflect.get(target, key)),
  })
}

/** `node:http` and `node:https` hand each request to an agent by this method, which every agent inherits. */
interface AddsRequests {
  addRequest: (this: Agent, request: ClientRequest, options: RequestOptions) => void
}

/** Redirects the requests of `node:http` and `node:https`, also through a `request` that was imported before. */
function patchAgents(find: FindTarget): () => void {
  const agents = Agent.prototype as unknown as AddsRequests
  const { addRequest } = agents
  agents.addRequest = redirecting
  return () => {
    if (agents.addRequest === redirecting) agents.addRequest = addRequest
  }

  function redirecting(this: Agent, request: ClientRequest, options: RequestOptions): void {
    const target = find(originOf(request, options))
    // The agent of the target connects to the sandbox, without TLS.
    addRequest.call(target?.agent ?? this, request, options)
  }
}

/** Empty for a request to a Unix socket. */
function originOf({ protocol }: ClientRequest, { host, port, socketPath }: RequestOptions): string {
  if (socketPath) return ''
  const name = host?.includes(':') ? `[${host}]` : host
  return `${protocol}//${name ?? ''}:${port ?? ''}`
}
