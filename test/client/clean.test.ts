import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cleanLedger } from '../../contracts/index.ts'
import { Ledger } from '../../client/ledger/ledger.ts'
import { newMarks } from '../../client/mint.ts'
import { createSandbox } from '../../index.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { folder } from './harness.ts'

const acme = { CRM_API_KEY: 'acme-key' }

/** A sandbox, and the ledger of a run that was killed before it got the answer to this create. */
async function unanswered(body: object, { assume = {}, arrived }: { assume?: WrittenChoices; arrived: boolean }) {
  const server = await createSandbox({ port: 0, world: 'two-teams', assume })
  onTestFinished(() => server.close())
  const marks = newMarks()
  const key = `${marks.run}-key-1`
  const path = join(folder(), `${marks.run}.jsonl`)
  const ledger = Ledger.create(path, { ledger: 1, origin: server.url, startedAt: new Date().toISOString(), ...marks })
  ledger.intend({
    operation: 'createProduct',
    who: 'team',
    kind: 'product',
    emails: [],
    phones: [],
    again: { key, body },
  })
  ledger.close()
  const before = (await server.world()).teams[0]?.products?.length
  const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json', 'idempotency-key': key }
  if (arrived) await server.fetch('/api/products', { method: 'POST', headers, body: JSON.stringify(body) })
  const added = async () => ((await server.world()).teams[0]?.products?.length ?? 0) - (before ?? 0)
  return { path, added }
}

const engine = { name: 'Difference engine', unitPrice: 1200.5 }
const refused = { name: 'Difference engine' }

describe('A create that was never answered', () => {
  it.each([
    ['had arrived', true],
    ['had not arrived', false],
  ])('leaves nothing when it %s', async (_, arrived) => {
    const { path, added } = await unanswered(engine, { arrived })
    expect(await cleanLedger(path, { env: acme })).toEqual([])
    expect(await added()).toBe(0)
  })

  it.each([
    ['had arrived', true],
    ['had not arrived', false],
  ])('and would have been refused has made nothing, when it %s', async (_, arrived) => {
    const { path } = await unanswered(refused, { arrived })
    expect(await cleanLedger(path, { env: acme })).toEqual([])
  })

  it('is reported as left when the credential no longer works', async () => {
    const { path } = await unanswered(engine, { arrived: true })
    const residue = await cleanLedger(path, { env: { CRM_API_KEY: 'wrong' } })
    expect(residue).toMatchObject([{ kind: 'product', what: 'of createProduct' }])
  })

  it('is reported as left when a repeated key is refused, and nothing else is left', async () => {
    const { path, added } = await unanswered(engine, { assume: { repeatedKey: 'refuse' }, arrived: true })
    expect(await cleanLedger(path, { env: acme })).toMatchObject([{ kind: 'product', what: 'of createProduct' }])
    expect(await added()).toBe(1)
  })
})
