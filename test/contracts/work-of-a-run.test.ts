import fs, { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { Ledger } from '../../client/ledger/ledger.ts'
import { createMint, newMarks } from '../../client/mint.ts'
import { createTarget } from '../../client/target/target.ts'
import type { Send } from '../../client/transport.ts'
import { folder } from '../client/harness.ts'
import { startOwnTarget } from '../../own-target.ts'

// What a run against a sandbox on this machine does, and so how long it takes.

const slept = vi.hoisted((): number[] => [])

vi.mock('../../client/sleep.ts', async (original) => {
  const { sleep } = await original<{ sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void> }>()
  return {
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      if (milliseconds > 0) slept.push(milliseconds)
      await sleep(milliseconds, signal)
    },
  }
})

const { checked, resultsOf, send } = await import('../deviants/suite.ts')

afterEach(() => {
  vi.restoreAllMocks()
})

it('a run asks some four thousand times, and hardly waits', async () => {
  const own = await startOwnTarget()
  let asked = 0
  const counting: Send = async (request, timeout) => {
    asked++
    return send(request, timeout)
  }
  try {
    for await (const { outcome, promise } of resultsOf(checked, own, counting, true))
      if (promise !== 'error.serverErrorText') expect([promise, outcome]).toEqual([promise, 'kept'])
  } finally {
    await own.stop()
  }
  expect(asked).toBeLessThan(4400)
  expect(slept.reduce((sum, one) => sum + one, 0)).toBeLessThan(500)
}, 120_000)

it.each([
  ['http://127.0.0.1:4010', 0],
  ['https://staging.example.com', 3],
])('a run against %s waits for the disk %i times at three intents', (baseUrl, waits) => {
  const target = createTarget({ baseUrl }, { team: 'acme-key' })
  const [path, marks] = [join(folder(), 'run.jsonl'), newMarks()]
  const heading = { ledger: 1, origin: target.origin, startedAt: new Date().toISOString(), ...marks } as const
  Ledger.create(path, heading, 'acme-key').close()
  const sync = vi.spyOn(fs, 'fdatasyncSync')
  const ledger = Ledger.open(path, marks.run, 'acme-key', !target.loopback)
  const mint = createMint(marks)
  for (let count = 0; count < 3; count++)
    ledger.intend({ operation: 'createContact', who: 'team', kind: 'contact', emails: [mint.email()], phones: [] })
  ledger.close()
  expect(sync).toHaveBeenCalledTimes(waits)
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(4)
})
