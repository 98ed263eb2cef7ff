import { takingTime } from '../contracts/other-server/without-waiting.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withLedger } from '../../contracts/client/run.ts'
import { createTarget } from '../../contracts/client/target/target.ts'
import { startOwnTarget } from '../../cli/own-target.ts'
import { assumption, assumptionNames } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { promises } from '../../spec/promises.ts'
import { inTier, sampleOf } from '../tier.ts'
import { resultsOf } from '../contracts/deviants/suite.ts'
import { accusationsIn } from '../contracts/other-server/accusations.ts'

/** Every choice but the assumed one; its number, if it has one, is too high to be reached. */
const otherwise = assumptionNames.flatMap((name) =>
  Object.entries(assumption(name).choices)
    .filter(([choice]) => choice !== assumption(name).assumed)
    .map(([choice, meaning]) => [name, typeof meaning === 'string' ? choice : `${choice}:999999`] as const),
)

// A server may fill a gap of the specification in any way, so no check may call that a broken promise.
describe('No promise is broken, and nothing left behind', () => {
  it.each(sampleOf(otherwise, inTier({ test: 4, ci: 5, nightly: otherwise.length })))(
    'by %s=%s',
    async (name, choice) => {
      expect(await judgeSandbox({ [name]: choice })).toEqual({ accusations: [], residue: [] })
    },
  )

  it('except where nothing can be deleted', async () => {
    const deletesNothing = { operation: 'deleteProduct', status: 500 }
    const { accusations, residue } = await judgeSandbox({}, deletesNothing)
    expect(accusations.join()).toContain('product.deleteAnswers200')
    expect(residue.length).toBeGreaterThan(0)
  })
})

const all = promises.map(({ id }) => id)

/** The accusations against a sandbox with these choices, and the records that a run leaves. Waiting takes no time. */
async function judgeSandbox(assume: WrittenChoices, fault?: object) {
  const own = await startOwnTarget({ assume })
  const ledgers = mkdtempSync(join(tmpdir(), 'ledgers-'))
  try {
    const target = createTarget(own.wanted, own.credentials)
    if (fault) await postTo(`${target.origin}/_sandbox/faults`, fault)
    const [accusations, { residue }] = await withLedger(target, ledgers, async ({ ledger, send }) => {
      const found: string[] = []
      const recording = { marks: ledger.heading, ledger }
      for await (const result of resultsOf(all, own, takingTime(send), true, recording))
        found.push(...accusationsIn(result))
      return found
    })
    return { accusations, residue }
  } finally {
    await own.stop()
    rmSync(ledgers, { recursive: true })
  }
}

async function postTo(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(status).toBe(201)
}
