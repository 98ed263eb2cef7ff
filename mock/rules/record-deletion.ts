import type { Kind, Kinds } from '../../fixtures/records.ts'
import { NotFound, idInPath } from '../core/refusals.ts'
import { keepLatest, type Stamped } from '../core/team.ts'
import type { Transaction } from '../core/transaction.ts'
import { refuseUnknownId } from './found.ts'

const deletionsRemembered = 10_000

/**
 * promise template.deletedIsGone: a template that was deleted can no longer be got, and is on no list.
 * promise contact.deletedIsGone, company.deletedIsGone, product.deletedIsGone, deal.deletedIsGone, quote.deletedIsGone: a
 * record that was deleted can no longer be updated.
 * The specification does not say what a second delete answers, so the latest deletions are remembered.
 */
export async function removeRecord<K extends Kind>(
  records: Stamped<K>,
  id: string,
  tx: Transaction,
): Promise<{ record: Kinds[K]; isRepeat: boolean }> {
  const record = await records.get(id)
  if (record === undefined) return { record: await recallDeletion(records, id, tx), isRepeat: true }
  await removeAndRemember(records, record, tx)
  return { record, isRepeat: false }
}

export async function removeAndRemember<K extends Kind>(
  records: Stamped<K>,
  record: Kinds[K],
  { team }: Transaction,
): Promise<void> {
  const _id = deletionIdOf(records, record._id)
  await records.remove(record._id)
  // With a seed, an earlier run may have deleted a record of the same id.
  await team.deleted.remove(_id)
  await team.deleted.insert({ _id, record })
  await keepLatest(team.deleted, deletionsRemembered)
}

/** Records of two kinds may have the same id. */
const deletionIdOf = <K extends Kind>({ kind }: Stamped<K>, id: string) => `${kind} ${id}`

async function recallDeletion<K extends Kind>(records: Stamped<K>, id: string, tx: Transaction): Promise<Kinds[K]> {
  const deletion = await tx.team.deleted.get(deletionIdOf(records, id))
  if (!deletion) return refuseUnknownId(id, { promise: 'error.deletingTheUnknownIs404' }, tx)
  if (tx.assumed.deleteAgain === 'notFound') throw new NotFound({ assumption: 'deleteAgain', field: idInPath })
  return deletion.record as Kinds[K]
}
