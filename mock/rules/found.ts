import type { ByChoice } from '../../spec/assumptions.ts'
import { type Because, idInPath } from '../core/because.ts'
import { NotFound, refuse } from '../core/refusals.ts'
import type { Turn } from '../core/turn.ts'

/**
 * promise error.readingTheUnknownIs404, error.updatingTheUnknownIs404: an id that no record ever had is answered 404.
 * promise access.readsStayInTheTeam, access.updatesStayInTheTeam: an id of another team gets the same answer, because a
 * turn holds the records of one team only.
 */
export function found<R>(record: R | undefined, id: string, turn: Turn): R {
  return record ?? refuseUnknownId(id, { promise: 'error.readingTheUnknownIs404' }, turn)
}

export function foundForUpdate<R>(record: R | undefined, id: string, turn: Turn): R {
  return record ?? refuseUnknownId(id, { promise: 'error.updatingTheUnknownIs404' }, turn)
}

export function refuseUnknownId(id: string, decider: Because, { assumed, team: { ids } }: Turn): never {
  if (!ids.looksRight(id)) malformedId[assumed.malformedId](ids.words)
  throw new NotFound({ ...decider, field: idInPath })
}

const malformedId: ByChoice<'malformedId', (form: string) => never> = {
  notFound: () => {
    throw new NotFound({ assumption: 'malformedId', field: idInPath })
  },
  badRequest: (form) =>
    refuse(`the id in the path must be ${form}`, {
      assumption: 'malformedId',
      field: idInPath,
    }),
}

/** For an id in a body. The specification does not say whether an unknown one is answered 400 or 404. */
export function foundTarget<R>(record: R | undefined, field: string, { assumed }: Turn): R {
  return record ?? unknownTarget[assumed.unknownTarget](field)
}

const unknownTarget: ByChoice<'unknownTarget', (field: string) => never> = {
  notFound: (field) => {
    throw new NotFound({ assumption: 'unknownTarget', field })
  },
  badRequest: (field) => refuse(`${field} names nothing that this team has`, { assumption: 'unknownTarget', field }),
}
