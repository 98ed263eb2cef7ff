import { expect } from 'vitest'
import type { Client } from '../client/client.ts'
import { ConnectionLost, NotAllowed, StepFailed, TooBusy } from '../client/errors.ts'
import type { PromiseEntry } from '../../spec/promises.ts'
import type { CheckLog } from './check-log.ts'
import { isAboutLoad } from './laws/document.ts'
import { BrokenPromise, type CheckResult, type Finding } from './outcome.ts'

export interface Judgement {
  readonly result: CheckResult
  /** The error of the test, when the promise does not hold or the check went wrong. */
  readonly error?: Error
  /** The server was too busy, or refused a value that the run made up. */
  readonly isExcused: boolean
  /** A gateway, or a lost connection, ended the check before its end. */
  readonly isCut: boolean
}

interface Parts {
  readonly client: Pick<Client, 'stopped'>
  readonly log: CheckLog
  /** Finds the made-up value for which the server refused a request. */
  readonly findExcuse?: (request: string) => Promise<string | undefined>
}

type CheckVerdict = Pick<CheckResult, 'outcome' | 'reason' | 'skipped' | 'finding'> & { readonly error?: Error }

/** Runs a check and decides whether its promise is kept. */
export async function judgeCheck(
  requirement: PromiseEntry,
  { client, log, findExcuse }: Parts,
  check: (countAssertion: () => void) => Promise<void>,
): Promise<Judgement> {
  const startedAt = performance.now()
  const countBefore = expect.getState().assertionCalls
  let count = 0
  const failure = await failureOf(() => check(() => count++))
  const summary = log.summary()
  const own = summary.faults.find(({ promise }) => promise === requirement.id)
  const assertsNothing = count + expect.getState().assertionCalls === countBefore
  const first = own
    ? verdictOnFailure(requirement, own)
    : failure
      ? verdictOn(requirement, failure, log)
      : assertsNothing
        ? withoutAssertion
        : ({ outcome: 'kept' } satisfies CheckVerdict)
  const excuse = own || isFinal(first) ? undefined : await excuseFor(log, findExcuse)
  const { error, ...verdict } =
    excuse === undefined ? first : ({ outcome: 'inconclusive', reason: excuse } as CheckVerdict)
  const seconds = (performance.now() - startedAt) / 1000
  const stopped = client.stopped ? { stopped: client.stopped } : {}
  return {
    result: { promise: requirement.id, ...verdict, ...summary, seconds, ...stopped },
    ...(error === undefined ? {} : { error }),
    isExcused: excuse !== undefined,
    isCut: !own && (failure instanceof TooBusy || failure instanceof ConnectionLost),
  }
}

const isFinal = ({ outcome }: CheckVerdict) => outcome === 'kept' || outcome === 'skipped'

/** A refusal is no verdict on the promise when its reason is load or a made-up value. */
async function excuseFor(
  { lastStatus = 0, lastRequest }: CheckLog,
  findExcuse: Parts['findExcuse'],
): Promise<string | undefined> {
  if (isAboutLoad(lastStatus)) return `the server was too busy, or the request too large (${lastStatus})`
  return lastStatus === 400 || lastStatus === 404 ? findExcuse?.(lastRequest) : undefined
}

const withoutAssertion: CheckVerdict = {
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

function verdictOn(requirement: PromiseEntry, failure: Error, log: CheckLog): CheckVerdict {
  if (failure instanceof NotAllowed) return { outcome: 'skipped', reason: failure.message, skipped: failure.because }
  if (failure instanceof StepFailed) return { outcome: 'inconclusive', reason: failure.message }
  if (failure instanceof BrokenPromise)
    return verdictOnFailure(requirement, log.finding(requirement.id, failure.expected, failure.actual))
  if (isAssertion(failure)) return verdictOnFailure(requirement, findingOf(requirement, failure, log))
  // A check that reads a missing field fails with a TypeError, and the fault names the field.
  const [fault] = log.summary().faults
  if (fault) return { outcome: 'inconclusive', reason: `a response was not as documented, see ${fault.promise}` }
  return { outcome: 'failed', reason: failure.stack ?? failure.message, error: failure }
}

function verdictOnFailure({ strength }: PromiseEntry, finding: Finding): CheckVerdict {
  const { expected, actual } = finding
  if (strength === 'usual') return { outcome: 'warned', finding }
  return { outcome: 'broken', finding, error: new BrokenPromise(expected, actual) }
}

/** An error of vitest. Some of them lack `expected` and `actual`. */
interface Assertion extends Error {
  /** Of chai, such as `notStrictEqual` for `not.toBe`. */
  readonly operator?: string
  readonly expected?: unknown
  readonly actual?: unknown
}

/** Errors from `expect.extend` have another name. */
const isAssertion = (error: Error): error is Assertion =>
  error.name === 'AssertionError' || 'matcherResult' in error || 'actual' in error

const findingOf = ({ id }: PromiseEntry, assertion: Assertion, log: CheckLog): Finding =>
  log.finding(id, ...expectationOf(assertion))

/** The expected and the actual value, in words. */
function expectationOf({ expected, actual, operator = '', message }: Assertion): [expected: string, actual: string] {
  if (expected === undefined) return ['what the promise says', message]
  return [operator.startsWith('not') ? `not ${asText(expected)}` : asText(expected), asText(actual)]
}

// An error of the `toContain` of vitest has the item only within its message.
expect.extend({
  toContain(searched: string | Iterable<unknown>, item: string) {
    const all = typeof searched === 'string' ? searched : [...searched]
    const expected = typeof all === 'string' ? item : all.map(asText).join(', ')
    const [one, none] = typeof all === 'string' ? ['', 'not '] : ['one of ', 'none of ']
    return {
      pass: all.includes(item),
      message: () => `expected ${asText(all)} ${this.isNot ? 'not to contain' : 'to contain'} ${asText(item)}`,
      expected: `${this.isNot ? none : one}${expected}`,
      actual: typeof all === 'string' ? all : item,
    }
  },
})

function asText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, matcherToText) as string | undefined)
  return text ?? String(value)
}

/** JSON would show patterns, and matchers such as `expect.any(String)`, as empty objects. */
const matcherToText = (_: string, value: unknown): unknown =>
  value instanceof RegExp || (typeof value === 'object' && value !== null && '$$typeof' in value)
    ? (value as { toString: () => string }).toString()
    : value
