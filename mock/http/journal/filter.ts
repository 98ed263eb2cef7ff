import { parse, unescape } from 'node:querystring'
import { inSteps, stepsInARow } from '../../../lib/pause.ts'
import { parseJson } from '../../../lib/json.ts'
import type { Redactor } from '../../../lib/redactor.ts'
import type { OperationId } from '../../../spec/types.ts'
import { type Match, matches as matchesRequest, type MatchInput, valueAt } from '../faults/match.ts'
import { type Journal, type LogEntry, stepsOfEntry } from './journal.ts'
import { parameterOf, type SeenRequest, showRequest } from './seen.ts'

/** A parsed filter of the journal. */
export interface EntryFilter extends Match {
  readonly id?: string
  readonly status?: string
  readonly refused?: boolean
  readonly assumed?: string
  /** Beside the requests of the team, those without a valid credential. */
  readonly orNoTeam?: boolean
}

export function matches(
  entry: LogEntry,
  { id, status = '', refused, assumed, orNoTeam, ...match }: EntryFilter,
): boolean {
  if (id !== undefined && entry.id !== id) return false
  if (!String(entry.status).startsWith(status.replace('xx', ''))) return false
  if (refused !== undefined && entry.status >= 400 !== refused) return false
  if (assumed !== undefined && ![...entry.assumed, ...(entry.learned ?? [])].includes(assumed)) return false
  const input = inputOf(entry, match)
  return matchesRequest(match, orNoTeam && entry.team === undefined ? { ...input, team: match.team } : input)
}

/** From the oldest to the latest. */
export async function findAll(filter: EntryFilter, journal: Journal): Promise<LogEntry[]> {
  const found: LogEntry[] = []
  for await (const entry of inSteps(journal.from(), stepsOfEntry)) if (matches(entry, filter)) found.push(entry)
  return found
}

/** The only team with requests that can match; undefined when others can too. */
export const onlyTeamOf = ({ team, orNoTeam }: EntryFilter) => (orNoTeam ? undefined : team)

/** Parses the body, if the filter is about fields. */
const inputOf = (entry: LogEntry, { where }: Match): MatchInput => ({
  operation: entry.operation,
  team: entry.team,
  fields: where === undefined ? [] : fieldsOf(entry, bodyOf(entry)),
})

interface Addressed {
  readonly url: string
  readonly operation?: string | undefined
}

/** The parsed body; undefined when the journal has only its beginning. */
const bodyOf = ({ sent }: LogEntry) => (typeof sent === 'string' ? parseJson(sent) : undefined)

/** The body, the parameter of the path, and the query. */
function fieldsOf({ url, operation }: Addressed, body: unknown): readonly unknown[] {
  const [path = '', query = ''] = url.split('?', 2)
  const name = parameterOf(operation as OperationId | undefined)
  const [, value = ''] = /([^/]+)\/?$/.exec(path) ?? []
  const parameter = name === undefined ? {} : { [name]: unescape(value) }
  return [body, parameter, parse(query)]
}

/** Each comparison parses a body. */
const mostCompared = 100
const mostNamed = 3
const longestValue = 80

/** The requests that fit a filter best, with the fields in which they differ, as the end of a sentence. */
export async function describeNearest(filter: EntryFilter, journal: Journal, secrets: Redactor): Promise<string> {
  const latest = journal.from(journal.next - mostCompared).toReversed()
  if (latest.length === 0) return '; no request came'
  const compared: (Differences & { readonly entry: LogEntry })[] = []
  for await (const entry of inSteps(latest, stepsInARow)) compared.push({ entry, ...differencesOf(entry, filter) })
  const nearest = compared
    .filter(({ own, fields }) => own.length + fields.length > 0)
    .toSorted((one, other) => distanceOf(one) - distanceOf(other))
  const named: string[] = []
  for await (const { entry, own, fields } of inSteps(nearest.slice(0, mostNamed), stepsInARow))
    named.push(describe(showRequest(entry, secrets), own, fields))
  return named.length === 0 ? '' : `; nearest: ${named.join(', ')}`
}

interface Differences {
  /** Such as operation or status. */
  readonly own: readonly string[]
  /** Of the body, the path or the query. */
  readonly fields: readonly string[]
}

function differencesOf(entry: LogEntry, filter: EntryFilter): Differences {
  const { where = {}, ...others } = filter
  const input = inputOf(entry, filter)
  const isOther = (name: string, value: unknown) => value !== undefined && !matches(entry, { [name]: value })
  const differs = (path: string, value: unknown) => !matchesRequest({ where: { [path]: value } }, input)
  return {
    own: Object.entries(others).flatMap(([name, value]) => (isOther(name, value) ? [name] : [])),
    fields: Object.entries(where).flatMap(([path, value]) => (differs(path, value) ? [path] : [])),
  }
}

/** Another operation is farther away than any number of other fields. */
const distanceOf = ({ own, fields }: Differences) =>
  own.length + fields.length + (own.includes('operation') ? 1_000 : 0)

function describe(request: SeenRequest, own: readonly string[], fields: readonly string[]): string {
  const { id, method, url, operation = `${method} ${url.slice(0, longestValue)}`, team, status } = request
  const values: Readonly<Record<string, string | number | undefined>> = {
    operation,
    team: team ?? 'unknown',
    status,
    refused: status,
    assumed: [...request.assumed, ...request.learned].join(', ') || 'empty',
  }
  const sent = fieldsOf(request, request.sent.body)
  const differences = [
    ...own.map((name) => `${name === 'refused' ? 'status' : name} is ${values[name] ?? ''}`),
    ...fields.map((path) => `${path} is ${inWords(sent.map((part) => valueAt(part, path))) ?? 'missing'}`),
  ]
  return `${operation} ${id} (${differences.join(', ')})`
}

function inWords(values: readonly unknown[]): string | undefined {
  const value = values.find((one) => one !== undefined)
  return value === undefined ? undefined : JSON.stringify(value).slice(0, longestValue)
}
