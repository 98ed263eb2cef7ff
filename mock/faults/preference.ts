import type { Operation } from '../../spec/operations.ts'
import type { FaultFired } from './fault-fired.ts'
import { fire } from './fault-fired.ts'

/** The name that an answer gives for the fault that its own request asked for. */
const id = 'prefer'

/**
 * The documented error that a request asks for with `Prefer: code=404`. A documented success asks for nothing; any other
 * code is refused, since a test that asks for it would believe that it got it.
 */
export function preferredError(header: unknown, { statuses }: Operation): FaultFired | undefined {
  const code = typeof header === 'string' ? codeIn(header) : undefined
  if (code === undefined) return undefined
  const status = statuses.find((documented) => String(documented) === code)
  if (status !== undefined) return status < 400 ? undefined : fire(id, { status })
  return fire(id, { status: 400, message: `Prefer: code must be a status of this operation: ${statuses.join(', ')}` })
}

/** As RFC 7240 writes preferences: `code=404`, `respond-async, code="404"`. */
function codeIn(header: string): string | undefined {
  for (const preference of header.split(',')) {
    const [name = '', ...value] = (preference.split(';')[0] ?? '').split('=')
    if (name.trim().toLowerCase() === 'code')
      return value
        .join('=')
        .trim()
        .replace(/^"(.*)"$/, '$1')
  }
  return undefined
}
