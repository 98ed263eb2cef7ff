import { isDeepStrictEqual } from 'node:util'
import type { OperationId } from '../../../spec/types.ts'
import { isObject } from '../../../lib/json.ts'

/** Selects requests, for a fault, a gate or the journal; without fields, all. */
export interface Match {
  readonly operation?: OperationId | readonly OperationId[]
  /** The id of a team. */
  readonly team?: string
  /** Fields of the body, the path or the query, with the values that they must have. A dot leads into a field. */
  readonly where?: Readonly<Record<string, unknown>>
}

/** The known facts of a request. */
export interface MatchInput {
  readonly operation: OperationId | undefined
  readonly team: string | undefined
  /** The body, the path parameters and the query. */
  readonly fields: readonly unknown[]
}

export const isAbout = ({ operation }: Match, id: MatchInput['operation']) =>
  operation === undefined || [operation].flat().some((one) => one === id)

export function matches(match: Match, input: MatchInput): boolean {
  const { team, where = {} } = match
  if (!isAbout(match, input.operation)) return false
  if (team !== undefined && team !== input.team) return false
  return Object.entries(where).every(([path, value]) => input.fields.some((part) => isLike(valueAt(part, path), value)))
}

/** The value of a field; undefined when there is none. A field with a dot in its name takes precedence over a nested field. */
export function valueAt(fields: unknown, path: string): unknown {
  if (typeof fields !== 'object' || fields === null) return undefined
  if (Object.hasOwn(fields, path)) return fields[path as keyof typeof fields]
  const dot = path.indexOf('.')
  const first = path.slice(0, Math.max(0, dot))
  return dot >= 0 && Object.hasOwn(fields, first)
    ? valueAt(fields[first as keyof typeof fields], path.slice(dot + 1))
    : undefined
}

/** Of an object only the expected fields count. */
function isLike(value: unknown, expected: unknown): boolean {
  if (!isObject(expected)) return isDeepStrictEqual(value, expected)
  return isObject(value) && Object.entries(expected).every(([name, part]) => isLike(valueAt(value, name), part))
}
