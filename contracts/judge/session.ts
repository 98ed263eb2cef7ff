import { Client, type LedgerWriter } from '../../client/client.ts'
import type { Mint } from '../../client/mint.ts'
import { sleep } from '../../client/sleep.ts'
import type { Target } from '../../client/target/target.ts'
import { createTools, type Tools } from '../../client/tools.ts'
import type { Send } from '../../client/transport.ts'
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
  /** The ids of records that are older than the run. */
  readonly seenBefore?: readonly string[]
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

/** After so many useless repetitions a session stops repeating checks. */
const mostRepetitions = 12

/** Judges one check after the other, with one client. */
export class Session {
  readonly client: Client
  readonly #tools: Tools
  readonly #log = new CheckLog()
  readonly #findExcuse: (request: string) => Promise<string | undefined>
  readonly #isPatient: boolean
  #delay: Delay | undefined
  #lastWrite = 0
  #repetitions = 0
  #lags = false

  constructor({ target, mint, ledger, send, seenBefore = [], isPatient = true }: SessionOptions) {
    const delayed: Send = async (request, timeout) => {
      if (this.#delay?.applies(request.method)) await sleep(this.#lastWrite + this.#delay.duration - Date.now())
      const incoming = await send(request, timeout)
      if (request.method !== 'GET' && incoming.status < 400) this.#lastWrite = Date.now()
      return incoming
    }
    this.client = new Client({ target, mint, ledger, send: delayed, observer: this.#log, seenBefore })
    this.#tools = createTools(this.client, target, mint)
    this.#findExcuse = createExcuses(this.#tools)
    this.#isPatient = isPatient
  }

  async judge(requirement: PromiseEntry, check: Check): Promise<Judgement> {
    const first = await this.#judgeOnce(requirement, check)
    if (!this.#isPatient || !mayBeTooEarly(requirement, first)) return first
    if (!this.#lags && this.#repetitions >= mostRepetitions) return first
    try {
      for (const delay of delays) {
        this.#delay = delay
        const later = await this.#judgeOnce(requirement, check)
        if (rankOf(later) <= rankOf(first)) continue
        this.#lags = true
        const reason = later.result.reason ?? 'reads lag behind writes: kept when looked at a second later'
        return { ...later, result: { ...later.result, reason } }
      }
      this.#repetitions++
      return first
    } finally {
      this.#delay = undefined
    }
  }

  #judgeOnce(requirement: PromiseEntry, check: Check): Promise<Judgement> {
    const parts = { client: this.client, log: this.#log, findExcuse: this.#findExcuse }
    return judge(requirement, parts, (countAssertion) => check(this.#tools, countAssertion))
  }
}

/** A repetition that no longer finds the promise broken counts as better, even if its check cannot be completed. */
const rankOf = ({ result: { outcome } }: Judgement) =>
  ({ failed: 0, broken: 0, warned: 0, inconclusive: 1, skipped: 1, kept: 2 })[outcome]

/** Whether a read may have been too early: after a write, with an unexpected value that is not of another team. */
function mayBeTooEarly({ id }: PromiseEntry, { result, isExcused }: Judgement): boolean {
  const { outcome, faults, wrote = false, stopped } = result
  if (outcome === 'kept' || outcome === 'skipped' || !wrote || stopped || isExcused) return false
  if (faults.some(({ promise }) => promise === id)) return false
  return !isolation.includes(id) || outcome === 'inconclusive'
}
