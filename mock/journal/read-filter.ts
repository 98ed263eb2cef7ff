import type { RequestFilter } from '../../control/requests.ts'
import { durationForm, readDuration } from '../../shared/duration.ts'
import { quote } from '../../shared/printable.ts'
import { assumptionNames } from '../../spec/assumptions.ts'
import { closeTo } from '../../spec/close-to.ts'
import { isObject } from '../../spec/document.ts'
import { operations } from '../../spec/operations.ts'
import { refuse } from '../control/refusals.ts'
import type { Wanted } from './filter.ts'
import { parseJson } from '../../shared/parse-json.ts'

/** What a filter means that fits the document; refuses names that there are not. */
export function readFilter({ operation, team, status, refused, assumed, where }: RequestFilter): Wanted {
  checkName('operation', operation, Object.keys(operations), 'it must be an operationId of the service')
  checkName('assumed', assumed, assumptionNames, 'GET /_sandbox/assumptions lists them')
  return { operation, team, status: status?.toString(), refused, assumed, where: readWhere(where) }
}

function checkName(field: string, name: string | undefined, known: readonly string[], hint: string): void {
  if (name === undefined || known.includes(name)) return
  const [close] = closeTo(name, known)
  refuse(`${field} cannot be ${quote(name)}; ${close === undefined ? hint : `did you mean ${close}?`}`)
}

function readWhere(where: RequestFilter['where']): Wanted['where'] {
  if (where === undefined) return undefined
  const read = typeof where === 'string' ? parseJson(where) : where
  if (!isObject(read) || Array.isArray(read)) refuse('where must be a JSON object, such as {"email":"ada@example.com"}')
  return read
}

const longestWait = 60_000
const usualWait = 5_000

/** How long to wait, in milliseconds. */
export function readWithin(within: number | string | undefined): number {
  if (within === undefined) return usualWait
  const milliseconds = readDuration(/^\d+$/.test(String(within)) ? Number(within) : within)
  if (milliseconds === undefined || milliseconds > longestWait) refuse(`within must be ${durationForm}, up to a minute`)
  return milliseconds
}
