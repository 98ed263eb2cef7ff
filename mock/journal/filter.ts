import { parse } from 'node:querystring'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../spec/document.ts'
import { operations } from '../../spec/operations.ts'
import type { LogEntry } from './entries.ts'

/** A parsed filter of requests. */
export interface Wanted {
  readonly operation: string | undefined
  readonly team: string | undefined
  readonly status: string | undefined
  readonly refused: boolean | undefined
  readonly assumed: string | undefined
  readonly where: Readonly<Record<string, unknown>> | undefined
}

export function fits(entry: LogEntry, { operation, team, status, refused, assumed, where }: Wanted): boolean {
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

/** A field whose name contains a dot takes precedence over a nested field. */
function valueAt(value: unknown, path: string): unknown {
  if (!isObject(value)) return undefined
  if (Object.hasOwn(value, path)) return value[path]
  const [first = '', ...rest] = path.split('.')
  return rest.length > 0 && Object.hasOwn(value, first) ? valueAt(value[first], rest.join('.')) : undefined
}

/** A body that was cut is not searched. */
function bodyOf({ sent }: LogEntry): object {
  if (typeof sent !== 'string') return {}
  try {
    const body: unknown = JSON.parse(sent)
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
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
