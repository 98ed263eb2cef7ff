import type { Kind, Kinds } from '../../fixtures/records.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { NotFound } from '../core/refusals.ts'
import type { Stamped } from '../core/team.ts'
import type { Turn } from '../core/turn.ts'
import { found } from './found.ts'

const deletionsRemembered = 10_000

/**
 * promise company.deletedIsGone, product.deletedIsGone and so on: what is deleted is gone. Deleting it again is not
 * documented, so the latest deletions are remembered for who tries.
 */
export async function deleted<K extends Kind>(
  records: Stamped<K>,
  id: string,
  turn: Turn,
): Promise<{ record: Kinds[K]; again: boolean }> {
  const record = await records.get(id)
  if (record === undefined) return { record: await deletedBefore(records, id, turn), again: true }
  await removeAndRemember(records, record, turn)
  return { record, again: false }
}

/** As a record goes that nobody named: together with another. */
export async function removeAndRemember<K extends Kind>(
  records: Stamped<K>,
  record: Kinds[K],
  { team }: Turn,
): Promise<void> {
  const _id = deletionOf(records, record._id)
  await records.remove(record._id)
  // A record of that id may have been there before, in an earlier run with the same seed.
  await team.deleted.remove(_id)
  await team.deleted.insert({ _id, record })
  const { total, records: oldest } = await team.deleted.page('all', ['all'], { skip: 0, take: 1, order: 'oldestFirst' })
  if (total > deletionsRemembered) for (const { _id } of oldest) await team.deleted.remove(_id)
}

/** Records of two kinds may have one id. */
const deletionOf = <K extends Kind>({ kind }: Stamped<K>, id: string) => `${kind} ${id}`

async function deletedBefore<K extends Kind>(records: Stamped<K>, id: string, turn: Turn): Promise<Kinds[K]> {
  const before = await turn.team.deleted.get(deletionOf(records, id))
  if (!before) return found<Kinds[K]>(undefined, id, turn)
  deleteAgain[turn.assumed.deleteAgain]()
  return before.record as Kinds[K]
}

const deleteAgain: ByChoice<'deleteAgain', () => void> = {
  notFound: () => {
    throw new NotFound()
  },
  succeeds: () => undefined,
}
