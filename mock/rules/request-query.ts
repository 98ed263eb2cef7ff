import type { Assumed } from '../../spec/assumed.ts'
import { templateStatuses, templateTypes } from '../../spec/forms.ts'
import type { OperationId } from '../../spec/types.ts'
import { refuseEmptyString } from './body-fields.ts'
import { refuseIf } from './refuse-if.ts'

/** A query as it is sent: a value is a list when its name is repeated. */
export type Query = Record<string, string | string[] | undefined>

/** Applies the assumptions about a query that come before it is checked against the document. */
export function normalizeQuery(query: Query, id: OperationId, assumed: Assumed): Query {
  const normalize = normalizers[id]
  return normalize ? normalize(query, assumed) : query
}

const normalizers: Partial<Record<OperationId, (query: Query, assumed: Assumed) => Query>> = {
  // No defaults here: `historyPage` chooses them later.
  listMessages: (query, assumed) => normalizePage(readOnce(query, 'channel', assumed), {}, assumed),
  listTemplates: (query, assumed) =>
    normalizeFilters(splitLists(normalizePage(readBrackets(query, assumed), examplePage, assumed), assumed), assumed),
  deleteContactsByEmail: (sent, assumed) => {
    const query = readOnce(sent, 'email', assumed)
    if (query.email === '') refuseEmptyString({ field: 'email', sentence: 'email is required' }, assumed)
    return query
  },
}

function readOnce(query: Query, name: string, assumed: Assumed): Query {
  const value = query[name]
  if (!Array.isArray(value)) return query
  refuseIf(assumed, 'repeatedParameter', 'refused', `${name} takes one value; send it once`, name)
  return { ...query, [name]: value[0] }
}

function normalizePage(query: Query, defaults: Query, assumed: Assumed): Query {
  const bad = (['page', 'limit'] as const).filter((name) => query[name] !== undefined && !isCount(query[name]))
  const [first] = bad
  if (first === undefined) return query
  const sentence = `${first} must be a whole number from 1 up, such as ${examplePage[first]}`
  refuseIf(assumed, 'badPage', 'refused', sentence, first)
  return { ...query, ...Object.fromEntries(bad.map((name) => [name, defaults[name]])) }
}

const isCount = (value: Query[string]) => typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)

const examplePage = { page: '1', limit: '10' }

type Filter = 'types' | 'statuses'

const filters = ['types', 'statuses'] as const satisfies Filter[]

/** Axios and PHP write a list as `types[]=sms&types[]=email`, and others with the number of the item. */
function readBrackets(query: Query, assumed: Assumed): Query {
  const bracketed = Object.keys(query).filter((name) => withBrackets.test(name))
  if (bracketed.length === 0 || assumed.bracketedParameter === 'refused') return query
  const read = Object.fromEntries(Object.entries(query).filter(([name]) => !withBrackets.test(name)))
  const named = filters.filter((filter) => bracketed.some((name) => name.startsWith(filter)))
  return withValues(read, named, (filter) => [
    ...valuesOf(read, filter),
    ...bracketed.filter((name) => name.startsWith(filter)).flatMap((name) => query[name] ?? []),
  ])
}

const withBrackets = /^(types|statuses)\[\d{0,3}\]$/

function splitLists(query: Query, assumed: Assumed): Query {
  const holdsComma = (filter: Filter) => valuesOf(query, filter).some((value) => value.includes(','))
  const several = filters.filter(holdsComma)
  const [first] = several
  if (first === undefined) return query
  const sentence = `${first} takes one value at a time; repeat it for several`
  refuseIf(assumed, 'repeatedQueryValues', 'refused', sentence, first)
  return withValues(query, several, (filter) => valuesOf(query, filter).flatMap((text) => text.split(',')))
}

function normalizeFilters(query: Query, assumed: Assumed): Query {
  const unknown = filters.filter((filter) => !valuesOf(query, filter).every(isKnown(filter)))
  // The check against the document says which values there are.
  if (unknown.length === 0 || assumed.unknownTemplateFilter === 'refused') return query
  return withValues(query, unknown, (filter) => valuesOf(query, filter).filter(isKnown(filter)))
}

const isKnown = (filter: Filter) => (value: string) => knownValues[filter].includes(value)

const knownValues: Readonly<Record<Filter, readonly string[]>> = { types: templateTypes, statuses: templateStatuses }

/** A complaint about a query, with the names in it that are no parameters: one may be the missing parameter misspelt. */
export function describeQuery(complaint: string, query: Query, listed: ReadonlySet<string>): string {
  const others = Object.keys(query).filter((name) => !listed.has(name))
  if (others.length === 0 || !complaint.endsWith(' is required')) return complaint
  const seen = others.slice(0, 3).map((name) => JSON.stringify(name.slice(0, 40)))
  return `${complaint}; the query has ${seen.join(', ')} instead`
}

/** The specification does not say what happens to parameters that are not listed. */
export function checkParameters(query: Query, listed: ReadonlySet<string>, assumed: Assumed): void {
  const other = Object.keys(query).find((name) => !listed.has(name))
  if (other === undefined) return
  const sentence = `${JSON.stringify(other.slice(0, 60))} is not a parameter of this request`
  refuseIf(assumed, 'unlistedParameter', 'refused', sentence, other)
}

const valuesOf = (query: Query, filter: Filter) => [query[filter] ?? []].flat()

function withValues(query: Query, names: Filter[], valuesFor: (filter: Filter) => string[]): Query {
  return { ...query, ...Object.fromEntries(names.map((filter) => [filter, valuesFor(filter)])) }
}
