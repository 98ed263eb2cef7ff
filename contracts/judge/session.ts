import { Client, type LedgerWriter } from '../client/client.ts'
import type { Mint } from '../client/mint.ts'
import { sleep } from '../client/sleep.ts'
import type { Target } from '../client/target/target.ts'
import { createTools, type Tools } from '../client/tools.ts'
import type { Send } from '../client/transport.ts'
import type { PromiseEntry } from '../../spec/promises.ts'
import { CheckLog } from './check-log.ts'
import { judge, type Judgement } from './judge.ts'
import { isolation } from './outcome.ts'
import { createExcuses } from './refused-values.ts'

interface SessionOptions {
  readonly target: Target
  readonly mint: Mint
  readonly ledger: LedgerWriter
  readonly send: Send
  /** Repeats a failed check, with time for reads to follow writes. */
  readonly isPatient?: boolean
}

type Check = (tools: Tools, countAssertion: () => void) => Promise<void>

/** How long a request waits after a write, in milliseconds: no promise says that a read shows a write at once. */
interface Delay {
  readonly duration: number
  readonly applies: (method: string) => boolean
}

const delays: readonly Delay[] = [
  { duration: 300, applies: (method) => method === 'GET' },
  { duration: 1100, applies: () => true },
]

/** The limits of useless repetitions, as long as no repetition has shown that reads lag behind writes. */
const limits = {
  /** The sum of all repetitions, in milliseconds. */
  onThisMachine: 20_000,
  elsewhere: 300_000,
  /** Repetitions with the same operation and status in the last answer. */
  alike: 2,
}

/** The longest sum of waits for lagging reads on this machine, in milliseconds. */
const longestLag = 30_000

/** Judges one check after the other, with one client. */
export function createSession({ target, mint, ledger, send, isPatient = true }: SessionOptions) {
  let delay: Delay | undefined
  let lastWrite = 0
  let lags = false
  let waited = 0
  let timeLeft = target.loopback ? limits.onThisMachine : limits.elsewhere
  let deadline = 0
  /** The number of useless repetitions, by the last answer. */
  const useless = new Map<string, number>()

  const delayed: Send = async (request, timeout) => {
    if (delay?.applies(request.method)) {
      const startedAt = Date.now()
      await sleep(Math.min(lastWrite + delay.duration, lags ? Infinity : deadline) - startedAt)
      waited += Date.now() - startedAt
    }
    const incoming = await send(request, timeout)
    if (request.method !== 'GET' && incoming.status < 400) lastWrite = Date.now()
    return incoming
  }
  const log = new CheckLog()
  const client = new Client({ target, mint, ledger, send: delayed, observer: log })
  const tools = createTools(client, target, mint, { observe: log.observe })
  const parts = { client, log, findExcuse: createExcuses(tools) }
  const judgeOnce = (requirement: PromiseEntry, check: Check) =>
    judge(requirement, parts, (countAssertion) => check(tools, countAssertion))

  async function judgePatiently(requirement: PromiseEntry, check: Check): Promise<Judgement> {
    const first = await judgeOnce(requirement, check)
    if (!isPatient || !mayBeTooEarly(requirement, first)) return first
    if (lags && target.loopback && waited >= longestLag) return toUndecided(first)
    const { lastAnswer } = log
    const inVain = useless.get(lastAnswer) ?? 0
    if (!lags && (timeLeft <= 0 || inVain >= limits.alike)) return first
    const startedAt = Date.now()
    deadline = startedAt + timeLeft
    try {
      for (delay of delays) {
        const later = await judgeOnce(requirement, check)
        if (rankOf(later) <= rankOf(first)) continue
        lags = true
        const reason = later.result.reason ?? 'reads lag behind writes: kept when looked at a second later'
        return { ...later, result: { ...later.result, reason } }
      }
      useless.set(lastAnswer, inVain + 1)
      timeLeft -= Date.now() - startedAt
      return first
    } finally {
      delay = undefined
    }
  }
  return { client, judge: judgePatiently }
}

function toUndecided({ result: { finding: _, ...result }, ...judgement }: Judgement): Judgement {
  const reason = 'reads lag behind writes, and the time to wait for them is used up'
  return { ...judgement, result: { ...result, outcome: 'inconclusive', reason } }
}

/** A repetition that no longer finds the promise broken counts as better, even if its check cannot be completed. */
const rankOf = ({ result: { outcome } }: Judgement) =>
  ({ failed: 0, broken: 0, warned: 0, inconclusive: 1, skipped: 1, kept: 2 })[outcome]

/**
 * Whether a read may have been too early: after a write, with an unexpected value that is not of another team. An answer
 * that is not as documented is wrong at any time.
 */
function mayBeTooEarly({ id }: PromiseEntry, { result, isExcused }: Judgement): boolean {
  const { outcome, faults, wrote = false, stopped } = result
  if (outcome === 'kept' || outcome === 'skipped' || !wrote || stopped || isExcused || faults.length > 0) return false
  return !isolation.includes(id) || outcome === 'inconclusive'
}
