import type { Cleaned } from '../client/clean.ts'
import type { Client } from '../client/client.ts'
import { CannotRun } from '../client/errors.ts'
import type { FirstAnswers } from '../client/first-requests.ts'
import { onTarget, type Reached, type ReachOptions, withEarlierRuns, withLedger } from '../client/run.ts'
import { redactorFor, type Target } from '../client/target/target.ts'
import { assumption, type AssumptionName } from '../../spec/assumptions.ts'
import { namesBeginningWith } from '../../spec/choices.ts'
import { redactAll } from '../reports/report.ts'
import { suggest } from '../../spec/close-to.ts'
import { operations } from '../../spec/operations.ts'
import type { Finding } from '../judge/outcome.ts'
import { type Evidence, Prober } from './prober.ts'
import { type ProbeFinding, reasonOf } from '../questions/finding.ts'

export interface LearnOptions extends ReachOptions {
  /** Names of entries, or beginnings of names; all by default. */
  readonly only?: readonly string[] | undefined
  /** Only the entries that these operations rely on. */
  readonly operation?: readonly string[] | undefined
  /** How long to wait for a later effect, in milliseconds: by default 2 seconds on this machine, and a minute for others. */
  readonly patience?: number | undefined
  readonly progress?: LearnProgress | undefined
}

export interface LearnProgress {
  began(target: Target, first: FirstAnswers, count: number): void
  learned(entry: LearnedEntry): void
}

/** An entry of the register with the finding of the run. */
export interface LearnedEntry {
  readonly name: AssumptionName
  readonly finding: ProbeFinding
}

export interface LearnResult extends Cleaned {
  readonly origin: string
  /** When the run began, as an ISO 8601 time. */
  readonly at: string
  readonly seconds: number
  readonly entries: readonly LearnedEntry[]
  readonly evidence: readonly Evidence[]
  /** The promises that the server broke in the exchanges of the run. */
  readonly broken: readonly Finding[]
  /** Why the run ended early. */
  readonly stopped?: string
  /** It ended since the server gave no more responses. */
  readonly isUnreachable?: boolean
}

/** Determines which choices a server makes, and deletes the records of the run. */
export async function learn(options: LearnOptions = {}): Promise<LearnResult> {
  const names = selectEntries(options)
  return onTarget(options, 'ask', (reached) => learnEntries(names, reached, options))
}

/** Entries that measure a delay, or that count or order the templates of the team. Other probes at the same time would change that. */
const alone: ReadonlySet<AssumptionName> = new Set([
  'bulkDelivery',
  'whatsappApproval',
  'whatsappAfterUpdate',
  'repeatedKeyInFlight',
  'templateOrder',
  'repeatedQueryValues',
  'bracketedParameter',
  'keyMadeTemplates',
])

type EntryNames = readonly AssumptionName[]

async function learnEntries(names: EntryNames, reached: Reached, options: LearnOptions): Promise<LearnResult> {
  const { target, ledgers } = reached
  const { signal, progress, patience = target.loopback ? 2_000 : 60_000 } = options
  const startedAt = new Date()
  const redact = redactorFor(target)
  const entries: LearnedEntry[] = []
  const first = withEarlierRuns(reached)
  if (first.noList !== undefined) throw new CannotRun(first.noList)
  progress?.began(target, first, names.length)
  const [learned, cleaned] = await withLedger(target, ledgers, async (run) => {
    const prober = new Prober({ target, ...run, patience, signal, redact })
    const { client, evidence } = prober
    const checkServer = await watchServer(client)
    const ask = async (queue: IterableIterator<AssumptionName>) => {
      for (const name of queue) {
        const finding = await prober.probe(name)
        if (finding.outcome === 'cannotTell') await checkServer(entries.length + 1 === names.length)
        // The end of the run cuts the last entries short.
        if (client.stopped) return
        entries.push({ name, finding })
        progress?.learned({ name, finding })
      }
    }
    await ask(names.filter((name) => alone.has(name)).values())
    const others = names.filter((name) => !alone.has(name)).values()
    await Promise.all(Array.from({ length: target.concurrency }, () => ask(others)))
    for (const list of [entries, evidence])
      list.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
    const { reason, unreachable: isUnreachable = false } = client.stopped ?? {}
    return {
      evidence,
      broken: redactAll(prober.broken, redact),
      ...(reason === undefined ? {} : { stopped: redact(reason), isUnreachable }),
    }
  })
  const seconds = (Date.now() - startedAt.getTime()) / 1000
  const facts = { origin: target.origin, at: startedAt.toISOString(), seconds, entries }
  return { ...facts, ...learned, ...cleaned }
}

/** Throws when a word selects no entry, since a run without entries would learn nothing. */
function selectEntries({ only, operation = [] }: LearnOptions): EntryNames {
  const names = namesBeginningWith(only)
  for (const id of operation) {
    if (Object.hasOwn(operations, id)) continue
    throw new CannotRun(
      (nameOf) => `${nameOf('operation')} names no operation: ${id}${suggest(id, Object.keys(operations))}.`,
    )
  }
  const selected = names.filter((name) => {
    const { operations: concerned } = assumption(name)
    return concerned === 'all' || operation.length === 0 || concerned.some((id) => operation.includes(id))
  })
  if (selected.length === 0)
    throw new CannotRun(
      (nameOf) => `No assumption is left: none matches both ${nameOf('only')} and ${nameOf('operation')}.`,
    )
  return selected
}

/**
 * Returns a function to call after each undetermined entry. Every fifth time and at the end, it stops the run if the server
 * no longer answers a read as it did at the beginning: later findings would say nothing about the server.
 */
async function watchServer(client: Client): Promise<(isLast: boolean) => Promise<void>> {
  const before = await readResponse(client)
  let undetermined = 0
  return async (isLast) => {
    if ((++undetermined % 5 !== 0 && !isLast) || client.stopped) return
    const now = await readResponse(client)
    if (now !== before)
      client.stop(
        `the server no longer answers as it did when the run began: the first response was ${before}, and the last is ${now}`,
      )
  }
}

async function readResponse(client: Client): Promise<string> {
  try {
    const query = { page: 1, limit: 1, types: ['sms'], statuses: ['approved'] }
    const { status, body } = await client.call('listTemplates', { query })
    return `${status}${body === undefined ? ' without JSON' : ''} to listTemplates`
  } catch (error) {
    reasonOf(error)
    return 'nothing'
  }
}
