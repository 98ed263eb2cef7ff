import { singularOf } from '../../lib/text.ts'
import type { sandbox } from './session.ts'

const kinds = [
  'contacts',
  'conversations',
  'messages',
  'companies',
  'products',
  'deals',
  'quotes',
  'templates',
] as const

export type Counts = readonly (readonly [kind: (typeof kinds)[number], count: number])[]

/** How many records of each kind a team has. */
export function countRecords(team: string, client: typeof sandbox.value): Promise<Counts> {
  return Promise.all(kinds.map(async (kind) => [kind, (await client.records(team, kind, { limit: 1 })).total] as const))
}

/** Such as `3 contacts, 2 deals`. */
export function countsInWords(counts: Counts): string {
  const some = counts.filter(([, count]) => count > 0)
  if (some.length === 0) return 'no records'
  return some.map(([kind, count]) => `${count.toLocaleString()} ${count === 1 ? singularOf(kind) : kind}`).join(', ')
}
