import type { OperationId } from '../../spec/types.ts'

/** Which requests a fault or a gate is about; every request, when nothing is given. */
export interface Match {
  readonly operation?: OperationId | readonly OperationId[]
  /** The id of a team. */
  readonly team?: string
  /** Fields of the body, parameters of the path or of the query, with the values that they must have. */
  readonly where?: Readonly<Record<string, unknown>>
  /** Only from the nth of these requests on. */
  readonly nth?: number
}

/** A request, as far as it is known at the moment. */
export interface Met {
  readonly operation: OperationId
  readonly team: string | undefined
  /** Where its fields are looked up, the first place first. */
  readonly fields: readonly unknown[]
}

export function fits({ operation, team, where = {} }: Match, met: Met): boolean {
  if (operation !== undefined && ![operation].flat().includes(met.operation)) return false
  if (team !== undefined && team !== met.team) return false
  return Object.entries(where).every(([name, value]) => met.fields.some((fields) => holds(fields, name, value)))
}

function holds(fields: unknown, name: string, expected: unknown): boolean {
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, name)) return false
  return isLike((fields as Record<string, unknown>)[name], expected)
}

/** Whether a value is the expected one. Of an object only the expected fields count. */
function isLike(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected
  if (!Array.isArray(expected)) return Object.entries(expected).every(([name, part]) => holds(value, name, part))
  return (
    Array.isArray(value) && value.length === expected.length && expected.every((part, at) => isLike(value[at], part))
  )
}
