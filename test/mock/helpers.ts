import { expect, onTestFinished, vi } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../mock/create-sandbox.ts'
import { assumption, type AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
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

export interface CallOptions {
  readonly path?: Record<string, string>
  readonly query?: Record<string, string | number | readonly string[]>
  readonly body?: unknown
  /** The API key: acme's by default, none when null. */
  readonly key?: string | null
  readonly headers?: Record<string, string>
}

export interface ApiResponse {
  readonly status: number
  /** Not typed: each test says what it expects. */
  readonly body: any
  readonly assumed: readonly string[]
}

/** A sandbox of two teams for this test, and a function that calls its operations by id. */
export async function openSandbox(options: Partial<SandboxOptions> = {}) {
  const { world = twoTeams, assume = {}, ...others } = options
  const isPlain = Object.keys(others).length === 0 && !vi.isFakeTimers()
  const sandbox = (isPlain ? await reused(world, assume) : undefined) ?? (await created({ world, ...options }))
  return { sandbox, call: callerOf(sandbox) }
}

async function created(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** Sandboxes that no test uses now, since a reset takes a hundredth of the time of a start. */
const idle = new Map<World, Sandbox[]>()

/** A sandbox with these choices; undefined when they can only be made at the start. */
async function reused(world: World, assume: WrittenChoices): Promise<Sandbox | undefined> {
  const free = idle.get(world) ?? []
  idle.set(world, free)
  const sandbox = free.pop() ?? (await createSandbox({ world }))
  onTestFinished(async () => {
    await sandbox.reset().then(
      () => free.push(sandbox),
      () => sandbox.close(),
    )
  })
  if (Object.keys(assume).length === 0) return sandbox
  return sandbox.assumptions.set(assume).then(
    () => sandbox,
    () => undefined,
  )
}

export type Call = (id: OperationId, ask?: CallOptions) => Promise<ApiResponse>

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
    const assumed = assumedIn(answer)
    expect(
      assumed.filter((name) => !concerns(name as AssumptionName, id)),
      `not registered for ${id}`,
    ).toEqual([])
    return { status: answer.status, body: await answer.json(), assumed }
  }
}

/** The assumptions that an answer relied on. */
export const assumedIn = ({ headers }: { readonly headers: Headers }): readonly string[] =>
  headers.get('x-sandbox-assumed')?.split(', ') ?? []

function concerns(name: AssumptionName, id: OperationId): boolean {
  const { operations: concerned } = assumption(name)
  return concerned === 'all' || concerned.includes(id)
}

/** Headers with a token of a user of the team: `acme-admin`, `acme-agent` or another one. */
export async function bearerOf(
  { tokens }: Sandbox,
  { teamId = 'acme', role = 'admin', userId = `${teamId}-${role}` }: Partial<TokenOwner> = {},
) {
  const { token } = await tokens.sign({ teamId, role, userId })
  return { authorization: `Bearer ${token}` }
}

interface TokenOwner {
  readonly teamId: string
  readonly role: 'admin' | 'agent'
  readonly userId: string
}

/** Every refusal says in the journal why, and an assumption that decided one is among those that its answer relied on. */
async function checkReason(sandbox: Sandbox, { status, headers }: Response): Promise<void> {
  if (status < 400 || status >= 500) return
  const { why, assumed, learned } = await sandbox.requests.get(headers.get('x-sandbox-request') ?? '')
  expect(why, 'why it was refused').toBeDefined()
  if (why?.assumption !== undefined) expect([...assumed, ...learned], 'what it relied on').toContain(why.assumption)
}
