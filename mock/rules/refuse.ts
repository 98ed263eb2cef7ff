import type { Assumed } from '../../spec/assumed.ts'
import type { AssumptionName, Choice } from '../../spec/assumptions.ts'
import type { Complaint } from '../../spec/operations.ts'
import { AssumedError, NotFound, refuse, idInPath, type Because } from '../core/refusals.ts'
import { looksLikeAnId } from '../core/ids.ts'
import type { Transaction } from '../core/transaction.ts'

/** Refuses the request when the assumption has this choice. Call it only where the choice decides. */
export function refuseIf<Name extends AssumptionName>(
  assumed: Assumed,
  assumption: Name,
  choice: Choice<Name>,
  sentence: string,
  field?: string,
): void {
  const inForce: string = assumed[assumption]
  if (inForce === choice) refuse(sentence, { assumption, field })
}

/** A sentence about a field. */
export type FieldComplaint = Pick<Complaint, 'field' | 'sentence'>

export const complainOf = (field: string, demand: string): FieldComplaint => ({ field, sentence: `${field} ${demand}` })

/** Refuses a reference to an unknown record; the assumption chooses 404 or 400 with this sentence. */
export function refuseUnknown(
  assumed: Assumed,
  assumption: 'malformedId' | 'quoteOfUnknownDeal' | 'unknownTarget' | 'unknownTemplate',
  sentence: string,
  field: string,
): never {
  if (assumed[assumption] === 'notFound') throw new NotFound({ assumption, field })
  if (assumed[assumption] === 'serverError') throw new AssumedError({ assumption, field })
  refuse(sentence, { assumption, field })
}

/**
 * promise error.readingTheUnknownIs404, error.updatingTheUnknownIs404: an id that no record ever had is answered 404.
 * promise access.readsStayInTheTeam, access.updatesStayInTheTeam: an id of another team gets the same answer, because a
 * transaction holds the records of one team only.
 */
export function found<R>(record: R | undefined, id: string, tx: Transaction): R {
  return record ?? refuseUnknownId(id, { promise: 'error.readingTheUnknownIs404' }, tx)
}

export function foundForUpdate<R>(record: R | undefined, id: string, tx: Transaction): R {
  return record ?? refuseUnknownId(id, { promise: 'error.updatingTheUnknownIs404' }, tx)
}

export function refuseUnknownId(id: string, decider: Because, { assumed }: Transaction): never {
  if (!looksLikeAnId(id))
    refuseUnknown(assumed, 'malformedId', 'the id in the path must be 24 hexadecimal characters', idInPath)
  throw new NotFound({ ...decider, field: idInPath })
}

/** For an id in a body. The specification does not say whether an unknown one is answered 400 or 404. */
export function foundTarget<R>(record: R | undefined, field: string, { assumed }: Transaction): R {
  return record ?? refuseUnknown(assumed, 'unknownTarget', `${field} names nothing that this team has`, field)
}
