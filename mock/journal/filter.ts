import { parse, unescape } from 'node:querystring'
import { parseJson } from '../../shared/parse-json.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Match, matches as matchesRequest } from '../faults/match.ts'
import type { LogEntry } from './journal.ts'
import { parameterOf } from './seen.ts'

/** A parsed filter of requests. */
export interface Wanted extends Match {
  readonly status?: string
  readonly refused?: boolean
  readonly assumed?: string
}

export function matches(entry: LogEntry, { status = '', refused, assumed, ...match }: Wanted): boolean {
  if (!String(entry.status).startsWith(status.replace('xx', ''))) return false
  if (refused !== undefined && entry.status >= 400 !== refused) return false
  if (assumed !== undefined && ![...entry.assumed, ...(entry.learned ?? [])].includes(assumed)) return false
  const { operation, team } = entry
  return matchesRequest(match, {
    operation,
    team,
    fields: match.where === undefined ? [] : fieldsOf(entry, bodyOf(entry)),
  })
}

interface Addressed {
  readonly url: string
  readonly operation?: string | undefined
}

/** Undefined when it was cut. */
const bodyOf = ({ sent }: LogEntry) => (typeof sent === 'string' ? parseJson(sent) : undefined)

/** The body, the parameter of the path, and the query. */
export function fieldsOf({ url, operation }: Addressed, body: unknown): readonly unknown[] {
  const [path = '', query = ''] = url.split('?', 2)
  const name = parameterOf(operation as OperationId | undefined)
  const [, value = ''] = /([^/]+)\/?$/.exec(path) ?? []
  const parameter = name === undefined ? {} : { [name]: unescape(value) }
  return [body, parameter, parse(query)]
}
