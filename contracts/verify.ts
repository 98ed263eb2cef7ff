import { Client, type ClientOptions } from './client/client.ts'
import { CannotRun, NotAllowed } from './client/errors.ts'
import { type Cleaned, deleteCreated } from './client/clean.ts'
import type { FirstAnswers } from './client/first-requests.ts'
import { onTarget, type Reached, type ReachOptions, withEarlierRuns, withLedger } from './client/run.ts'
import { Ledger, readLedger, unresolvedIn } from './client/ledger.ts'
import { newMarks } from './client/mint.ts'
import { sleep } from './client/sleep.ts'
import { removeSecondTeam, withSandboxSettings } from './client/target/sandbox-settings.ts'
import { gatherSettings, type Settings } from './client/target/target-file.ts'
import { type Target, createTarget, redactorFor } from './client/target/target.ts'
import { createTools } from './client/tools.ts'
import { describeCost } from './cost.ts'
import { CheckLogs } from './judge/check-log.ts'
import { longestWait } from './judge/lags.ts'
import type { CheckResult } from './judge/outcome.ts'
import { storyFrom, storyTools } from './judge/story.ts'
import { type KnownDeviation, readKnownDeviations } from './known-deviations.ts'
import { buildReport, type PromiseReport, redactAll, type Report } from './reports/report.ts'
import { missingFor } from './optional-packages.ts'
import type { Stories } from './checks/keeps.ts'
import { type Run, runChecks } from './run.ts'
import { isSelected, readSelection, type Selection } from './selection.ts'
import { readStory, type StoryFile } from './story-file.ts'
import { operations } from '../spec/operations.ts'
import { promises } from '../spec/promises.ts'
import type { OperationId } from '../spec/types.ts'

export interface VerifyOptions extends ReachOptions {
  /** Groups, ids of promises, or beginnings of ids. */
  readonly only?: readonly string[] | undefined
  /** The same words, for promises to leave out. */
  readonly exclude?: readonly string[] | undefined
  readonly operation?: readonly string[] | undefined
  /** A warning is a broken promise, and a promise that was skipped makes the verdict inconclusive. */
  readonly strict?: boolean | undefined
  /** Whether stories of many situations follow the checks: not, most pairs, or this many of them. */
  readonly situations?: 'off' | 'pairs' | number | undefined
  /** A JSON report or a story: repeats its requests instead of running the checks. */
  readonly story?: string | undefined
  /** Ends the checks with the first promise that is broken. */
  readonly bail?: boolean | undefined
  /** Runs the checks in a random order, the same for the same seed. */
  readonly seed?: number | undefined
  /** A file of known deviations. */
  readonly known?: string | undefined
  /** Called as the run begins, as each check ends, and at the end for each promise that no check is about. */
  readonly progress?: Progress | undefined
}

export interface Progress {
  /** `cost` says how many requests the run will send. */
  began(target: Target, first: FirstAnswers, cost: string): void
  ended(result: Pick<CheckResult, 'promise'> & Pick<PromiseReport, 'outcome' | 'reason'>): void
}

/** Checks every selected promise against a server, cleans up, and reports the results. */
export async function verify(options: VerifyOptions = {}): Promise<Report> {
  checkPackages()
  const { only, exclude, operation, known, story } = options
  const wanted = {
    selection: readSelection(only, operation, exclude),
    story: story === undefined ? undefined : readStory(story, only),
    known: known === undefined ? [] : readKnownDeviations(known),
  }
  return onTarget(options, 'verify', (reached) => verifyTarget(reached, wanted, options))
}

function checkPackages(): void {
  const missing = missingFor('verify')
  if (missing !== undefined) throw new CannotRun(missing)
}

/** Reports the requests that each check would send if each of them succeeded. Sends none. Returns how many a run sends, with its stories. */
export async function listRequests(
  options: VerifyOptions,
  onCheck: (result: Pick<CheckResult, 'promise' | 'reason'>, requests: readonly string[]) => void,
): Promise<string> {
  checkPackages()
  const { wanted, credentials } = gatherSettings(options, options.env)
  const selection = readSelection(options.only, options.operation, options.exclude)
  // The sandbox is started for its providers alone; no check sends it a request.
  const started = wanted.baseUrl === undefined ? await options.startTarget?.() : undefined
  try {
    const target = createTarget(
      { ...started?.wanted, ...wanted },
      { team: 'no-key', ...started?.credentials, ...credentials },
    )
    const verification = { target: { ...target, rate: 100 }, marks: newMarks(), ledger: '', isDry: true, selection }
    const redact = redactorFor(target)
    const onRequests = (result: CheckResult, requests: readonly string[]) =>
      onCheck(redactAll(result, redact), requests.map(redact))
    const { seed, signal } = options
    const { results } = await runChecks(verification, { onResult: () => undefined, onRequests, seed, signal })
    for (const one of promises)
      if (isSelected(one, selection) && results.every(({ promise }) => promise !== one.id))
        onCheck({ promise: one.id }, [])
    return describeCost(target, selection, storiesFor(target, selection, options.situations, seed))
  } finally {
    await started?.stop()
  }
}

/** By default a whole run on this machine runs all stories, since no other client uses its records. Other runs need only some. */
function storiesFor(
  { loopback }: Target,
  { only, operations, exclude = [] }: Selection,
  wanted: VerifyOptions['situations'],
  seed = 1,
): Stories | undefined {
  const isWhole = only.length + operations.length + exclude.length === 0
  if (wanted === 'off') return undefined
  const isAll = wanted !== undefined || (isWhole && loopback)
  return { seed, which: isAll ? 'all' : 'unchecked', ...(typeof wanted === 'number' ? { most: wanted } : {}) }
}

/** Deletes the records of a killed run. */
export async function cleanUp(path: string, options: VerifyOptions = {}): Promise<Cleaned> {
  const settings = await findSettings(path, options)
  const target = createTarget(settings.wanted, settings.credentials)
  const ledger = Ledger.open(path, target)
  const cleaned = await deleteCreated(ledger, target)
  if (cleaned.residue.length === 0) await removeSecondTeam(settings)
  return redactAll(cleaned, redactorFor(target))
}

/** The settings of the run that wrote a ledger. */
async function findSettings(path: string, options: VerifyOptions): Promise<Settings> {
  const { heading, entries } = readLedger(path)
  const own = gatherSettings({ ...options, baseUrl: options.baseUrl ?? heading.origin, upTo: 'write' }, options.env)
  const { wanted, credentials } = own
  const { origin } = createTarget(wanted, credentials)
  if (origin !== heading.origin)
    throw new CannotRun(`${path} is about another server than ${origin}.`, { option: 'clean' })
  const needsTokens = unresolvedIn({ entries }).some(({ who }) => who !== 'team' && credentials[who] === undefined)
  const settings = await withSandboxSettings(own, needsTokens, heading.process.pid)
  if (settings.credentials.team === undefined) throw new CannotRun('The key of a team is missing: set CRM_API_KEY.')
  return settings
}

interface Scope {
  readonly selection: Selection
  readonly known: readonly KnownDeviation[]
  readonly story: StoryFile | undefined
}

async function verifyTarget(
  reached: Reached,
  { selection: selected, known, story }: Scope,
  { signal, seed, progress, bail = false, strict, situations }: VerifyOptions,
): Promise<Report> {
  const startedAt = new Date()
  const { target, ledgers } = reached
  const first = withEarlierRuns(reached)
  const stories = storiesFor(target, selected, situations, seed)
  progress?.began(target, first, story ? '' : describeCost(target, selected, stories))
  const redact = redactorFor(target)
  const onResult = (result: CheckResult) => progress?.ended(redactAll(result, redact))
  const [run, cleaned] = await withLedger(target, ledgers, (made) =>
    story
      ? repeat(story, { target, signal, ...made })
      : runChecks(
          {
            target,
            marks: made.ledger.heading,
            ledger: made.ledger.path,
            selection: selected,
            bail,
            situations: stories,
          },
          { onResult, seed, signal },
        ),
  )
  const judged = run.situations.flatMap(({ exercised }) => exercised.map(({ promise }) => promise))
  const only = story ? (story.promise ? [story.promise] : judged) : selected.only
  const selection = { ...selected, only }
  const times = { startedAt, endedAt: new Date(), interrupted: signal?.aborted ?? false }
  const facts = {
    target,
    selection,
    run,
    doubts: first.doubts,
    ...cleaned,
    known,
    strict,
    isStory: story !== undefined,
  }
  const report = redactAll(buildReport({ ...facts, ...times }), redact)
  if (story) return report
  for (const { id, outcome, reason } of report.promises)
    if (run.results.every(({ promise }) => promise !== id))
      progress?.ended({ promise: id, outcome, ...(reason === undefined ? {} : { reason }) })
  return report
}

type Made = Omit<ClientOptions, 'observer' | 'ledger'> & { readonly ledger: Ledger }

/** Sends the requests of a story; a read comes when it must show the writes before it. */
async function repeat({ steps }: StoryFile, { target, mint, ledger, ...others }: Made): Promise<Run> {
  const logs = new CheckLogs()
  const log = logs.begin(true)
  const before = async (operation: OperationId) => {
    if (operations[operation].method === 'get' && logs.wroteAt !== undefined)
      await sleep(logs.wroteAt + longestWait - Date.now())
  }
  const client = new Client({ target, mint, ledger, ...others, observer: logs, before })
  const tools = storyTools(createTools(client, target, mint))
  await logs
    .run(log, () => storyFrom(steps)(tools))
    .catch((error: unknown) => {
      if (!(error instanceof NotAllowed)) throw error
    })
  const stopped = client.stopped ? { stopped: client.stopped } : {}
  return { results: [], situations: [{ ...log.summary(), ...stopped }], problems: [] }
}
