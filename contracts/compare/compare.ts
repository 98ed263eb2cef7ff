import type { Cleaned } from '../client/clean.ts'
import type { FirstAnswers } from '../client/first-requests.ts'
import { onTarget, type Reached, type ReachOptions, withEarlierRuns, withLedger } from '../client/run.ts'
import { type Target, redactorFor } from '../client/target/target.ts'
import { ExchangeJudge } from '../judge/exchange-judge.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { type DifferenceReport, reportDifference } from './reproduction.ts'
import { type SearchResult, search } from './search.ts'
import { Side, type StartSandbox } from './side.ts'

export interface CompareOptions extends ReachOptions {
  /** The choices of the profile; by default the assumed ones. */
  readonly profile?: WrittenChoices | undefined
  /** The entries that the profile leaves undetermined. */
  readonly undetermined?: ReadonlySet<AssumptionName> | undefined
  readonly steps: number
  readonly seed: number
  /** Whether the texts of messages count. */
  readonly wording?: boolean | undefined
  /** The names of fields that do not count; `null` for each field that is null. */
  readonly ignore?: readonly string[] | undefined
  readonly startSandbox: StartSandbox
  readonly progress?: CompareProgress | undefined
}

export interface CompareProgress {
  began(target: Target, first: FirstAnswers): void
  took(steps: number): void
}

/** The result of a run. */
export interface Comparison extends Cleaned, Pick<SearchResult, 'learned' | 'steps' | 'noise' | 'successes'> {
  readonly origin: string
  readonly upTo: string
  readonly seed: number
  /** When it began, as an ISO 8601 time. */
  readonly at: string
  readonly seconds: number
  readonly differences: readonly DifferenceReport[]
  /** Why the run ended early. */
  readonly stopped?: { readonly reason: string; readonly unreachable: boolean }
}

/** With more differences than these, the profile is of another server. */
const mostDifferences = 10

/** Sends the same random requests to a server and a sandbox, cleans up, and reports where they differ. */
export async function compare(options: CompareOptions): Promise<Comparison> {
  return onTarget(options, 'compare', (reached) => compareWith(reached, options))
}

async function compareWith(reached: Reached, options: CompareOptions): Promise<Comparison> {
  const { target, ledgers } = reached
  const { profile: choices = {}, steps, seed, wording = false, ignore: ignored = [], signal, progress } = options
  const startedAt = new Date()
  const first = withEarlierRuns(reached)
  progress?.began(target, first)
  const [{ outcome, stopped }, cleaned] = await withLedger(target, ledgers, async (run) => {
    const server = new Side({ target, ...run, signal, judge: new ExchangeJudge() })
    const { startSandbox, undetermined } = options
    const onSteps = (taken: number) => progress?.took(taken)
    const limits = { steps, most: mostDifferences, wording, ignored }
    const outcome = await search({ ...limits, server, startSandbox, choices, undetermined, seed, onSteps })
    return { outcome, stopped: server.client.stopped }
  })
  const redact = redactorFor(target)
  const differences = outcome.differences.map((one) => reportDifference(one, { choices, redact }))
  return {
    ...outcome,
    ...cleaned,
    origin: target.origin,
    upTo: target.upTo,
    seed,
    at: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    differences,
    ...(stopped ? { stopped: { ...stopped, reason: redact(stopped.reason) } } : {}),
  }
}

/** 0 the same, 1 different, 2 the run failed, 3 too little was compared, 4 records may be left. */
export function exitCodeOf({ differences, residue, stopped, successes }: Comparison): number {
  if (stopped?.unreachable) return 2
  if (differences.length > 0) return 1
  if (residue.length > 0) return 4
  return stopped || successes.size === 0 ? 3 : 0
}
