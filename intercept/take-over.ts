import { Agent } from 'node:http'
import { redirectFetch } from './global-fetch.ts'
import { redirectNodeHttp } from './node-http.ts'

/** Where the requests to an origin go instead. */
export interface Target {
  readonly url: string
  readonly agent: Agent
}

/** Finds the target of a request by its origin, such as `https://crm.example.com`. */
export type FindTarget = (origin: string) => Target | undefined

/**
 * Sends every request of this process to `origin` to `url` instead: those of the global `fetch`, and of `node:http` and
 * `node:https`. All other requests are left as they are. Returns the function that ends it, or `undefined` when the
 * origin is taken over already.
 */
export function takeOver(origin: string, url: string): (() => void) | undefined {
  const { targets } = takeovers
  if (targets.has(origin)) return undefined
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const target: Target = { url, agent: new Agent({ keepAlive: true, host, port: Number(port) }) }
  targets.set(origin, target)
  takeovers.restore ??= redirectAll((wanted) => targets.get(normalize(wanted)))
  return () => {
    if (targets.get(origin) !== target) return
    targets.delete(origin)
    target.agent.destroy()
    if (targets.size > 0) return
    takeovers.restore?.()
    takeovers.restore = undefined
  }
}

interface Takeovers {
  readonly targets: Map<string, Target>
  /** Undoes what was changed in the process; only while an origin is taken over. */
  restore: (() => void) | undefined
}

// What is changed belongs to the whole process. So does this record of it: a process may load this module twice, such as
// once for each test file under Jest.
const place = Symbol.for('crm-sandbox.takeovers')
const takeovers = ((globalThis as Record<symbol, Takeovers | undefined>)[place] ??= {
  targets: new Map<string, Target>(),
  restore: undefined,
})

function redirectAll(find: FindTarget): () => void {
  const restores = [redirectFetch(find), redirectNodeHttp(find)]
  return () => {
    for (const restore of restores) restore()
  }
}

/** In lower case, without a port that is the default. */
function normalize(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).origin : origin
}
