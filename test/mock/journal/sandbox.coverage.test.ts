import { describe, expect, it } from 'vitest'
import { control } from '../../../mock/testing/control-client.ts'
import { operations, type OperationId } from '../../../spec/operations.ts'
import { type CallOptions, openSandbox } from '../helpers.ts'
import { whatsapp } from '../template-requests.ts'
import { startSandbox } from '../../for-one-test.ts'

const unknown = '66f0a1b2c3d4e5f60fffffff'
const ada = { firstName: 'Ada', lastName: 'Lovelace' }

/** The options of a request that gets each refusal. */
const refused: Readonly<Record<string, (id: OperationId) => CallOptions>> = {
  400: (id) => (operations[id].contentTypes.length > 0 ? { body: '{' } : { query: {} }),
  401: () => ({ key: null }),
  404: () => ({}),
}

function callOf(id: OperationId, outcome: string): CallOptions {
  const path = Object.fromEntries(
    [...operations[id].path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, unknown]),
  )
  const query = id === 'listMessages' || id === 'listTemplates' ? { page: '1', limit: '10' } : {}
  const body = id === 'updateTemplate' ? whatsapp : {}
  return { path, query, ...(operations[id].contentTypes.length > 0 && { body }), ...refused[outcome]?.(id) }
}

const coverageOf = async (coverage: Awaited<ReturnType<ReturnType<typeof control>['coverage']>>, id: OperationId) =>
  Object.fromEntries(
    coverage.operations
      .find(({ operation }) => operation === id)
      ?.outcomes.map(({ outcome, times }) => [outcome, times]) ?? [],
  )

describe('coverage', () => {
  it('counts the outcomes of each operation, and names those that were never called', async () => {
    const { sandbox, call } = await openSandbox({ port: 0 })
    expect(await sandbox.coverage()).toMatchObject({ percent: 0, met: 0, total: 122, assumptions: [] })
    await call('createContact', { body: ada, headers: { 'idempotency-key': 'one' } })
    await call('createContact', { body: ada, headers: { 'idempotency-key': 'one' } })
    await call('createContact', { body: { firstName: 'Ada' } })
    await call('createContact', { body: ada, key: null })
    await call('deleteContact', { path: { contactId: unknown } })
    const coverage = await control({ url: sandbox.url }).coverage()
    expect(coverage).toMatchObject({ met: 5, percent: Math.floor(500 / coverage.total) })
    expect(await coverageOf(coverage, 'createContact')).toEqual({ success: 2, 400: 1, 401: 1, repeatedKey: 1 })
    expect(await coverageOf(coverage, 'deleteContact')).toEqual({ success: 0, 401: 0, 404: 1 })
    expect(coverage.neverCalled).toContain('createDeal')
    expect(coverage.neverCalled).toHaveLength(30)
    const names = coverage.assumptions.map(({ name }) => name)
    expect(names).toContain('newContactStatus')
    expect(names).toContain('repeatedKey')
    const times = coverage.assumptions.map((one) => one.times)
    expect(times).toEqual(times.toSorted((one, other) => other - one))
  })

  it('is kept over a reset, and over what the journal drops', async () => {
    const { sandbox, call } = await openSandbox({ port: 0 })
    await call('createContact', { body: ada })
    const before = await sandbox.coverage()
    await sandbox.requests.clear()
    await sandbox.reset()
    expect(await sandbox.coverage()).toEqual(before)
    expect(before.met).toBe(1)
  })

  it('has a refusal that a fault or a choice made, once it was met', async () => {
    const { sandbox, call } = await openSandbox({ port: 0, assume: { noContactWithEmail: 'notFound' } })
    await sandbox.faults.add({ operation: 'createContact', status: 500 })
    const { total } = await sandbox.coverage()
    await call('createContact', { body: ada })
    await call('deleteContactsByEmail', { query: { email: 'nobody@example.com' } })
    const coverage = await sandbox.coverage()
    expect(coverage).toMatchObject({ total: total + 2, met: 2 })
    expect(await coverageOf(coverage, 'createContact')).toMatchObject({ success: 0, 500: 1 })
    expect(await coverageOf(coverage, 'deleteContactsByEmail')).toMatchObject({ 404: 1 })
  })

  it('lists only refusals that the sandbox can give', async () => {
    const { sandbox, call } = await openSandbox({ port: 0 })
    for (const { operation, outcomes } of (await sandbox.coverage()).operations)
      for (const { outcome } of outcomes)
        if (outcome in refused) await call(operation as OperationId, callOf(operation as OperationId, outcome))
    const { operations: covered } = await sandbox.coverage()
    const unmet = covered.flatMap(({ operation, outcomes }) =>
      outcomes
        .filter(({ outcome, times }) => outcome in refused && times === 0)
        .map(({ outcome }) => `${operation} ${outcome}`),
    )
    expect(unmet).toEqual([])
  })

  it('counts no request that is of no operation', async () => {
    const sandbox = await startSandbox()
    await sandbox.fetch('/api/nowhere')
    expect((await sandbox.coverage()).met).toBe(0)
  })
})
