import { subscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { Send } from '../../contracts/client/transport.ts'
import { withLedger } from '../../contracts/client/run.ts'
import { createTarget } from '../../contracts/client/target/target.ts'
import { expectWithin } from '../budgets/budget.ts'
import { startOwnTarget } from '../../cli/own-target.ts'

// The number of requests of a run against a sandbox on this machine, which decides how long the run takes.

const slept = vi.hoisted((): number[] => [])

vi.mock('../../contracts/client/sleep.ts', async (original) => {
  const { sleep } = await original<{ sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void> }>()
  return {
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      if (milliseconds > 0) slept.push(milliseconds)
      await sleep(milliseconds, signal)
    },
  }
})

const { checked, resultsOf, send, unchecked } = await import('./deviants/suite.ts')

it('a run asks within its budget, and hardly waits', async () => {
  const own = await startOwnTarget()
  const ledgers = mkdtempSync(join(tmpdir(), 'ledgers-'))
  let [asked, cleaning] = [0, 0]
  const counting: Send = async (request, timeout) => {
    asked++
    return send(request, timeout)
  }
  // The checks use pactum, and the cleaning undici.
  subscribe('undici:request:create', () => cleaning++)
  try {
    const target = createTarget(own.wanted, own.credentials)
    const [, { residue }] = await withLedger(target, ledgers, async ({ ledger }) => {
      const recording = { marks: ledger.heading, ledger }
      for await (const { outcome, promise } of resultsOf([...checked, ...unchecked], own, counting, true, recording))
        if (promise !== 'error.serverErrorText') expect([promise, outcome]).toEqual([promise, 'kept'])
      // One check cannot be decided, and is tried with a wait.
      expect(slept.reduce((sum, one) => sum + one, 0)).toBeLessThan(1500)
    })
    expect(residue).toEqual([])
  } finally {
    await own.stop()
    rmSync(ledgers, { recursive: true })
  }
  expectWithin('requests of a whole verify', asked + cleaning, 6_600)
  expectWithin('requests of its cleaning', cleaning, 1_650)
})
