import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { templateStatuses, templateTypes } from '../../spec/forms.ts'
import type { OperationId } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'

/** A query as it was sent: a value is a list when its name was repeated. */
export type Query = Record<string, string | string[] | undefined>

/** What the document leaves open of a query, before it is held to the document. */
export function queryAsAssumed(query: Query, id: OperationId, assumed: Assumed): Query {
  const asAssumed = readings[id]
  return asAssumed ? asAssumed(query, assumed) : query
}

const readings: Partial<Record<OperationId, (query: Query, assumed: Assumed) => Query>> = {
  // Its usual page is another question.
  listMessages: (query, assumed) => pageAsAssumed(query, {}, assumed),
  listTemplates: (query, assumed) =>
    filtersAsAssumed(listsAsAssumed(pageAsAssumed(query, example, assumed), assumed), assumed),
  deleteContactsByEmail: (query, assumed) => {
    if (query.email === '') emptyString[assumed.emptyString]()
    return query
  },
}

function pageAsAssumed(query: Query, usual: Query, assumed: Assumed): Query {
  const bad = (['page', 'limit'] as const).filter((name) => query[name] !== undefined && !isCount(query[name]))
  return bad.length === 0 ? query : badPage[assumed.badPage](query, bad, usual)
}

const isCount = (value: Query[string]) => typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)

const example = { page: '1', limit: '10' }

const badPage: ByChoice<'badPage', (query: Query, bad: ('page' | 'limit')[], usual: Query) => Query> = {
  refused: (_query, [name = 'page']) => refuse(`${name} must be a whole number from 1 up, such as ${example[name]}`),
  clamped: (query, bad, usual) => ({ ...query, ...Object.fromEntries(bad.map((name) => [name, usual[name]])) }),
}

function listsAsAssumed(query: Query, assumed: Assumed): Query {
  const holdsComma = (name: string) => [query[name] ?? []].flat().some((value) => value.includes(','))
  const several = ['types', 'statuses'].filter(holdsComma)
  return several.length === 0 ? query : repeatedQueryValues[assumed.repeatedQueryValues](query, several)
}

const repeatedQueryValues: ByChoice<'repeatedQueryValues', (query: Query, several: string[]) => Query> = {
  accepted: (query, several) => ({
    ...query,
    ...Object.fromEntries(several.map((name) => [name, [query[name] ?? []].flat().flatMap((text) => text.split(','))])),
  }),
  refused: (_query, [name = 'types']) => refuse(`${name} takes one value at a time; repeat it for several`),
}

type Filter = 'types' | 'statuses'

const filters: Readonly<Record<Filter, readonly string[]>> = { types: templateTypes, statuses: templateStatuses }

function filtersAsAssumed(query: Query, assumed: Assumed): Query {
  const strange = (['types', 'statuses'] as const).filter(
    (name) => known(query, name).length < sent(query, name).length,
  )
  return strange.length === 0 ? query : unknownTemplateFilter[assumed.unknownTemplateFilter](query, strange)
}

const sent = (query: Query, name: Filter) => [query[name] ?? []].flat()
const known = (query: Query, name: Filter) => sent(query, name).filter((value) => filters[name].includes(value))

const unknownTemplateFilter: ByChoice<'unknownTemplateFilter', (query: Query, strange: Filter[]) => Query> = {
  refused: (query) => query, // and the document says why
  matchesNone: (query, strange) => ({
    ...query,
    ...Object.fromEntries(strange.map((name) => [name, known(query, name)])),
  }),
}

const emptyString: ByChoice<'emptyString', () => void> = {
  refused: () => refuse('email is required, and an empty string counts as missing'),
  accepted: () => undefined,
}
