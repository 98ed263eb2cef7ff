import type { Sandbox, SandboxOptions } from '../../../mock/create-sandbox.ts'
import { twoTeams } from '../helpers.ts'
import { startSandbox } from '../../for-one-test.ts'

/** The ways to ask a sandbox: what a fault does must look alike through each. */
export const doors = [
  { door: 'over HTTP', port: 0 },
  { door: 'in process', port: undefined },
] as const

export type Door = (typeof doors)[number]

export type Send = (path: string, init?: Sent) => Promise<Response>

interface Sent extends Omit<RequestInit, 'headers' | 'body'> {
  readonly headers?: Record<string, string>
  readonly body?: object
}

/** A sandbox that closes at the end of the test, and a function that asks it as the first team. */
export async function open({ port }: Door, options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox({
    world: twoTeams,
    ...(port === undefined ? {} : { port }),
    ...options,
  })
  return { sandbox, send: senderOf(sandbox, port === undefined ? sandbox.fetch : fetch) }
}

function senderOf(sandbox: Sandbox, through: Sandbox['fetch']): Send {
  return (path, { headers, body, ...init } = {}) =>
    through(sandbox.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      ...init,
      headers: {
        'x-api-key': 'acme-key',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
}

export const product = { name: 'Difference engine', unitPrice: 1200 }
export const createProduct = (send: Send, more: Sent = {}) => send('/api/products', { body: product, ...more })

export async function countProducts(sandbox: Sandbox, team = 0): Promise<number> {
  return (await sandbox.world()).teams[team]?.products?.length ?? 0
}
