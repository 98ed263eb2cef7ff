import { beforeAll, expect, it } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../mock/create-sandbox.ts'
import { type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { inTier, sampleOf } from '../tier.ts'
import { concernedBy, examples, operationIds } from './asks.ts'
import { crowded } from './crowded-world.ts'
import { type Ask, assumedIn, bearerOf, callerOf } from './harness.ts'
import { type Desk, type Occasion, occasions } from './occasions.ts'
import { variationsOf } from './variations.ts'

/** They concern every success, so they are not marked on each: see docs/serve.md. */
const neverMarked: readonly AssumptionName[] = ['metaInEnvelope', 'statedEnvelope']

/** The operations with an answer that relied on the assumption. */
const relying = new Map<string, Set<OperationId>>(assumptionNames.map((name) => [name, new Set()]))

/** The operations of this run; CI takes all of them. */
const tried = sampleOf(operationIds, inTier({ test: 8, ci: operationIds.length }))

beforeAll(async () => {
  for (const occasion of [...tried.map(variations), ...occasions]) await take(occasion)
}, 120_000)

it.each(assumptionNames.filter((name) => !neverMarked.includes(name)))(
  '%s is relied on by every operation that it is registered for, and by no other',
  (name) => {
    const [found, registered] = [relying.get(name) ?? new Set(), new Set(concernedBy(name))]
    expect(tried.filter((id) => found.has(id))).toEqual(tried.filter((id) => registered.has(id)))
  },
)

const variations = (id: OperationId): Occasion => ({
  afresh: true,
  ask: async ({ ask }) => {
    for (const variation of variationsOf(id)) await ask(id, variation)
  },
})

async function take({ assume = {}, ask, afresh = false }: Occasion): Promise<void> {
  let now = Date.parse('2026-03-02T09:30:00Z')
  const options: SandboxOptions = { world: crowded, assume, clock: { now: () => now } }
  await using sandbox = await createSandbox(options)
  const call = callerOf(sandbox)
  const note = (id: OperationId, assumed: readonly string[]) => {
    for (const name of assumed) relying.get(name)?.add(id)
  }
  const desk: Desk = {
    async ask(id, changed = {}) {
      if (afresh) await sandbox.reset()
      note(
        id,
        (await call(id, { ...exampleOf(id), ...changed, path: { ...examples[id].path, ...changed.path } })).assumed,
      )
    },
    async send(id, target, method, body) {
      const init = { method: method.toUpperCase(), headers: { 'x-api-key': 'acme-key' }, ...(body ? { body } : {}) }
      note(id, assumedIn(await sandbox.fetch(target, init)))
    },
    async form(id, fields) {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      const target = operations[id].path.replace('{templateId}', 'approved')
      const init = { method: operations[id].method.toUpperCase(), headers: { 'x-api-key': 'acme-key' }, body }
      note(id, assumedIn(await sandbox.fetch(target, init)))
    },
    as: async (role) => ({ key: null, headers: await bearerOf(sandbox, { role }) }),
    pass(milliseconds) {
      now += milliseconds
    },
    async during(operation, send, work) {
      await sandbox.reset()
      const { id } = await sandbox.gates.add({ operation })
      const sent = send()
      await sandbox.gates.wait(id, { wait: '30s' })
      await work()
      await sandbox.gates.release(id)
      await sent
    },
  }
  await ask(desk)
}

function exampleOf(id: OperationId): Ask {
  const { query, body } = examples[id]
  return { query, ...(body ? { body } : {}) }
}
