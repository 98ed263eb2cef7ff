import type { Observer } from '../client/client.ts'
import { CannotRun } from '../client/errors.ts'
import type { FirstAnswers } from '../client/first-requests.ts'
import { Ledger } from '../client/ledger/ledger.ts'
import { checkEarlierRuns, type Cleaned, finishLedger, startLedger } from '../client/ledger/run-ledger.ts'
import { createMint } from '../client/mint.ts'
import { onTarget, type Reached, type ReachOptions, withTransport } from '../client/reach-target.ts'
import { redactorFor } from '../client/redaction.ts'
import type { Target } from '../client/target/target.ts'
import { assumption, type AssumptionName } from '../spec/assumptions.ts'
import { operations } from '../spec/operations.ts'
import type { Voice } from '../spec/voice/voice.ts'
import { Asker } from './ask.ts'
import { type Evidence, EvidenceLog } from './evidence.ts'
import { Presence } from './presence.ts'
import type { Finding } from './probe.ts'
import { namesBeginningWith } from './select.ts'
import type { Heard } from './voice/compare-voices.ts'
import { VoiceListener } from './voice/listener.ts'
import { promptEach } from './voice/prompts.ts'
import { suggest } from '../spec/close-to.ts'

export interface LearnOptions extends ReachOptions {
  /** Names of entries, or beginnings of names; all by default. */
  readonly only?: readonly string[] | undefined
  /** Only the entries that these operations rely on. */
  readonly operation?: readonly string[] | undefined
  /** How long to wait for what the server does later, in milliseconds; by default 2 seconds here, and a minute elsewhere. */
  readonly patience?: number | undefined
  /** Whether to learn how the server speaks, too: its texts, ids, times, additional fields and headers. */
  readonly voice?: boolean | undefined
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
  /** How the server speaks; undefined when too few answers were seen. */
  readonly voice?: Voice
  /** The same with what was heard of it, unless the run was about a part only. */
  readonly heard?: Heard
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
  const { path, marks, release } = startLedger(target, startedAt, ledgers)
  progress?.began(target, first, names.length)
  try {
    const ledger = Ledger.open(path, marks.run, target.credentials.team?.reveal() ?? '', !target.loopback)
    const { entries, stopped, heard } = await withTransport(target, ({ send }) => {
      const mint = createMint(marks, target.emailDomain)
      const listener = hearsAll(options) ? new VoiceListener(mint, redact) : undefined
      const observer = listener ? bothOf(log, listener) : log
      return askEach({
        asker: new Asker({ target, mint, ledger, send, patience, signal, observer, seenBefore: first.seen }),
        names,
        redact,
        log,
        listener,
        progress,
      })
    })
    ledger.close()
    const cleaned = await finishLedger(path, target)
    const seconds = (Date.now() - startedAt.getTime()) / 1000
    const facts = { origin: target.origin, at: startedAt.toISOString(), seconds, entries, evidence: log.evidence }
    const spoken = heard && Object.keys(heard.voice).length > 0 ? { voice: heard.voice } : {}
    const whole = { ...facts, ...cleaned, ...spoken, ...(heard ? { heard } : {}) }
    return { ...whole, ...(stopped === undefined ? {} : { stopped }) }
  } finally {
    release()
  }
}

interface Round {
  readonly asker: Asker
  readonly names: readonly AssumptionName[]
  readonly redact: (text: string) => string
  readonly log: EvidenceLog & Observer
  readonly listener: VoiceListener | undefined
  readonly progress: LearnProgress | undefined
}

async function askEach({ asker, names, redact, log, listener, progress }: Round) {
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
  if (listener) await promptEach(asker.tools)
  const { stopped } = asker.client
  return { entries, stopped: stopped && redact(stopped.reason), heard: listener?.heard() }
}

/** A run about some entries sees too few answers of the others. */
const hearsAll = ({ voice = true, only = [], operation = [] }: LearnOptions) =>
  voice && only.length === 0 && operation.length === 0

const bothOf = (one: Observer, other: Observer): Observer => ({
  onAnswer: (...heard) => {
    one.onAnswer(...heard)
    other.onAnswer(...heard)
  },
  onNoAnswer: (...heard) => {
    one.onNoAnswer(...heard)
    other.onNoAnswer(...heard)
  },
  onChoice: (...heard) => {
    one.onChoice(...heard)
    other.onChoice(...heard)
  },
})

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
