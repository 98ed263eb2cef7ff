import { Client, type LedgerWriter, type Observer } from '../client/client.ts'
import { orOnceMore } from '../client/errors.ts'
import type { Mint } from '../client/mint.ts'
import { sleep } from '../client/sleep.ts'
import type { Target } from '../client/target/target.ts'
import { createTools, type Tools } from '../client/tools.ts'
import type { Send } from '../client/transport.ts'
import type { AssumptionName } from '../spec/assumptions.ts'
import { type Asking, type Finding, isReason, Other, type Probe } from './probe.ts'
import { probes } from './probes/index.ts'

interface AskOptions {
  readonly target: Target
  readonly mint: Mint
  readonly ledger: LedgerWriter
  readonly send: Send
  /** How long to wait for something that the server does later, in milliseconds. */
  readonly patience: number
  readonly signal?: AbortSignal | undefined
  readonly observer?: Observer
  /** Ids of records that were there before. */
  readonly seenBefore?: readonly string[]
}

/** Asks a server about entries, one after the other, each twice. */
export class Asker {
  readonly client: Client
  /** What was learned so far. */
  readonly findings = new Map<AssumptionName, Finding>()
  readonly #asking: Asking
  readonly #found = new Map<string, Promise<unknown>>()
  readonly tools: Tools

  constructor({ target, mint, ledger, send, patience, signal, observer, seenBefore = [] }: AskOptions) {
    this.client = new Client({ target, mint, ledger, send, seenBefore, signal, ...(observer ? { observer } : {}) })
    this.tools = createTools(this.client, target, mint)
    this.#asking = {
      ...this.tools,
      timeUntil: (isSo) => timeUntil(isSo, patience, () => this.client.stopped !== undefined),
      once: (what, find) => {
        const found = this.#found.get(what) ?? orOnceMore(find)
        this.#found.set(what, found)
        return found as ReturnType<typeof find>
      },
    }
  }

  async ask(name: AssumptionName): Promise<Finding> {
    const finding = await this.#askTwice(name)
    this.findings.set(name, finding)
    return finding
  }

  async #askTwice(name: AssumptionName): Promise<Finding> {
    const probe: Probe<AssumptionName> = probes[name]
    const first = await this.#askOnce(probe)
    if (first.outcome === 'cannotTell') return first
    const second = await this.#askOnce(probe)
    if (second.outcome === 'cannotTell') return second
    if (isSame(first, second)) return first
    return delayAmong(first, second) ?? { outcome: 'unstable', words: `${wordsOf(first)}, then ${wordsOf(second)}` }
  }

  async #askOnce(probe: Probe<AssumptionName>): Promise<Finding> {
    try {
      return { outcome: 'seen', written: await orOnceMore(() => probe(this.#asking)) }
    } catch (error) {
      if (error instanceof Other) return { outcome: 'other', words: error.message }
      if (isReason(error)) return { outcome: 'cannotTell', words: error.message }
      throw error
    }
  }
}

const wordsOf = (finding: Finding) => (finding.outcome === 'seen' ? finding.written : finding.words)

/** A delay is never measured twice alike. */
function isSame(one: Finding, other: Finding): boolean {
  const [first, second] = [one, other].map((finding) => wordsOf(finding).replace(/^(afterDelay):\d+$/, '$1'))
  return one.outcome === other.outcome && (first === second || one.outcome === 'other')
}

/** What was there at once, and another time after a delay, takes a delay: the first look came late. */
function delayAmong(...findings: readonly Finding[]): Finding | undefined {
  const delayed = findings.find((finding) => wordsOf(finding).startsWith('afterDelay:'))
  return findings.some((finding) => wordsOf(finding) === 'atOnce') ? delayed : undefined
}

/** To ten milliseconds: more would say how long the requests took. */
async function timeUntil(
  isSo: () => Promise<boolean>,
  patience: number,
  isOver: () => boolean,
): Promise<number | undefined> {
  const startedAt = Date.now()
  if (await isSo()) return 0
  for (let pause = 10; !isOver() && Date.now() < startedAt + patience; pause = Math.min(2 * pause, 250)) {
    await sleep(pause)
    if (await isSo()) return Math.max(10, Math.round((Date.now() - startedAt) / 10) * 10)
  }
  return undefined
}
