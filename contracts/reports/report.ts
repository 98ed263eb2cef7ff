import { kindNames, kinds } from '../client/kinds.ts'
import type { Residue } from '../client/clean.ts'
import type { Stays } from '../client/ledger.ts'
import type { NotSentBecause } from '../client/errors.ts'
import { isWithin, type Target } from '../client/target/target.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import { type Effect, operations } from '../../spec/operations.ts'
import { promises, type PromiseEntry, type PromiseGroup, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { type CheckResult, type Exchanges, type Finding, isolation, type Outcome } from '../judge/outcome.ts'
import type { KnownDeviation } from '../known-deviations.ts'
import type { Run } from '../run.ts'
import { isSelected, type Selection } from '../selection.ts'
import { type Cause, type CausedFinding, groupByCause } from './causes.ts'
import { oneLine, pluralize } from '../../lib/text.ts'
import { describeStays } from '../client/clean.ts'

/** The result of a run. */
export interface Report {
  readonly verdict: RunVerdict
  readonly exitCode: ExitCode
  /** Sentences, the most severe first. */
  readonly reasons: readonly string[]
  /** Sentences about what the operator left out. */
  readonly limits: readonly string[]
  readonly target: { readonly origin: string; readonly upTo: Effect }
  readonly startedAt: string
  readonly seconds: number
  readonly promises: readonly PromiseReport[]
  /** One for all findings with the same reason. */
  readonly causes: readonly Cause[]
  readonly observed: readonly { readonly assumption: AssumptionName; readonly choices: readonly string[] }[]
  /** Undocumented fields. */
  readonly unlisted: readonly { readonly operation: OperationId; readonly fields: readonly string[] }[]
  readonly residue: readonly Residue[]
  /** Records that no operation can delete. */
  readonly stays: readonly string[]
}

type RunVerdict = 'conformant' | 'broken' | 'harness failed' | 'inconclusive' | 'residue left'
type ExitCode = 0 | 1 | 2 | 3 | 4

export interface PromiseReport {
  readonly id: PromiseId
  readonly words: string
  readonly group: PromiseGroup
  readonly section: string
  readonly operations: readonly OperationId[]
  /** `known`: broken by a known deviation. */
  readonly outcome: Outcome | 'known'
  readonly reason?: string
  readonly findings: readonly CausedFinding[]
  /** In how many exchanges it was judged. */
  readonly exchanges: number
  readonly seconds: number
}

interface JudgedRun {
  readonly target: Target
  readonly selection: Selection
  readonly run: Run
  readonly residue: readonly Residue[]
  readonly stays?: readonly Stays[]
  readonly known: readonly KnownDeviation[]
  readonly startedAt: Date
  readonly endedAt: Date
  readonly interrupted?: boolean
  /** Sentences from the first requests. */
  readonly doubts?: readonly string[]
  /** A warning is a broken promise, and a promise that was skipped makes the verdict inconclusive. */
  readonly strict?: boolean | undefined
  /** The requests of a story alone were sent. */
  readonly isStory?: boolean
}

export function buildReport(facts: JudgedRun): Report {
  const { target, run, residue, stays = [], doubts = [], startedAt, endedAt } = facts
  const broken = new Set(exchangesIn(run).flatMap(({ faults }) => faults.map(({ promise }) => promise)))
  const promiseReports = promises
    .filter((entry) => isSelected(entry, facts.selection) || broken.has(entry.id))
    .map((entry) => reportPromise(entry, facts))
  const reasons = findReasons(facts, promiseReports)
  const found = (['broken', 'warned'] as const).flatMap((of) =>
    promiseReports.flatMap(({ outcome, findings }) => (outcome === of ? findings : [])),
  )
  const causes = groupByCause(found, (operation) =>
    answersIn(run).some((answers) => answers.operation === operation && answers.successes > 0),
  )
  const withCause = (finding: Finding): CausedFinding => {
    const at = causes.findIndex(({ findings }) => findings.includes(finding))
    return at === -1 ? finding : { ...finding, cause: at + 1 }
  }
  const { verdict, exitCode } = bySeverity.find(({ exitCode }) => reasons[exitCode].length > 0) ?? conformant
  return {
    verdict,
    exitCode,
    reasons: bySeverity.flatMap(({ exitCode }) => reasons[exitCode]),
    limits: [...(facts.isStory ? [] : limitsOf(promiseReports)), ...doubts],
    target: { origin: target.origin, upTo: target.upTo },
    startedAt: startedAt.toISOString(),
    seconds: (endedAt.getTime() - startedAt.getTime()) / 1000,
    promises: promiseReports.map((one) => ({ ...one, findings: one.findings.map(withCause) })),
    causes: causes.map(({ cause }) => cause),
    observed: group(
      exchangesIn(run).flatMap(({ observed }) =>
        observed.map(({ assumption, choice }) => [assumption, choice] as const),
      ),
    ).map(([assumption, choices]) => ({ assumption, choices })),
    unlisted: group(
      answersIn(run).flatMap(({ operation, unlisted }) => unlisted.map((field) => [operation, field] as const)),
    ).map(([operation, fields]) => ({ operation, fields })),
    residue,
    stays: describeStays(stays),
  }
}

const conformant = { exitCode: 0, verdict: 'conformant' } as const
const bySeverity = [
  { exitCode: 2, verdict: 'harness failed' },
  { exitCode: 1, verdict: 'broken' },
  { exitCode: 4, verdict: 'residue left' },
  { exitCode: 3, verdict: 'inconclusive' },
] as const

const sentenceIf = (applies: boolean, sentence: string): string[] => (applies ? [sentence] : [])

function findReasons(facts: JudgedRun, reports: readonly PromiseReport[]): Record<1 | 2 | 3 | 4, string[]> {
  const { run, residue, known, target, endedAt, interrupted = false, strict = false, isStory = false } = facts
  const { reason: stop, unreachable = false } = exchangesIn(run).find(({ stopped }) => stopped)?.stopped ?? {}
  const of = (outcome: PromiseReport['outcome']) => reports.filter((one) => one.outcome === outcome)
  const [failed, broken, warned, skipped] = [of('failed'), of('broken'), of('warned'), of('skipped')]
  const unseen = isStory ? [] : operationsWithoutResponse(facts)
  const isEnded = stop !== undefined && !unreachable && !interrupted
  return {
    2: [
      ...run.problems,
      ...failed.map(({ id, reason = '' }) => `The check of ${id} went wrong: ${reason}`),
      ...sentenceIf(unreachable, `${stop}.`),
    ],
    1: [
      ...sentenceIf(broken.length > 0, `${pluralize(broken.length, 'promise')} broken: ${idsOf(broken)}.`),
      ...sentenceIf(
        strict && warned.length > 0,
        `${pluralize(warned.length, 'warning')}, which --strict does not allow: ${idsOf(warned)}.`,
      ),
      ...staleDeviations(known, reports, endedAt),
    ],
    4: sentenceIf(residue.length > 0, `${pluralize(residue.length, 'record')} may be left on ${target.host}.`),
    3: [
      ...sentenceIf(interrupted, 'The run was interrupted.'),
      ...sentenceIf(isEnded, `${stop}.`),
      ...sentenceIf(
        strict && skipped.length > 0,
        `${pluralize(skipped.length, 'promise')} skipped, which --strict does not allow.`,
      ),
      ...sentenceIf(
        unseen.length > 0,
        `The run got no promised response from ${pluralize(unseen.length, 'operation')}: ${firstOf(unseen)}.`,
      ),
      ...unjudgedIn(reports, run),
    ],
  }
}

const idsOf = (reports: readonly { readonly id: string }[]) => firstOf(reports.map(({ id }) => id))

/** The first names of a long list. */
export function firstOf(names: readonly string[], most = 5): string {
  const others = names.length - most
  return [...names.slice(0, most), ...(others > 0 ? [`${others} more`] : [])].join(', ')
}

function staleDeviations(known: readonly KnownDeviation[], reports: readonly PromiseReport[], now: Date): string[] {
  return known.flatMap(({ promise, expires }) => {
    const isFollowed = reports.some(({ id, outcome }) => id === promise && outcome === 'kept')
    if (isFollowed) return [`The known deviation from ${promise} no longer occurs: take it off the list.`]
    return isExpired(expires, now) ? [`The known deviation from ${promise} expired on ${expires}.`] : []
  })
}

const isExpired = (expires: string, now: Date) => now.toISOString().slice(0, 10) > expires

type Judgment = Pick<CheckResult, 'outcome' | 'reason'>

/** A promise without a check that no exchange showed. */
function unexercised({ operations: about }: PromiseEntry, { run, target }: JudgedRun): Judgment {
  const asked = answersIn(run).filter(({ operation }) => about === 'all' || about.includes(operation))
  if (asked.length === 0) return { outcome: 'skipped', reason: 'The run sent no request that it is about.' }
  if (run.situations.length > 0 && target.loopback) {
    const isRefused = asked.every(({ successes }) => successes === 0)
    const shown = 'No response of the run showed whether it is kept.'
    return { outcome: 'inconclusive', reason: isRefused ? 'Every request that it is about was refused.' : shown }
  }
  return { outcome: 'skipped', reason: 'Only the stories show it: --situations pairs.' }
}

function reportPromise(entry: PromiseEntry, facts: JudgedRun): PromiseReport {
  const { run, known, endedAt } = facts
  const { id, words, group, section, operations: about, strength } = entry
  const result = run.results.find(({ promise }) => promise === id)
  const all = exchangesIn(run)
    .flatMap(({ faults }) => faults)
    .filter(({ promise }) => promise === id)
  if (result?.finding) all.unshift(result.finding)
  // Several checks may have the same finding about an operation. The report shows the shortest story.
  all.sort((one, other) => (one.story?.length ?? 0) - (other.story?.length ?? 0))
  const nameOf = ({ operation, field, expected }: Finding) =>
    `${operation ?? ''} ${field ?? expected.replaceAll(anyId, '')}`
  const findings = all.filter((one, index) => all.findIndex((other) => nameOf(other) === nameOf(one)) === index)
  const found = strength === 'usual' ? 'warned' : 'broken'
  const exchanges = exchangesIn(run)
    .flatMap(({ exercised }) => exercised)
    .reduce((sum, { promise, count }) => sum + (promise === id ? count : 0), 0)
  const { outcome: checked, reason: undecidedBecause }: Judgment =
    result ?? (exchanges > 0 ? { outcome: 'kept' } : unexercised(entry, facts))
  // An exchange of another check may decide a promise that its own check could not.
  const undecided = checked === 'inconclusive' && exchanges > 0 ? 'kept' : checked
  const outcome = findings.length > 0 ? found : undecided
  const deviation = known.find(({ promise, expires }) => promise === id && !isExpired(expires, endedAt))
  const isKnown = (outcome === 'broken' || outcome === 'warned') && deviation !== undefined
  const reason = isKnown ? deviation.reason : undecidedBecause
  return {
    id,
    words,
    group,
    section,
    operations: about === 'all' ? (Object.keys(operations) as OperationId[]) : about,
    outcome: isKnown ? 'known' : outcome,
    ...(reason === undefined ? {} : { reason }),
    findings,
    exchanges,
    seconds: result?.seconds ?? 0,
  }
}

const anyId = /[0-9a-f-]{20,}/gi

/** The operations within the reach and the selection that never answered as promised. */
function operationsWithoutResponse({ run, target, selection }: JudgedRun): OperationId[] {
  const about = promises.filter((entry) => isSelected(entry, selection)).flatMap((entry) => entry.operations)
  const isNarrowed = selection.only.length + selection.operations.length + (selection.exclude?.length ?? 0) > 0
  const hasResponse = (id: OperationId) =>
    answersIn(run).some(
      ({ operation, successes, refusals }) =>
        operation === id && (successes > 0 || (refusals > 0 && !canCreateItsRecord(id, target))),
    )
  return Object.values(operations)
    .filter(({ id, effect }) => isWithin(effect, target.upTo) && (!isNarrowed || about.includes(id)))
    .flatMap(({ id }) => (hasResponse(id) ? [] : [id]))
}

/** Whether a run may create the record in the path. Without one, every answer is 404. */
function canCreateItsRecord(id: OperationId, { upTo }: Target): boolean {
  const [, name] = /\{(\w+)Id\}/.exec(operations[id].path) ?? []
  const kind = name === 'conversation' ? 'contact' : kindNames.find((known) => known === name)
  return kind === undefined || isWithin(operations[kinds[kind].createdBy].effect, upTo)
}

const exchangesIn = ({ results, situations }: Run): readonly Exchanges[] => [...results, ...situations]

const answersIn = (run: Run) => exchangesIn(run).flatMap(({ answers }) => answers)

/** The distinct texts for each name. */
function group<Name>(pairs: readonly (readonly [Name, string])[]): (readonly [Name, readonly string[]])[] {
  const names = [...new Set(pairs.map(([name]) => name))]
  return names.map((name) => [name, [...new Set(pairs.flatMap(([of, text]) => (of === name ? [text] : [])))]])
}

type Judged = Pick<PromiseReport, 'id' | 'outcome' | 'reason'>

/** Sentences about missing verdicts without which no server counts as conformant. */
function unjudgedIn(reports: readonly Judged[], { results }: Run): string[] {
  const chosen = results.filter(({ skipped = '' }) => chosenByOperator.includes(skipped)).map(({ promise }) => promise)
  const hasVerdict = ({ outcome }: Judged) => !['skipped', 'inconclusive', 'failed'].includes(outcome)
  const unclear = reports.filter(
    ({ id, outcome }) =>
      isolation.includes(id) && (outcome === 'inconclusive' || (outcome === 'skipped' && !chosen.includes(id))),
  )
  const tried = reports.filter(({ outcome }) => outcome !== 'skipped')
  const undecided = tried.filter(({ outcome }) => outcome === 'inconclusive')
  const isTooMuch = undecided.length > mostUndecided * tried.length
  return [
    ...sentenceIf(!reports.some(hasVerdict), 'Nothing was judged: every check was skipped or inconclusive.'),
    ...sentenceIf(
      isTooMuch && reports.some(hasVerdict),
      `${undecided.length} of ${tried.length} promises could not be decided, so the run says too little.`,
    ),
    ...sentenceIf(unclear.length > 0, `It could not be judged whether teams are kept apart: ${idsOf(unclear)}.`),
  ]
}

/** The share of the tried promises that may stay undecided. */
const mostUndecided = 0.1

/** The limits of a run and a credential that it lacks are a choice of the operator. */
const chosenByOperator: readonly string[] = ['limits', 'credential'] satisfies NotSentBecause[]

/** Sentences about promises that the operator left out, so that the verdict does not cover them. */
function limitsOf(reports: readonly Judged[]): string[] {
  const skipped = reports.filter(({ id, outcome }) => isolation.includes(id) && outcome === 'skipped')
  const reasons = [...new Set(skipped.map(({ reason = '' }) => reason))].join('; ')
  const apart = `Not judged is whether teams are kept apart in all ways: ${idsOf(skipped)} (${reasons}).`
  const selected = `Only ${reports.length} of ${promises.length} promises were selected.`
  return [...sentenceIf(reports.length < promises.length, selected), ...sentenceIf(skipped.length > 0, apart)]
}

/**
 * Redacts every text that a server may have written, and then shortens it. In the other order a part of a secret could
 * remain at the end of a text, where no pattern matches it.
 */
export function redactAll<Value>(value: Value, redact: (text: string) => string, name = ''): Value {
  if (ours.has(name)) return value
  if (typeof value === 'string') return (whole.has(name) ? redact(value) : cut(redact(oneLine(value)))) as Value
  if (Array.isArray(value)) return value.map((one: unknown) => redactAll(one, redact, name)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, redactAll(one, redact, name === 'input' ? name : key)]),
  ) as Value
}

const ours = new Set(
  'verdict origin upTo startedAt id promise words group section operation operations outcome assumption'.split(' '),
)

/** Commands for a shell, what can be sent again, and sentences that contain shortened texts. */
const whole = new Set(['line', 'input', 'reasons', 'limits'])

const cut = (text: string, length = 1000) => (text.length > length ? `${text.slice(0, length)}…` : text)
