import { Client, type LedgerWriter } from '../../client/client.ts'
import type { Mint } from '../../client/mint.ts'
import type { Target } from '../../client/target/target.ts'
import { createTools, type Tools } from '../../client/tools.ts'
import type { Send } from '../../client/transport.ts'
import type { PromiseEntry } from '../../spec/promises.ts'
import { Excuses } from './excuses.ts'
import { judge, type Judgement } from './judge.ts'
import { Patience } from './patience.ts'
import { isolation } from './unjudged.ts'
import { Watch } from './watch.ts'

interface SessionOptions {
  readonly target: Target
  readonly mint: Mint
  readonly ledger: LedgerWriter
  readonly send: Send
  /** The ids of records that were there before the run. */
  readonly seenBefore?: readonly string[]
  /** Runs a failed check again, with time for reads to follow writes. */
  readonly isPatient?: boolean
}

type Check = (tools: Tools, countAssertion: () => void) => Promise<void>

/** Judges one check after the other, with one client. */
export class Session {
  readonly client: Client
  readonly #tools: Tools
  readonly #watch = new Watch()
  readonly #patience = new Patience()
  readonly #excuses: Excuses
  readonly #isPatient: boolean

  constructor({ target, mint, ledger, send, seenBefore = [], isPatient = true }: SessionOptions) {
    const observer = this.#watch
    this.client = new Client({ target, mint, ledger, send: this.#patience.wrap(send), observer, seenBefore })
    this.#tools = createTools(this.client, target, mint)
    this.#excuses = new Excuses(this.#tools)
    this.#isPatient = isPatient
  }

  async judge(requirement: PromiseEntry, check: Check): Promise<Judgement> {
    const judgement = await this.#judgeOnce(requirement, check)
    if (!this.#isPatient || !mayBeTooEarly(requirement, judgement)) return judgement
    const isInVain = (later: Judgement) => rankOf(later) <= rankOf(judgement)
    const later = await this.#patience.act(() => this.#judgeOnce(requirement, check), isInVain)
    if (!later) return judgement
    const reason = later.result.reason ?? 'reads lag behind writes: kept when looked at a second later'
    return { ...later, result: { ...later.result, reason } }
  }

  #judgeOnce(requirement: PromiseEntry, check: Check): Promise<Judgement> {
    const parts = { client: this.client, watch: this.#watch, excuses: this.#excuses }
    return judge(requirement, parts, (countAssertion) => check(this.#tools, countAssertion))
  }
}

/** A promise that is no longer broken is better judged, even if the rest of its check cannot go on. */
const rankOf = ({ result: { outcome } }: Judgement) =>
  ({ failed: 0, broken: 0, warned: 0, inconclusive: 1, skipped: 1, kept: 2 })[outcome]

/**
 * Whether a read may have come too early: after a write, where it found something else than what was expected. What a
 * team got of another one is never taken back.
 */
function mayBeTooEarly({ id }: PromiseEntry, { result, isExcused }: Judgement): boolean {
  const { outcome, faults, wrote = false, stopped } = result
  if (outcome === 'kept' || outcome === 'skipped' || !wrote || stopped || isExcused) return false
  if (faults.some(({ promise }) => promise === id)) return false
  return !isolation.includes(id) || outcome === 'inconclusive'
}
