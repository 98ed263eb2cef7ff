import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { operations, type OperationId } from '../../../spec/operations.ts'
import { inTier, sampleOf, seed } from '../../tier.ts'
import { namedStores } from '../store/helpers.ts'
import { sequences } from './requests.ts'
import { Sides, type Break } from './sides.ts'
import type { CallOptions, ApiResponse } from '../helpers.ts'
import { credentials } from '../../contracts/other-server/server.ts'

const { numRuns, atLeast } = inTier({
  test: { numRuns: 25, atLeast: 1 },
  ci: { numRuns: 50, atLeast: 2 },
  nightly: { numRuns: 2000, atLeast: 50 },
})
/** For the other stores, which are slower and have more tests. */
const runsElsewhere = inTier({ test: 5, ci: 15, nightly: 2000 })

/** Compares the answers in many sequences. Returns how often each operation succeeded. */
async function compareInSequences(store: string, runs: number, broken?: Break): Promise<Map<OperationId, number>> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T09:30:00Z') })
  const sides = await Sides.open(store, broken)
  onTestFinished(async () => {
    vi.useRealTimers()
    await sides.close()
  })
  const succeeded = new Map<OperationId, number>()
  const holds = fc.asyncProperty(sequences, async (steps) => {
    vi.setSystemTime(Date.parse('2026-03-01T09:30:00Z'))
    await sides.reset()
    for (const step of steps) {
      const status = await sides.take(step, (milliseconds) => vi.setSystemTime(Date.now() + milliseconds))
      if ('id' in step && status !== undefined && status < 300)
        succeeded.set(step.id, (succeeded.get(step.id) ?? 0) + 1)
    }
  })
  await fc.assert(holds, { numRuns: runs, seed, endOnFailure: true })
  return succeeded
}

it.each(namedStores)(
  'answers like a server written from the specification alone, on the $store store',
  async ({ store, place }) => {
    const isMemory = store === 'memory'
    const succeeded = await compareInSequences(await place(), isMemory ? numRuns : runsElsewhere)
    if (!isMemory) return
    const rarest = Object.keys(operations).filter((id) => (succeeded.get(id as OperationId) ?? 0) < atLeast)
    expect(rarest, 'operations that succeeded too seldom').toEqual([])
  },
)

describe('the comparison detects that', () => {
  it.each(sampleOf(Object.entries(bugs), inTier({ test: 3, nightly: Infinity })))('%s', async (_, broken) => {
    await expect(compareInSequences('memory', 400, broken)).rejects.toThrow('Property failed')
  })
})

/** Servers with one bug each, which changes either the request or the answer. */
const bugs: Readonly<Record<string, Break>> = {
  'an upsert always creates': (call) => async (id, ask) => {
    if (id !== 'createOrUpdateContact') return call(id, ask)
    const response = await call('createContact', ask)
    return response.status === 201 ? { ...response, status: 200 } : response
  },

  'an id of another team can be read': (call) => async (id, ask) => {
    const response = await call(id, ask)
    if (response.status !== 404 || id !== 'getConversation') return response
    return call(id, { ...ask, key: ask?.key === credentials.team ? credentials.otherTeam : credentials.team })
  },

  'capitals make a different address': (call) => async (id, ask) =>
    call(
      id,
      changed(ask, (text) => text.replaceAll('Ada@Example.com', 'Capital@Example.com')),
    ).then((response) => ({
      ...response,
      body: JSON.parse(JSON.stringify(response.body).replaceAll('Capital@Example.com', 'Ada@Example.com')),
    })),

  'a page of a history has one message too many': (call) => async (id, ask) => {
    const limit = Number(ask?.query?.limit)
    return call(id, id === 'listMessages' && limit < 100 ? { ...ask, query: { ...ask?.query, limit: limit + 1 } } : ask)
  },

  'a read is cached forever': (call) => {
    const seen = new Map<string, ApiResponse>()
    return async (id, ask) => {
      if (!/^get|^listConversations/.test(id)) return call(id, ask)
      const place = JSON.stringify([id, ask?.path])
      const response = seen.get(place) ?? (await call(id, ask))
      if (response.status === 200) seen.set(place, response)
      return response
    }
  },

  'an update drops the fields that it does not mention': (call) => async (id, ask) => {
    const response = await call(id, ask)
    if (id !== 'updateProduct' || response.status !== 200) return response
    const isSent = ([field]: [string, unknown]) => field === '_id' || Object.hasOwn(ask?.body as object, field)
    return {
      ...response,
      body: { ...response.body, data: Object.fromEntries(Object.entries(response.body.data).filter(isSent)) },
    }
  },

  'an Idempotency-Key is ignored': (call) => async (id, ask) => {
    const { 'idempotency-key': _, ...headers } = ask?.headers ?? {}
    return call(id, { ...ask, headers })
  },

  'a refused send creates a conversation': (call) => async (id, ask) => {
    const response = await call(id, ask)
    const { contactId } = (ask?.body ?? {}) as { contactId?: unknown }
    if (id === 'sendMessage' && response.status === 400 && contactId !== undefined) {
      await call('createConversation', { ...ask, body: { contactId } })
    }
    return response
  },

  'agents list the templates of everyone': (call) => async (id, ask) => {
    if (id !== 'listTemplates' || ask?.key !== null) return call(id, ask)
    return call(id, { ...ask, key: credentials.team, headers: {} })
  },
}

/** The request with the text of its body and query changed. */
function changed(ask: CallOptions | undefined, change: (text: string) => string): CallOptions {
  const { query, body, ...others } = ask ?? {}
  const again = <Part>(part: Part): Part => (part === undefined ? part : JSON.parse(change(JSON.stringify(part))))
  return { ...others, ...(query === undefined ? {} : { query: again(query) }), body: again(body) }
}
