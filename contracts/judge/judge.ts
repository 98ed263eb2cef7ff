import { expect } from 'vitest'
import type { PromiseEntry } from '../../spec/promises.ts'
import type { Client } from '../../client/client.ts'
import { Broken, type CheckResult, type Finding, Inconclusive, type Outcome, Skipped } from './outcome.ts'
import { Seen } from './check-log.ts'

interface Judged {
  readonly result: CheckResult
  /** What the test ends with, when the promise does not hold or the check went wrong. */
  readonly error?: Error
}

/** Carries out a check, and says what became of its promise. */
export async function judged(
  promised: PromiseEntry,
  client: Client,
  check: (count: () => void) => Promise<void>,
): Promise<Judged> {
  const startedAt = performance.now()
  const seen = (client.seen = new Seen())
  const asserted = expect.getState().assertionCalls
  let judgements = 0
  const ended = await endOf(() => check(() => judgements++))
  const { faults, ...rest } = seen.all()
  const own = faults.find(({ promise }) => promise === promised.id)
  const silent = ended === undefined && judgements + expect.getState().assertionCalls === asserted
  const verdict = own ? notKept(promised, own) : silent ? judgesNothing : verdictOf(promised, ended, seen, faults)
  const seconds = (performance.now() - startedAt) / 1000
  const { error, ...told } = verdict
  const stopped = client.stopped ? { stopped: client.stopped } : {}
  return {
    result: { promise: promised.id, ...told, faults, ...rest, seconds, ...stopped },
    ...(error === undefined ? {} : { error }),
  }
}

type Verdict = Pick<CheckResult, 'outcome' | 'reason' | 'finding'> & { readonly error?: Error }

const judgesNothing: Verdict = {
  outcome: 'failed',
  reason: 'the check judges nothing',
  error: new Error('the check judges nothing'),
}

async function endOf(check: () => Promise<void>): Promise<Error | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function verdictOf(promised: PromiseEntry, ended: Error | undefined, seen: Seen, faults: readonly Finding[]): Verdict {
  if (ended === undefined) return { outcome: 'kept' }
  if (ended instanceof Skipped) return { outcome: 'skipped', reason: ended.message }
  if (ended instanceof Inconclusive) return { outcome: 'inconclusive', reason: ended.message }
  if (ended instanceof Broken) return notKept(promised, seen.finding(promised.id, ended.expected, ended.actual))
  if (isAssertion(ended)) return notKept(promised, findingOf(promised, ended, seen))
  const [fault] = faults
  // Who reads what is not there stumbles, and the fault says over what.
  if (fault) return { outcome: 'inconclusive', reason: `an answer was not as documented, see ${fault.promise}` }
  return { outcome: 'failed', reason: ended.stack ?? ended.message, error: ended }
}

function notKept({ strength }: PromiseEntry, finding: Finding): Verdict {
  const { expected, actual } = finding
  if (strength === 'usual') return { outcome: 'warned' satisfies Outcome, finding }
  return { outcome: 'broken', finding, error: new Broken(expected, actual) }
}

/** Of vitest; what it expected and got is not always there. */
interface Assertion extends Error {
  readonly expected?: unknown
  readonly actual?: unknown
}

function isAssertion(error: Error): error is Assertion {
  return error.name === 'AssertionError'
}

function findingOf({ id }: PromiseEntry, { expected, actual, message }: Assertion, seen: Seen): Finding {
  return expected === undefined && actual === undefined
    ? seen.finding(id, 'what the promise says', message)
    : seen.finding(id, inShort(expected), inShort(actual))
}

function inShort(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, matchersInWords) as string | undefined)
  return text === undefined ? String(value) : text.length > 400 ? `${text.slice(0, 400)}…` : text
}

/** `expect.any(String)` and its like print as themselves, and so does a pattern. */
function matchersInWords(_: string, value: unknown): unknown {
  return value instanceof RegExp || isMatcher(value) ? value.toString() : value
}

function isMatcher(value: unknown): value is { toString: () => string } {
  return typeof value === 'object' && value !== null && '$$typeof' in value
}
