import type { FirstAnswers } from '../../client/first-requests.ts'
import { Ledger } from '../../client/ledger/ledger.ts'
import { checkEarlierRuns, type Cleaned, finishLedger, startLedger } from '../../client/ledger/run-ledger.ts'
import { createMint } from '../../client/mint.ts'
import { onTarget, type Reached, type ReachOptions, withTransport } from '../../client/reach-target.ts'
import { redactorFor } from '../../client/redaction.ts'
import type { Target } from '../../client/target/target.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { Profile } from '../../spec/profile.ts'
import { type Outcome, takeRounds } from './rounds.ts'
import { Side } from './side.ts'
import { type TellOptions, tellDifference, type Told } from './tell.ts'
import { type StartTwin, Twins } from './twin.ts'

export interface CompareOptions extends ReachOptions {
  /** What the profile says; without one, what is assumed. */
  readonly profile?: Profile | undefined
  /** The entries that the profile leaves undetermined. */
  readonly untold?: ReadonlySet<AssumptionName> | undefined
  readonly steps: number
  readonly seed: number
  /** Whether the texts of messages count. */
  readonly wording?: boolean | undefined
  readonly startTwin: StartTwin
  readonly progress?: CompareProgress | undefined
}

export interface CompareProgress {
  began(target: Target, first: FirstAnswers): void
  took(steps: number): void
}

/** What a run has found. */
export interface Comparison extends Cleaned, Pick<Outcome, 'learned' | 'steps' | 'noise' | 'successes'> {
  readonly origin: string
  readonly upTo: string
  readonly seed: number
  /** When it began, as an ISO 8601 time. */
  readonly at: string
  readonly seconds: number
  readonly differences: readonly Told[]
  /** Why the run ended early. */
  readonly stopped?: { readonly reason: string; readonly unreachable: boolean }
}

/** With more differences than these, the profile is of another server. */
const mostDifferences = 10

/** Takes the same walk through a server and a sandbox, cleans up, and reports where they differ. */
export async function compare(options: CompareOptions): Promise<Comparison> {
  return onTarget(options, {
    purpose: 'compare',
    prepare: (target) => {
      checkEarlierRuns(target, options.ledgers)
    },
    run: (reached) => compareWith(reached, options),
  })
}

async function compareWith({ target, first, ledgers }: Reached<void>, options: CompareOptions): Promise<Comparison> {
  const { profile: { choices, voice } = { choices: {} }, steps, seed, wording = false, signal, progress } = options
  const startedAt = new Date()
  const { path, marks, release } = startLedger(target, startedAt, ledgers)
  progress?.began(target, first)
  try {
    const ledger = Ledger.open(path, marks.run, target.credentials.team?.reveal() ?? '', !target.loopback)
    const { outcome, stopped } = await withTransport(target, async ({ send }) => {
      const mint = createMint(marks, target.emailDomain)
      const server = new Side({ target, mint, ledger, send, seenBefore: first.seen, voice, signal })
      const twins = new Twins(options.startTwin, target, voice)
      const onSteps = (taken: number) => progress?.took(taken)
      const most = mostDifferences
      const { untold } = options
      const outcome = await takeRounds({ server, twins, choices, untold, steps, seed, wording, most, onSteps })
      return { outcome, stopped: server.client.stopped }
    })
    ledger.close()
    const cleaned = await finishLedger(path, target)
    const redact = redactorFor(target)
    const telling: TellOptions = { target, choices, redact }
    const differences = await Promise.all(outcome.differences.map((one) => tellDifference(one, telling)))
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
  } finally {
    release()
  }
}

/** 0 the same, 1 different, 2 the run failed, 3 too little was compared, 4 records may be left. */
export function exitCodeOf({ differences, residue, stopped, successes }: Comparison): number {
  if (stopped?.unreachable) return 2
  if (differences.length > 0) return 1
  if (residue.length > 0) return 4
  return stopped || successes.size === 0 ? 3 : 0
}
