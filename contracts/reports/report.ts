import type { AssumptionName } from '../../spec/assumptions.ts'
import { type Effect, operations } from '../../spec/operations.ts'
import { promises, type PromiseEntry, type PromiseGroup, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Residue } from '../../client/ledger/clean.ts'
import type { KnownDeviation } from '../known-deviations.ts'
import type { CheckResult, Finding, Outcome, Stopped } from '../judge/outcome.ts'
import type { Run } from '../run.ts'
import { type Chosen, isChosen } from '../selection.ts'
import { isWithin, type Target } from '../../client/target/target.ts'

/** All that a run has to tell, as plain data. */
export interface Report {
  readonly verdict: Verdict
  readonly exitCode: ExitCode
  /** In sentences, the worst first. */
  readonly reasons: readonly string[]
  readonly target: { readonly origin: string; readonly upTo: Effect }
  readonly startedAt: string
  readonly seconds: number
  readonly promises: readonly PromiseReport[]
  readonly operations: readonly OperationReport[]
  readonly observed: readonly { readonly assumption: AssumptionName; readonly choices: readonly string[] }[]
  /** Fields of answers that are not documented. */
  readonly unlisted: readonly { readonly operation: OperationId; readonly fields: readonly string[] }[]
  readonly residue: readonly Residue[]
}

export type Verdict = 'conformant' | 'broken' | 'harness failed' | 'inconclusive' | 'residue left'
export type ExitCode = 0 | 1 | 2 | 3 | 4

export interface PromiseReport {
  readonly id: PromiseId
  readonly words: string
  readonly group: PromiseGroup
  readonly section: string
  readonly operations: readonly OperationId[]
  /** `known`: broken, and let pass. */
  readonly outcome: Outcome | 'known'
  readonly reason?: string
  readonly findings: readonly Finding[]
  readonly seconds: number
}

export interface OperationReport {
  readonly id: OperationId
  readonly group: string
  readonly effect: Effect
  /** Whether the run had to see it succeed. */
  readonly needed: boolean
  readonly answered: boolean
  readonly successes: number
  readonly refusals: number
}

export interface Facts {
  readonly target: Target
  readonly chosen: Chosen
  readonly run: Run
  readonly residue: readonly Residue[]
  readonly known: readonly KnownDeviation[]
  readonly startedAt: Date
  readonly endedAt: Date
  readonly interrupted?: boolean
}

export function reportOf(facts: Facts): Report {
  const { target, run, residue, startedAt, endedAt } = facts
  const told = promises.filter((entry) => isTold(entry, facts)).map((entry) => promiseReport(entry, facts))
  const ran = operationReports(facts)
  const reasons = reasonsOf(facts, told, ran)
  const { verdict, exitCode } = worst.find(({ exitCode }) => reasons[exitCode].length > 0) ?? conformant
  return {
    verdict,
    exitCode,
    reasons: worst.flatMap(({ exitCode }) => reasons[exitCode]),
    target: { origin: target.origin, upTo: target.upTo },
    startedAt: startedAt.toISOString(),
    seconds: (endedAt.getTime() - startedAt.getTime()) / 1000,
    promises: told,
    operations: ran,
    observed: observedIn(run.results),
    unlisted: unlistedIn(run.results),
    residue,
  }
}

/** A promise that was chosen, and any that was seen to be broken on the way. */
function isTold(entry: PromiseEntry, { chosen, run }: Facts): boolean {
  return isChosen(entry, chosen) || run.results.some(({ faults }) => faults.some(({ promise }) => promise === entry.id))
}

const conformant = { exitCode: 0, verdict: 'conformant' } as const
const worst = [
  { exitCode: 2, verdict: 'harness failed' },
  { exitCode: 1, verdict: 'broken' },
  { exitCode: 4, verdict: 'residue left' },
  { exitCode: 3, verdict: 'inconclusive' },
] as const

function reasonsOf(
  { run, residue, known, target, endedAt, interrupted = false }: Facts,
  told: readonly PromiseReport[],
  ran: readonly OperationReport[],
): Record<1 | 2 | 3 | 4, string[]> {
  const stopped = run.results.find(({ stopped }) => stopped)?.stopped
  const failed = told.filter(({ outcome }) => outcome === 'failed')
  const broken = told.filter(({ outcome }) => outcome === 'broken')
  const unseen = ran.filter(({ needed, answered }) => needed && !answered).map(({ id }) => id)
  return {
    2: [
      ...run.problems,
      ...failed.map(({ id, reason = '' }) => `The check of ${id} went wrong: ${reason}`),
      ...(stopped?.unreachable ? [`${stopped.reason}.`] : []),
    ],
    1: [
      ...(broken.length > 0
        ? [`${counted(broken.length, 'promise')} broken: ${broken.map(({ id }) => id).join(', ')}.`]
        : []),
      ...staleDeviations(known, told, endedAt),
    ],
    4: residue.length > 0 ? [`${counted(residue.length, 'record')} may be left on ${target.host}.`] : [],
    3: [
      ...(interrupted ? ['The run was interrupted.'] : []),
      ...(stopped && !stopped.unreachable && !interrupted ? [`${stopped.reason}.`] : []),
      ...(unseen.length > 0
        ? [`${counted(unseen.length, 'operation')} never answered as promised: ${unseen.join(', ')}.`]
        : []),
    ],
  }
}

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function staleDeviations(known: readonly KnownDeviation[], told: readonly PromiseReport[], now: Date): string[] {
  return known.flatMap(({ promise, expires }) => {
    const kept = told.some(({ id, outcome }) => id === promise && outcome === 'kept')
    if (kept) return [`The known deviation from ${promise} no longer occurs: take it off the list.`]
    return isExpired(expires, now) ? [`The known deviation from ${promise} expired on ${expires}.`] : []
  })
}

const isExpired = (expires: string, now: Date) => now.toISOString().slice(0, 10) > expires

function promiseReport(entry: PromiseEntry, { run, known, endedAt }: Facts): PromiseReport {
  const { id, words, group, section, operations: about } = entry
  const result = run.results.find(({ promise }) => promise === id)
  const elsewhere = run.results.flatMap(({ faults }) => faults).filter(({ promise }) => promise === id)
  const findings = unlike([...(result?.finding ? [result.finding] : []), ...elsewhere])
  const outcome = outcomeOf(entry, result, findings)
  const deviation = known.find(({ promise, expires }) => promise === id && !isExpired(expires, endedAt))
  const isKnown = outcome === 'broken' && deviation !== undefined
  const reason = isKnown ? deviation.reason : (result?.reason ?? (result ? undefined : 'no check of it ran'))
  return {
    id,
    words,
    group,
    section,
    operations: about === 'all' ? (Object.keys(operations) as OperationId[]) : about,
    outcome: isKnown ? 'known' : outcome,
    ...(reason === undefined ? {} : { reason }),
    findings,
    seconds: result?.seconds ?? 0,
  }
}

/** What its own check found, unless an answer to another check broke it. */
function outcomeOf({ strength }: PromiseEntry, result: CheckResult | undefined, findings: readonly Finding[]): Outcome {
  if (findings.length > 0) return strength === 'usual' ? 'warned' : 'broken'
  return result?.outcome ?? 'inconclusive'
}

/** One of each; the same thing met in many checks is told once for each operation. */
function unlike(findings: readonly Finding[]): readonly Finding[] {
  const byKind = new Map<string, Finding>()
  for (const finding of findings) {
    const name = `${finding.operation ?? ''} ${finding.expected}`
    if (!byKind.has(name)) byKind.set(name, finding)
  }
  return [...byKind.values()]
}

function operationReports({ run, target, chosen }: Facts): readonly OperationReport[] {
  const answers = run.results.flatMap(({ answers }) => answers)
  const needed = new Set(promises.filter((entry) => isChosen(entry, chosen)).flatMap((entry) => entry.operations))
  const isNarrowed = chosen.only.length + chosen.operations.length > 0
  return Object.values(operations).map(({ id, group, effect }) => {
    const own = answers.filter(({ operation }) => operation === id)
    const successes = own.reduce((sum, one) => sum + one.successes, 0)
    const refusals = own.reduce((sum, one) => sum + one.refusals, 0)
    return {
      id,
      group,
      effect,
      needed: isWithin(effect, target.upTo) && (!isNarrowed || needed.has(id)),
      // Who may only read has nothing to find, unless it was there before.
      answered: successes > 0 || (target.upTo === 'read' && refusals > 0),
      successes,
      refusals,
    }
  })
}

function observedIn(results: readonly CheckResult[]): Report['observed'] {
  const all = results.flatMap(({ observed }) => observed)
  const names = [...new Set(all.map(({ assumption }) => assumption))]
  return names.map((assumption) => ({
    assumption,
    choices: [...new Set(all.filter((one) => one.assumption === assumption).map(({ choice }) => choice))],
  }))
}

function unlistedIn(results: readonly CheckResult[]): Report['unlisted'] {
  const all = results.flatMap(({ answers }) => answers).filter(({ unlisted }) => unlisted.length > 0)
  const ids = [...new Set(all.map(({ operation }) => operation))]
  return ids.map((operation) => ({
    operation,
    fields: [...new Set(all.filter((one) => one.operation === operation).flatMap(({ unlisted }) => unlisted))],
  }))
}

/** A report without anything that must not be read in it. */
export function redacted<Value>(value: Value, redact: (text: string) => string): Value {
  if (typeof value === 'string') return redact(value) as Value
  if (Array.isArray(value)) return value.map((one: unknown) => redacted(one, redact)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redacted(one, redact)])) as Value
}

export type { Stopped }
