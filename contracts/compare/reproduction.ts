import { toCurl } from '../client/exchange.ts'
import { createRequest } from '../client/request.ts'
import type { Target } from '../client/target/target.ts'
import { assumption } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { operations } from '../../spec/operations.ts'
import { type Difference, ignoredAs, isField } from './difference.ts'
import { placeholderFor } from './names.ts'
import type { ExplainedDifference } from './search.ts'
import type { Done } from './side.ts'
import { fillIn, namesIn, type Steps } from '../client/steps.ts'

export interface ReportOptions {
  readonly target: Target
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

export async function reportDifference(
  found: ExplainedDifference,
  { target, choices, redact }: ReportOptions,
): Promise<DifferenceReport> {
  const { steps, difference, seen, server, sandbox, explanations } = found
  const show = (value: unknown) => redact(inWords(value))
  const places = difference.places.map((place) => ({
    path: place.path,
    server: show(place.server),
    sandbox: show(place.sandbox),
  }))
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
    curl: (await toCurlLines(steps, target)).map(redact),
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
  const words = typeof plain(value) === 'string' && typeof value === 'object' ? String(plain(value)) : text
  return words.length > longestValue ? `${words.slice(0, longestValue)}…` : words
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return value
  if ('id' in value) return 'an id'
  return 'time' in value ? times[value.time as keyof typeof times] : value
}

const times = { first: 'a time', inexact: 'a time', same: 'the same time as before', other: 'another time than before' }

/** Lines for a shell, which run any number of times: they take ids from earlier responses. */
async function toCurlLines(steps: Steps, target: Target): Promise<string[]> {
  const needed = new Set(steps.flatMap(namesIn).flatMap((name) => /^from (\d+) /.exec(name)?.[1] ?? []))
  const lines = await Promise.all(
    steps.map(async ({ n, operation, input }) => {
      const filled = fillIn(input, (name) => placeholderFor(name, target))
      const request = await createRequest(target.origin, operation, filled)
      const line = inShell(toCurl({ caller: filled.caller ?? 'team', request }))
      return needed.has(String(n)) ? `answer${n}=$(${line})` : line
    }),
  )
  return lines.some((line) => line.includes('$RUN')) ? ['RUN=try_$(date +%s)', ...lines] : lines
}

/** Ends the single quotes of a line around each variable. */
const inShell = (line: string) =>
  line
    .replaceAll('__RUN__', `'"$RUN"'`)
    .replaceAll(/__ANSWER_(\d+)_([\w.]+?)__/g, (_, n: string, path: string) => `'"$(jq -r .${path} <<<"$answer${n}")"'`)
    .replaceAll(`"''`, '"')
