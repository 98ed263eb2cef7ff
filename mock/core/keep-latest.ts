import type { Team } from './team.ts'

/** Bounds what is kept of earlier requests: removes the oldest record when there are more than this many. */
export async function keepLatest(records: Team['answers'] | Team['deleted'], most: number): Promise<void> {
  if ((await records.count('all', ['all'])) <= most) return
  const oldest = await records.first('all', 'all')
  if (oldest) await records.remove(oldest._id)
}
