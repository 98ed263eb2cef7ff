import { expect, onTestFinished } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../mock/create-sandbox.ts'
import { operations, type OperationId } from '../../spec/operations.ts'

/** Two teams with a provider for each channel and a user of each role, and no other records. */
export const twoTeams: World = {
  teams: ['acme', 'globex'].map((name) => ({
    _id: name,
    name,
    apiKeys: [`${name}-key`],
    users: [
      { _id: `${name}-admin`, role: 'admin' },
      { _id: `${name}-agent`, role: 'agent' },
    ],
    providers: [
      { _id: 'email-provider', channel: 'email', address: `hello@${name}.example.com` },
      { _id: 'sms-provider', channel: 'sms', address: '+14155550100' },
      { _id: 'whatsapp-provider', channel: 'whatsapp', address: '+14155550101' },
    ],
  })),
}

export interface Ask {
  readonly path?: Record<string, string>
  readonly query?: Record<string, string | number | readonly string[]>
  readonly body?: unknown
  /** The API key: acme's by default, none when null. */
  readonly key?: string | null
  readonly headers?: Record<string, string>
}

export interface Told {
  readonly status: number
  /** Not typed: each test says what it expects. */
  readonly body: any
  readonly assumed: readonly string[]
}

/** A sandbox of two teams that closes at the end of the test, and a function that calls its operations by id. */
export async function openSandbox(options: Partial<SandboxOptions> = {}) {
  const sandbox = await createSandbox({ world: twoTeams, ...options })
  onTestFinished(() => sandbox.close())
  return { sandbox, call: callerOf(sandbox) }
}

export type Call = (id: OperationId, ask?: Ask) => Promise<Told>

export function callerOf(sandbox: Sandbox): Call {
  return async (id, { path = {}, query = {}, body, key = 'acme-key', headers = {} } = {}) => {
    const { method, path: documented } = operations[id]
    const url = new URL(
      documented.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? '')),
      sandbox.url,
    )
    for (const [name, values] of Object.entries(query)) {
      for (const value of [values].flat()) url.searchParams.append(name, String(value))
    }
    const answer = await sandbox.fetch(url, {
      method: method.toUpperCase(),
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    await checkReason(sandbox, answer)
    return {
      status: answer.status,
      body: await answer.json(),
      assumed: answer.headers.get('x-sandbox-assumed')?.split(', ') ?? [],
    }
  }
}

/** Every refusal says in the journal why, and an assumption that decided one is among those that its answer relied on. */
async function checkReason(sandbox: Sandbox, { status, headers }: Response): Promise<void> {
  if (status < 400 || status >= 500) return
  const { why, assumed } = await sandbox.requests.get(headers.get('x-sandbox-request') ?? '')
  expect(why, 'why it was refused').toBeDefined()
  if (why?.assumption !== undefined) expect(assumed, 'what it relied on').toContain(why.assumption)
}
