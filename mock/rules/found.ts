import type { ByChoice } from '../../spec/assumptions.ts'
import { looksLikeAnId } from '../core/ids.ts'
import { NotFound, refuse } from '../core/refusals.ts'
import type { Turn } from '../core/turn.ts'

/**
 * promise error.readingTheUnknownIs404, error.updatingTheUnknownIs404: what is not there is a 404. So is what another
 * team has: the records of a team hold no other team's, and the two answers cannot be told apart.
 */
export function found<Record>(record: Record | undefined, id: string, { assumed }: Turn): Record {
  if (record !== undefined) return record
  if (!looksLikeAnId(id)) malformed[assumed.malformedId](id)
  throw new NotFound()
}

const malformed: ByChoice<'malformedId', (id: string) => void> = {
  notFound: () => {
    throw new NotFound()
  },
  badRequest: () => refuse('the id in the path must be 24 hexadecimal characters, such as 66f0a1b2c3d4e5f601234567'),
}

/** The same for an id that a body names: which of the two statuses it is, is not documented. */
export function target<Record>(record: Record | undefined, field: string, { assumed }: Turn): Record {
  if (record !== undefined) return record
  return unknownTarget[assumed.unknownTarget](field)
}

const unknownTarget: ByChoice<'unknownTarget', (field: string) => never> = {
  notFound: () => {
    throw new NotFound()
  },
  badRequest: (field) => refuse(`${field} names nothing that this team has`),
}
