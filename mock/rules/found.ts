import type { ByChoice } from '../../spec/assumptions.ts'
import { looksLikeAnId } from '../core/ids.ts'
import { NotFound, refuse } from '../core/refusals.ts'
import type { Turn } from '../core/turn.ts'

/**
 * promise error.readingTheUnknownIs404, error.updatingTheUnknownIs404: an id that no record ever had is answered 404.
 * promise access.readsStayInTheTeam, access.updatesStayInTheTeam: an id of another team gets the same answer, because a
 * turn holds the records of one team only.
 */
export function found<R>(record: R | undefined, id: string, turn: Turn): R {
  return record ?? refuseUnknownId(id, turn)
}

export function refuseUnknownId(id: string, { assumed }: Turn): never {
  if (!looksLikeAnId(id)) malformedId[assumed.malformedId]()
  throw new NotFound()
}

const malformedId: ByChoice<'malformedId', () => void> = {
  notFound: () => undefined,
  badRequest: () => refuse('the id in the path must be 24 hexadecimal characters, such as 66f0a1b2c3d4e5f601234567'),
}

/** For an id in a body. The specification does not say whether an unknown one is answered 400 or 404. */
export function foundTarget<R>(record: R | undefined, field: string, { assumed }: Turn): R {
  return record ?? unknownTarget[assumed.unknownTarget](field)
}

const unknownTarget: ByChoice<'unknownTarget', (field: string) => never> = {
  notFound: () => {
    throw new NotFound()
  },
  badRequest: (field) => refuse(`${field} names nothing that this team has`),
}
