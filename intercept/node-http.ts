import { Agent, type ClientRequest, type RequestOptions } from 'node:http'
import type { FindTarget } from './take-over.ts'

/** Each request of `node:http` and `node:https` is handed to an agent by this method, which every agent inherits. */
interface AddsRequests {
  addRequest: (this: Agent, request: ClientRequest, options: RequestOptions) => void
}

/**
 * Redirects the requests of `node:http` and `node:https`, whoever makes them and with which agent. Replacing their
 * `request` would miss those who have taken it before. Returns what undoes it.
 */
export function redirectNodeHttp(find: FindTarget): () => void {
  const agents = Agent.prototype as unknown as AddsRequests
  const { addRequest } = agents
  agents.addRequest = redirecting
  return () => {
    if (agents.addRequest === redirecting) agents.addRequest = addRequest
  }

  function redirecting(this: Agent, request: ClientRequest, options: RequestOptions): void {
    const target = find(originOf(request, options))
    // The agent of the target says where to connect; nothing is encrypted on the way to this machine.
    addRequest.call(target?.agent ?? this, request, options)
  }
}

/** Empty for a request to a socket of this machine. */
function originOf({ protocol }: ClientRequest, { host, port, socketPath }: RequestOptions): string {
  if (socketPath) return ''
  const name = host?.includes(':') ? `[${host}]` : host
  return `${protocol}//${name ?? ''}:${port ?? ''}`
}
