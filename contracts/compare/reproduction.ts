import { assumption } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { operations } from '../../spec/operations.ts'
import { type Difference, ignoredAs, isField } from './difference.ts'
import type { ExplainedDifference } from './search.ts'
import { withNames } from '../judge/steps.ts'
import type { Done, Trace } from './side.ts'
import type { Steps } from '../client/steps.ts'

export interface ReportOptions {
  readonly choices: WrittenChoices
  readonly redact: (text: string) => string
}

/** A difference in words. */
export interface DifferenceReport {
  /** The operation with different responses. */
  readonly operation: string
  readonly requests: readonly { readonly request: string; readonly server: string; readonly sandbox: string }[]
  /** Where the last answers differ. */
  readonly places: readonly { readonly path: string; readonly server: string; readonly sandbox: string }[]
  /** The number of responses that had it, by operation. */
  readonly seen: Readonly<Record<string, number>>
  readonly curl: readonly string[]
  /** The promises that the last response of the server breaks. */
  readonly breaks: readonly string[]
  /** The choices with which the sandbox does the same as the server. */
  readonly explainedBy: readonly { readonly name: string; readonly choice: string; readonly instead: string }[]
  /** The names of fields to ignore, if no entry explains the difference and a field can. */
  readonly ignore: readonly string[]
}

export function reportDifference(found: ExplainedDifference, { choices, redact }: ReportOptions): DifferenceReport {
  const { story: steps, difference, seen, server, sandbox, explanations } = found
  const places = difference.places.map(({ path, ...place }) => {
    const [server, sandbox] = [redact(inWords(place.server)), redact(inWords(place.sandbox))]
    const from = firstShown(server, sandbox)
    return { path, server: shorten(server, from), sandbox: shorten(sandbox, from) }
  })
  return {
    operation: difference.operation,
    requests: steps.map(({ n, operation }) => ({
      request: `${operations[operation].method.toUpperCase()} ${operations[operation].path}`,
      server: statusOf(server.get(n)),
      sandbox: statusOf(sandbox.get(n)),
    })),
    places,
    seen: Object.fromEntries(seen),
    breaks: server.get(difference.n)?.broken ?? [],
    curl: linesOf(steps, server).map(redact),
    explainedBy: explanations.map(({ name, written }) => ({
      name,
      choice: written,
      instead: choices[name] ?? assumption(name).assumed,
    })),
    ignore: explanations.length === 0 ? namesToIgnore(difference.places) : [],
  }
}

/** Empty where the responses differ in more than fields. */
const namesToIgnore = (places: Difference['places']) =>
  places.every(isField) ? [...new Set(places.map(ignoredAs))] : []

const statusOf = (done: Done | undefined) => (done?.outcome === 'answered' ? String(done.status) : 'no response')

const longestValue = 60

/** Writes a value of a response, without ids and times, which differ from run to run. */
function inWords(value: unknown): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value, (_, inside: unknown) => plain(inside))
  return typeof plain(value) === 'string' && typeof value === 'object' ? String(plain(value)) : text
}

/** Where to begin with two values: at the first character or, if they would look the same, at a word before the difference. */
function firstShown(one: string, other: string): number {
  let first = 0
  while (first < one.length && one[first] === other[first]) first++
  const isLate = Math.max(one.length, other.length) > longestValue && first > longestValue / 2
  return isLate ? one.lastIndexOf(' ', first - longestValue / 3) + 1 : 0
}

function shorten(text: string, from: number): string {
  const shown = text.slice(from, from + longestValue)
  return `${from > 0 ? '…' : ''}${shown}${from + longestValue < text.length ? '…' : ''}`
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return value
  if ('id' in value) return 'an id'
  return 'time' in value ? times[value.time as keyof typeof times] : value
}

const times = { first: 'a time', inexact: 'a time', same: 'the same time as before', other: 'another time than before' }

/** Lines for a shell, which run any number of times: they take ids from earlier responses. */
const linesOf = (steps: Steps, server: Trace) =>
  withNames(
    steps.flatMap(({ n }) => {
      const exchange = server.get(n)?.exchange
      return exchange ? [{ exchange, began: 2 * n, ended: 2 * n + 1 }] : []
    }),
  ).map(({ line }) => line)
