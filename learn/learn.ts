import type { Cleaned } from '../client/clean.ts'
import type { Client } from '../client/client.ts'
import { CannotRun } from '../client/errors.ts'
import type { FirstAnswers } from '../client/first-requests.ts'
import { checkEarlierRuns } from '../client/ledger.ts'
import { onTarget, type Reached, type ReachOptions, withLedger, withTransport } from '../client/run.ts'
import { redactorFor, type Target } from '../client/target/target.ts'
import { assumption, type AssumptionName } from '../spec/assumptions.ts'
import { suggest } from '../spec/close-to.ts'
import { operations } from '../spec/operations.ts'
import { Asker } from './ask.ts'
import { type Evidence, EvidenceLog } from './evidence.ts'
import { type Finding, isReason } from './probe.ts'
import { namesBeginningWith } from '../spec/choices.ts'

export interface LearnOptions extends ReachOptions {
  /** Names of entries, or beginnings of names; all by default. */
  readonly only?: readonly string[] | undefined
  /** Only the entries that these operations rely on. */
  readonly operation?: readonly string[] | undefined
  /** How long to wait for what the server does later, in milliseconds; by default 2 seconds here, and a minute elsewhere. */
  readonly patience?: number | undefined
  /** Called as the run begins, and as each entry was asked about. */
  readonly progress?: LearnProgress | undefined
}

export interface LearnProgress {
  began(target: Target, first: FirstAnswers, count: number): void
  learned(entry: Learned): void
}

/** What was learned about one entry of the register. */
export interface Learned {
  readonly name: AssumptionName
  readonly finding: Finding
}

/** What a run has learned about a server. */
export interface Lesson extends Cleaned {
  readonly origin: string
  /** When it began, as an ISO 8601 time. */
  readonly at: string
  readonly seconds: number
  readonly entries: readonly Learned[]
  readonly evidence: readonly Evidence[]
  /** Why the run ended early. */
  readonly stopped?: string
}

/** Asks a server what the specification leaves open, cleans up, and reports what it found. */
export async function learn(options: LearnOptions = {}): Promise<Lesson> {
  return onTarget(options, {
    purpose: 'ask',
    prepare: (target) => {
      checkEarlierRuns(target, options.ledgers)
      return select(options)
    },
    run: (reached) => askAll(reached, options),
  })
}

async function askAll(reached: Reached<readonly AssumptionName[]>, options: LearnOptions): Promise<Lesson> {
  const { target, first, ledgers, prepared: names } = reached
  const { signal, progress, patience = target.loopback ? 2_000 : 60_000 } = options
  const startedAt = new Date()
  const redact = redactorFor(target)
  const log = new EvidenceLog(redact)
  progress?.began(target, first, names.length)
  const [{ entries, stopped }, cleaned] = await withLedger(target, ledgers, (ledger, mint) =>
    withTransport(target, ({ send }) =>
      askEach({
        asker: new Asker({ target, mint, ledger, send, patience, signal, observer: log, seenBefore: first.seen }),
        names,
        redact,
        log,
        progress,
      }),
    ),
  )
  const seconds = (Date.now() - startedAt.getTime()) / 1000
  const facts = { origin: target.origin, at: startedAt.toISOString(), seconds, entries, evidence: log.evidence }
  return { ...facts, ...cleaned, ...(stopped === undefined ? {} : { stopped }) }
}

interface Round {
  readonly asker: Asker
  readonly names: readonly AssumptionName[]
  readonly redact: (text: string) => string
  readonly log: EvidenceLog
  readonly progress: LearnProgress | undefined
}

async function askEach({ asker, names, redact, log, progress }: Round) {
  const entries: Learned[] = []
  const server = await Presence.of(asker.client)
  for (const name of names) {
    log.begin(name)
    const finding = redactFinding(await asker.ask(name), redact)
    log.end()
    if (finding.outcome === 'cannotTell') await server.check(name === names.at(-1))
    // The end of the run cuts the last entry short.
    if (asker.client.stopped) break
    entries.push({ name, finding })
    progress?.learned({ name, finding })
  }
  const { stopped } = asker.client
  return { entries, stopped: stopped && redact(stopped.reason) }
}

function redactFinding(finding: Finding, redact: (text: string) => string): Finding {
  return finding.outcome === 'seen' ? finding : { ...finding, words: redact(finding.words) }
}

/** Refuses a word that selects nothing, since a run that asks nothing would learn nothing. */
function select({ only, operation = [] }: LearnOptions): readonly AssumptionName[] {
  const names = namesBeginningWith(only)
  for (const id of operation) {
    if (Object.hasOwn(operations, id)) continue
    throw new CannotRun(`--operation names no operation: ${id}${suggest(id, Object.keys(operations))}.`)
  }
  const isAbout = (name: AssumptionName) => {
    const { operations: concerned } = assumption(name)
    return concerned === 'all' || operation.length === 0 || concerned.some((id) => operation.includes(id))
  }
  const selected = names.filter(isAbout)
  if (selected.length === 0) throw new CannotRun('No assumption is left: --only and --operation name none in common.')
  return selected
}

/** After so many more undetermined entries, the server is checked for a change. */
const untoldBetweenLooks = 5

/**
 * Ends a run whose server no longer does for it what it did at the beginning: it may be down, or take the key no more. What
 * cannot be determined from then on says nothing about the server.
 */
export class Presence {
  readonly #client: Client
  readonly #before: string
  #untold = 0

  private constructor(client: Client, before: string) {
    this.#client = client
    this.#before = before
  }

  static async of(client: Client): Promise<Presence> {
    return new Presence(client, await lookAt(client))
  }

  /** Counts an undetermined entry. */
  async check(isLast: boolean): Promise<void> {
    if ((++this.#untold % untoldBetweenLooks !== 0 && !isLast) || this.#client.stopped) return
    const now = await lookAt(this.#client)
    if (now === this.#before) return
    this.#client.stop(
      `the server no longer answers as it did when the run began: it said ${this.#before}, and now ${now}`,
    )
  }
}

async function lookAt(client: Client): Promise<string> {
  try {
    const query = { page: 1, limit: 1, types: ['sms'], statuses: ['approved'] }
    const { status, body } = await client.call('listTemplates', { query })
    return `${status}${body === undefined ? ' without JSON' : ''} to listTemplates`
  } catch (error) {
    if (isReason(error)) return 'nothing'
    throw error
  }
}
