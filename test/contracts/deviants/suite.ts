import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { vi } from 'vitest'
import type { LedgerWriter } from '../../../contracts/client/client.ts'
import { createMint, type Mint, type Marks, newMarks } from '../../../contracts/client/mint.ts'
import { createTarget } from '../../../contracts/client/target/target.ts'
import type { Send } from '../../../contracts/client/transport.ts'
import { createContext, type Context } from '../../../contracts/checks/keeps.ts'
import type { CheckResult } from '../../../contracts/judge/outcome.ts'
import { createSession } from '../../../contracts/judge/session.ts'
import { pactumTransport } from '../../../contracts/pactum-transport.ts'
import type { StartedTarget } from '../../../contracts/client/run.ts'
import { promise, promises, type PromiseId } from '../../../spec/promises.ts'

// The checks of the contract suite without its runner, so that thousands of runs take minutes.

type Check = (parts: Context, context: Context) => Promise<void>

const checks = new Map<PromiseId, Check>()
const folder = resolve(import.meta.dirname, '../../../contracts/checks')

vi.doMock('../../../contracts/checks/keeps.ts', async (original) => ({
  ...(await original<object>()),
  keeps: (id: PromiseId, check: Check) => checks.set(id, check),
}))
const files = readdirSync(folder).filter((name) => name.endsWith('.contract.ts') && !name.startsWith('situations'))
for (const file of files) await import(join(folder, file))

const { storiesAbout } = await import('../../../contracts/situations/situations.ts')

/** The transport of the suite. */
export const { send } = pactumTransport()

/** The promises that have a check, those about few operations first. */
export const checked: readonly PromiseId[] = [...checks.keys()].sort((one, other) => breadth(one) - breadth(other))

/** The promises that only the laws judge, in the exchanges of checks and stories. */
export const unchecked: readonly PromiseId[] = promises.map(({ id }) => id).filter((id) => !checks.has(id))

function breadth(id: PromiseId): number {
  const about = promise(id).operations
  return about === 'all' ? Infinity : about.length
}

/** The marks and the ledger of a run. */
interface Recording {
  readonly marks: Marks
  readonly ledger: LedgerWriter
}

/** Thousands of runs on one server need more phone numbers than are reserved for fiction. */
let phones = 0

/**
 * Runs checks one after the other, as one run of the suite does, and yields the result of each. Promises without a check are judged
 * together at the end, by the stories about them.
 */
export async function* resultsOf(
  ids: readonly PromiseId[],
  { wanted, credentials }: Pick<StartedTarget, 'wanted' | 'credentials'>,
  send: Send,
  isPatient = false,
  { marks, ledger }: Recording = { marks: newMarks(), ledger: { intend: () => '', record: () => undefined } },
): AsyncGenerator<CheckResult> {
  const target = createTarget(wanted, credentials)
  const mint = createMint(marks, target.emailDomain)
  const phone = () => `+999${mint.key().replace(/\D/g, '').slice(-4)}${String(++phones).padStart(7, '0')}`
  const own: Mint = { ...mint, phone, marks: (text) => text.includes('+999') || mint.marks(text) }
  const session = createSession({ target, mint: isPatient ? mint : own, ledger, send, isPatient })
  const exercised = new Set<PromiseId>()
  for (const id of ids) {
    const check = checks.get(id)
    if (!check) continue
    const requirement = promise(id)
    const judgement = await session.judge(requirement, (tools, count) => {
      const context = createContext(requirement, tools, count)
      return check(context, context)
    })
    if (!judgement) continue
    for (const one of judgement.result.exercised) exercised.add(one.promise)
    yield judgement.result
  }
  const rest = ids.filter((id) => !checks.has(id))
  if (rest.length === 0) return
  const stories = storiesAbout(rest.map(promise), 1, target)
  const seen = await session.situate(stories, rest)
  for (const one of seen.flatMap((exchanges) => exchanges.exercised)) exercised.add(one.promise)
  const [faults, observed] = [seen.flatMap((one) => one.faults), seen.flatMap((one) => one.observed)]
  for (const [index, id] of rest.entries()) {
    const finding = faults.find((fault) => fault.promise === id)
    const found = promise(id).strength === 'usual' ? ('warned' as const) : ('broken' as const)
    const outcome = finding ? found : exercised.has(id) ? 'kept' : 'inconclusive'
    const whole = index === 0 ? { faults, answers: seen.flatMap((one) => one.answers) } : { faults: [], answers: [] }
    yield {
      promise: id,
      outcome,
      seconds: 0,
      requests: 0,
      exercised: [],
      observed,
      ...whole,
      ...(finding ? { finding } : {}),
    }
  }
}

/** The promises that a check found broken: its own promise, and every promise that one of its answers broke. */
export function brokenIn({ promise, outcome, faults }: CheckResult): PromiseId[] {
  const own = outcome === 'broken' || outcome === 'warned' ? [promise] : []
  return [...own, ...faults.map((fault) => fault.promise)]
}
