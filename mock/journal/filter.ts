import { parse } from 'node:querystring'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../spec/document.ts'
import { operations } from '../../spec/operations.ts'
import type { Noted } from './noted.ts'

/** Which requests are meant, as it was read from what a caller wrote. */
export interface Wanted {
  readonly operation: string | undefined
  readonly team: string | undefined
  readonly status: string | undefined
  readonly refused: boolean | undefined
  readonly assumed: string | undefined
  readonly where: Readonly<Record<string, unknown>> | undefined
}

export function fits(noted: Noted, { operation, team, status, refused, assumed, where }: Wanted): boolean {
  if (operation !== undefined && noted.operation !== operation) return false
  if (team !== undefined && noted.team !== team) return false
  if (status !== undefined && !hasStatus(noted, status)) return false
  if (refused !== undefined && noted.status >= 400 !== refused) return false
  if (assumed !== undefined && !hasReliedOn(noted, assumed)) return false
  return where === undefined || holds(noted, where)
}

/** Whether guessed or learned. */
const hasReliedOn = ({ assumed, learned = [] }: Noted, name: string) => assumed.includes(name) || learned.includes(name)

const hasStatus = ({ status }: Noted, wanted: string) =>
  wanted.endsWith('xx') ? String(status).startsWith(wanted[0] ?? '') : String(status) === wanted

function holds(noted: Noted, where: Readonly<Record<string, unknown>>): boolean {
  const all = { ...queryOf(noted), ...parameterOf(noted), ...bodyOf(noted) }
  return Object.entries(where).every(([path, value]) => isDeepStrictEqual(valueAt(all, path), value))
}

/** A field whose name has a dot counts before one that a dot leads into. */
function valueAt(value: unknown, path: string): unknown {
  if (!isObject(value)) return undefined
  if (Object.hasOwn(value, path)) return value[path]
  const [first = '', ...rest] = path.split('.')
  return rest.length > 0 && Object.hasOwn(value, first) ? valueAt(value[first], rest.join('.')) : undefined
}

/** A body that was cut is not searched. */
function bodyOf({ sent }: Noted): object {
  if (typeof sent !== 'string') return {}
  try {
    const body: unknown = JSON.parse(sent)
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
}

function queryOf({ url }: Noted): object {
  const [, query] = url.split(/\?(.*)/s)
  return query === undefined ? {} : parse(query)
}

function parameterOf({ operation, url }: Noted): object {
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
