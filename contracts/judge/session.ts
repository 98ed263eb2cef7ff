import { Client, type LedgerWriter } from '../client/client.ts'
import type { Mint } from '../client/mint.ts'
import { sleep } from '../client/sleep.ts'
import type { Target } from '../client/target/target.ts'
import { createTools, type Tools } from '../client/tools.ts'
import type { Outgoing, Send } from '../client/transport.ts'
import type { PromiseEntry } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { CheckLogs } from './check-log.ts'
import { judge, type Judgement } from './judge.ts'
import { type LagKind, lagKindOf, Lags } from './lags.ts'
import { isolation } from './outcome.ts'
import { createExcuses } from './refused-values.ts'
import { Turns } from './turns.ts'

interface SessionOptions {
  readonly target: Target
  readonly mint: Mint
  readonly ledger: LedgerWriter
  readonly send: Send
  /** Waits for reads to follow writes. */
  readonly isPatient?: boolean
  /** Judges no more checks after one that fails. */
  readonly bail?: boolean
}

type Check = (tools: Tools, countAssertion: () => void) => Promise<void>

/** One run of a check. */
interface Attempt {
  /** The least time between a write and a later request of this kind, in milliseconds. */
  readonly waitOf: (kind: LagKind) => number
  /** Whether no other check runs while it waits. */
  readonly isAlone: boolean
  hasLetOthersRun: boolean
}

interface Trial {
  readonly isAlone?: boolean
  readonly tried?: { readonly kind: LagKind; readonly wait: number }
}

/** Judges checks with one client, one at a time. */
export function createSession({ target, mint, ledger, send, isPatient = true, bail = false }: SessionOptions) {
  const lags = new Lags()
  const turns = new Turns()
  const attempts = new WeakMap<object, Attempt>()
  const logs = new CheckLogs()
  let isOver = false

  async function waitForWrites(operation: OperationId, { headers }: Outgoing): Promise<void> {
    logs.onRequest(headers['idempotency-key'])
    const { current } = logs
    const attempt = current && attempts.get(current)
    if (!attempt || current.wroteAt === undefined) return
    const wait = current.wroteAt + attempt.waitOf(lagKindOf(operation)) - Date.now()
    if (wait <= 0) return
    if (attempt.isAlone) return sleep(wait)
    attempt.hasLetOthersRun = true
    await turns.passDuring(sleep(wait))
  }

  const client = new Client({ target, mint, ledger, send, observer: logs, before: waitForWrites })
  const tools = createTools(client, target, mint, { observe: logs.observe })
  const findExcuse = createExcuses(tools)

  async function judgeOnce(requirement: PromiseEntry, check: Check, { isAlone = true, tried }: Trial = {}) {
    const attempt: Attempt = {
      waitOf: (kind) => Math.max(lags.of(kind), kind === tried?.kind ? tried.wait : 0),
      isAlone,
      hasLetOthersRun: false,
    }
    const log = logs.begin()
    attempts.set(log, attempt)
    const parts = { client, log, findExcuse }
    const judgement = await logs.run(log, () =>
      judge(requirement, parts, (countAssertion) => check(tools, countAssertion)),
    )
    return { judgement, early: earlyIn(requirement, judgement, log.last), hasLetOthersRun: attempt.hasLetOthersRun }
  }

  async function judgePatiently(requirement: PromiseEntry, check: Check): Promise<Judgement> {
    const first = await judgeOnce(requirement, check, { isAlone: false })
    if (!isPatient || first.early === undefined) return first.judgement
    // Others may have changed what it saw.
    let best = first.hasLetOthersRun ? await judgeOnce(requirement, check) : first
    for (let kind = best.early; kind !== undefined;) {
      const later = await tryToWait(requirement, check, kind)
      if (!later) break
      best = later
      kind = later.early
    }
    return best.judgement
  }

  /** Repeats a check with more time before such a request. Returns `undefined` when that changes nothing. */
  async function tryToWait(requirement: PromiseEntry, check: Check, kind: LagKind) {
    for (const wait of lags.untried(kind)) {
      const later = await judgeOnce(requirement, check, { tried: { kind, wait } })
      if (later.early === kind) continue
      lags.learn(kind, wait)
      return later
    }
    lags.addInVain(kind)
    return undefined
  }

  return {
    client,
    /** Returns `undefined` for a check that is not run, since another has failed. */
    judge: async (requirement: PromiseEntry, check: Check): Promise<Judgement | undefined> => {
      await turns.take()
      try {
        if (isOver) return undefined
        const judgement = await judgePatiently(requirement, check)
        isOver = bail && judgement.error !== undefined
        return judgement
      } finally {
        turns.pass()
      }
    },
  }
}

/**
 * What may have looked too early: the last request, when it follows a write and its value is not of another team. An answer
 * that is not as documented is wrong at any time, and so is the answer to a first write.
 */
function earlyIn(
  { id }: PromiseEntry,
  { result, isExcused }: Judgement,
  last: { readonly operation: OperationId; readonly followsWrite: boolean } | undefined,
): LagKind | undefined {
  const { outcome, faults, stopped } = result
  if (outcome === 'kept' || outcome === 'skipped' || stopped || isExcused || faults.length > 0) return undefined
  if (!last?.followsWrite || (isolation.includes(id) && outcome !== 'inconclusive')) return undefined
  return lagKindOf(last.operation)
}
