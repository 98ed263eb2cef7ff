import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { vi } from 'vitest'
import { Client } from '../../client/client.ts'
import { judged } from '../../contracts/judge/judge.ts'
import { mintOf, newMarks } from '../../client/mint.ts'
import type { CheckResult } from '../../contracts/judge/outcome.ts'
import { type Given, givenFor } from '../../contracts/checks/keeps.ts'
import { targetFrom } from '../../client/target/target.ts'
import { toolsOf } from '../../client/tools.ts'
import type { Send } from '../../client/transport.ts'
import type { StartedTarget } from '../../contracts/verify.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'

// The checks of the contract suite without its runner, so that thousands of runs take minutes.

type Check = (given: Given) => Promise<void>

const checks = new Map<PromiseId, Check>()
const contracts = resolve(import.meta.dirname, '../../contracts/checks')

vi.doMock('../../contracts/checks/keeps.ts', async (original) => ({
  ...(await original<object>()),
  keeps: (id: PromiseId, check: Check) => checks.set(id, check),
}))
for (const file of readdirSync(contracts).filter((name) => name.endsWith('.contract.ts')))
  await import(join(contracts, file))

/** Those that have a check, the ones about few operations first. */
export const checked: readonly PromiseId[] = [...checks.keys()].sort((one, other) => breadth(one) - breadth(other))

function breadth(id: PromiseId): number {
  const about = promise(id).operations
  return about === 'all' ? Infinity : about.length
}

/** Runs checks one after the other as one run of the suite, and tells of each as it ends. */
export async function* resultsOf(
  ids: readonly PromiseId[],
  { wanted, credentials }: Pick<StartedTarget, 'wanted' | 'credentials'>,
  send: Send,
): AsyncGenerator<CheckResult> {
  const target = targetFrom(wanted, credentials)
  const mint = mintOf(newMarks())
  const client = new Client({ target, mint, ledger: { intend: () => '', record: () => undefined }, send })
  const tools = toolsOf(client, target, mint)
  for (const id of ids) {
    const check = checks.get(id)
    if (!check) throw new Error(`No check names ${id}`)
    const promised = promise(id)
    const { result } = await judged(promised, client, (count) => check(givenFor(promised, tools, count)))
    yield result
  }
}

/** The promises that a check says do not hold: its own, and those that any of its answers broke. */
export function brokenIn({ promise, outcome, faults }: CheckResult): PromiseId[] {
  const own = outcome === 'broken' || outcome === 'warned' ? [promise] : []
  return [...own, ...faults.map((fault) => fault.promise)]
}
