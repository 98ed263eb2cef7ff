import { expect } from 'vitest'
import type { Client } from '../../client/client.ts'
import { NotAllowed, StepFailed } from '../../client/errors.ts'
import type { PromiseEntry } from '../../spec/promises.ts'
import type { CheckLog } from './check-log.ts'
import type { Excuses } from './excuses.ts'
import { isAboutLoad } from './faults-of-an-answer.ts'
import { keep } from './keep.ts'
import { Broken, type CheckResult, type Finding } from './outcome.ts'
import type { Watch } from './watch.ts'

export interface Judgement {
  readonly result: CheckResult
  /** What the test fails with, when the promise does not hold or the check went wrong. */
  readonly error?: Error
  /** It is inconclusive because of what the run made up, or of the load. */
  readonly isExcused: boolean
}

interface Parts {
  readonly client: Pick<Client, 'stopped'>
  readonly watch: Watch
  /** Tells when a refusal is about what the run made up. */
  readonly excuses?: Pick<Excuses, 'excuse'>
}

/** Runs a check, and decides what became of its promise. */
export async function judge(
  requirement: PromiseEntry,
  { client, watch, excuses }: Parts,
  check: (countAssertion: () => void) => Promise<void>,
): Promise<Judgement> {
  const startedAt = performance.now()
  const log = watch.startLog()
  const countBefore = expect.getState().assertionCalls
  let count = 0
  const failure = await failureOf(() => check(() => count++))
  const { faults, ...rest } = log.summary()
  const own = faults.find(({ promise }) => promise === requirement.id)
  const assertsNothing = failure === undefined && count + expect.getState().assertionCalls === countBefore
  const first = own
    ? notKept(requirement, own)
    : assertsNothing
      ? withoutAssertion
      : verdictOn(requirement, failure, log, faults)
  const excused = own ? undefined : await excuseOf(first, log, excuses)
  const { error, ...verdict } = excused ?? first
  const seconds = (performance.now() - startedAt) / 1000
  const stopped = client.stopped ? { stopped: client.stopped } : {}
  return {
    result: { promise: requirement.id, ...verdict, faults, ...rest, seconds, ...stopped },
    ...(error === undefined ? {} : { error }),
    isExcused: excused !== undefined,
  }
}

/** A refusal says nothing about the promise when it is about load, or about what the run made up. */
async function excuseOf(
  { outcome }: Verdict,
  { lastStatus = 0, lastRequest }: CheckLog,
  excuses: Parts['excuses'],
): Promise<Verdict | undefined> {
  if (outcome === 'kept' || outcome === 'skipped' || lastStatus < 400) return undefined
  if (isAboutLoad(lastStatus))
    return { outcome: 'inconclusive', reason: `the server was too busy, or the request too large (${lastStatus})` }
  if (lastStatus !== 400 && lastStatus !== 404) return undefined
  const reason = await excuses?.excuse(lastRequest)
  return reason === undefined ? undefined : { outcome: 'inconclusive', reason }
}

type Verdict = Pick<CheckResult, 'outcome' | 'reason' | 'finding'> & { readonly error?: Error }

const withoutAssertion: Verdict = {
  outcome: 'failed',
  reason: 'the check asserts nothing',
  error: new Error('the check asserts nothing'),
}

async function failureOf(check: () => Promise<void>): Promise<Error | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function verdictOn(
  requirement: PromiseEntry,
  failure: Error | undefined,
  log: CheckLog,
  faults: readonly Finding[],
): Verdict {
  if (failure === undefined) return { outcome: 'kept' }
  if (failure instanceof NotAllowed) return { outcome: 'skipped', reason: failure.message }
  if (failure instanceof StepFailed) return { outcome: 'inconclusive', reason: failure.message }
  if (failure instanceof Broken)
    return notKept(requirement, log.finding(requirement.id, failure.expected, failure.actual))
  if (isAssertion(failure)) return notKept(requirement, findingOf(requirement, failure, log))
  const [fault] = faults
  // A check that reads a missing field fails with a TypeError, and the fault says which field it was.
  if (fault) return { outcome: 'inconclusive', reason: `an answer was not as documented, see ${fault.promise}` }
  return { outcome: 'failed', reason: failure.stack ?? failure.message, error: failure }
}

function notKept({ strength }: PromiseEntry, finding: Finding): Verdict {
  const { expected, actual } = finding
  if (strength === 'usual') return { outcome: 'warned', finding }
  return { outcome: 'broken', finding, error: new Broken(expected, actual) }
}

/** An error of vitest; it does not always say what it expected and got. */
interface Assertion extends Error {
  readonly expected?: unknown
  readonly actual?: unknown
}

function isAssertion(error: Error): error is Assertion {
  return error.name === 'AssertionError' || 'matcherResult' in error || 'actual' in error // those of expect.extend
}

function findingOf({ id }: PromiseEntry, { expected, actual, message }: Assertion, log: CheckLog): Finding {
  // Of `not.toContain` an assertion says what it looked in, and not what it found there.
  return expected === undefined
    ? log.finding(id, 'what the promise says', message)
    : log.finding(id, inShort(expected), inShort(actual))
}

function inShort(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, matcherToText) as string | undefined)
  return text === undefined ? String(value) : keep(text)
}

/** Prints patterns, and matchers such as `expect.any(String)`, which JSON would show as empty objects. */
function matcherToText(_: string, value: unknown): unknown {
  return value instanceof RegExp || isMatcher(value) ? value.toString() : value
}

function isMatcher(value: unknown): value is { toString: () => string } {
  return typeof value === 'object' && value !== null && '$$typeof' in value
}
