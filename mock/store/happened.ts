import type { Kind, Kinds } from '../../fixtures/records.ts'
import type { TeamInWorld, World } from '../../fixtures/world.ts'
import type { Entry } from './journal.ts'
import type { Change } from './memory-records.ts'

/** One thing that happened, as it is written down: without what was before. */
export type Happened =
  | { readonly turnOf: string; readonly steps: readonly Step[] }
  | { readonly teamAdded: TeamInWorld }
  | { readonly teamRemoved: string }
  | { readonly became: World }

export type Step =
  | { readonly insert: Kind; readonly record: Kinds[Kind] }
  | { readonly replace: Kind; readonly record: Kinds[Kind] }
  | { readonly remove: Kind; readonly id: string }

export function happenedBy(entry: Entry): Happened {
  return 'turnOf' in entry ? { turnOf: entry.turnOf, steps: entry.changes.map(step) } : entry
}

function step({ kind, id, was, is }: Change): Step {
  if (!is) return { remove: kind, id }
  return was ? { replace: kind, record: is } : { insert: kind, record: is }
}
