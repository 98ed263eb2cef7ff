import { describe, expect, it } from 'vitest'
import { cleanLedger } from '../../contracts/index.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { acme, product, ledgerOf, sandbox, engine } from './killed-run.ts'

const refused = { name: 'Difference engine' }

/** A sandbox, and the ledger of a run that was killed before it got the answer to this create. */
async function unanswered(body: object, { assume = {}, arrived }: { assume?: WrittenChoices; arrived: boolean }) {
  const server = await sandbox(assume)
  const bodyFor = (run: string) => ({ ...body, name: `Difference engine ${run}` })
  const { path, marks } = ledgerOf(server.url, ({ run }) => [
    { ...product, at: 0, again: { key: `${run}-key-1`, body: bodyFor(run) } },
  ])
  const key = `${marks.run}-key-1`
  const before = (await server.world()).teams[0]?.products?.length
  const headers = { 'x-api-key': 'acme-key', 'content-type': 'application/json', 'idempotency-key': key }
  if (arrived)
    await server.fetch('/api/products', { method: 'POST', headers, body: JSON.stringify(bodyFor(marks.run)) })
  const added = async () => ((await server.world()).teams[0]?.products?.length ?? 0) - (before ?? 0)
  return { path, added }
}

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

  it('is reported as left when a repeated key is refused, and nothing else is left', async () => {
    const { path, added } = await unanswered(engine, { assume: { repeatedKey: 'refuse' }, arrived: true })
    expect(await cleanLedger(path, { env: acme })).toMatchObject([{ kind: 'product', what: 'of createProduct' }])
    expect(await added()).toBe(1)
  })
})
