import { parse } from 'node:querystring'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../spec/document.ts'
import { operations } from '../../spec/operations.ts'
import { parseJson } from '../../shared/parse-json.ts'
import type { LogEntry } from './journal.ts'

/** A parsed filter of requests. */
export interface Wanted {
  readonly operation?: string
  readonly team?: string
  readonly status?: string
  readonly refused?: boolean
  readonly assumed?: string
  readonly where?: Readonly<Record<string, unknown>> | undefined
}

export function matches(entry: LogEntry, { operation, team, status, refused, assumed, where }: Wanted): boolean {
  if (operation !== undefined && entry.operation !== operation) return false
  if (team !== undefined && entry.team !== team) return false
  if (status !== undefined && !hasStatus(entry, status)) return false
  if (refused !== undefined && entry.status >= 400 !== refused) return false
  if (assumed !== undefined && !hasReliedOn(entry, assumed)) return false
  return where === undefined || holds(entry, where)
}

/** Whether guessed or learned. */
const hasReliedOn = ({ assumed, learned = [] }: LogEntry, name: string) =>
  assumed.includes(name) || learned.includes(name)

const hasStatus = ({ status }: LogEntry, wanted: string) =>
  wanted.endsWith('xx') ? String(status).startsWith(wanted[0] ?? '') : String(status) === wanted

function holds(entry: LogEntry, where: Readonly<Record<string, unknown>>): boolean {
  const all = { ...queryOf(entry), ...parameterOf(entry), ...bodyOf(entry) }
  return Object.entries(where).every(([path, value]) => isDeepStrictEqual(valueAt(all, path), value))
}

/** A field with a dot in its name takes precedence over a nested field. */
function valueAt(value: unknown, path: string): unknown {
  if (!isObject(value)) return undefined
  if (Object.hasOwn(value, path)) return value[path]
  const [first = '', ...rest] = path.split('.')
  return rest.length > 0 && Object.hasOwn(value, first) ? valueAt(value[first], rest.join('.')) : undefined
}

/** A body that was cut is not searched. */
function bodyOf({ sent }: LogEntry): object {
  const body = typeof sent === 'string' ? parseJson(sent) : undefined
  return isObject(body) ? body : {}
}

function queryOf({ url }: LogEntry): object {
  const [, query] = url.split(/\?(.*)/s)
  return query === undefined ? {} : parse(query)
}

function parameterOf({ operation, url }: LogEntry): object {
  const [, name] = (operation && /\{(\w+)\}$/.exec(operations[operation].path)) ?? []
  const [, value] = /\/([^/?]+)\/?(?:\?|$)/.exec(url) ?? []
  return name === undefined || value === undefined ? {} : { [name]: decode(value) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
