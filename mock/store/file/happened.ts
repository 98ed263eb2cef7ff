import type { Kind, Kinds } from '../../../fixtures/records.ts'
import type { TeamInWorld, World } from '../../../fixtures/world.ts'
import type { Entry } from '../memory/journal.ts'
import type { Change } from '../memory/memory-records.ts'
import { writeEra, type WrittenEra } from './written-era.ts'

/** Something that happened, as the log holds it: without what was before. */
export type Happened =
  | { readonly turnOf: string; readonly steps: readonly Step[] }
  | { readonly teamAdded: TeamInWorld }
  | { readonly teamRemoved: string }
  | { readonly became: World; readonly era: WrittenEra }

export type Step =
  | { readonly insert: Kind; readonly record: Kinds[Kind] }
  | { readonly replace: Kind; readonly record: Kinds[Kind] }
  | { readonly remove: Kind; readonly id: string }

export function happenedBy(entry: Entry): Happened {
  if ('turnOf' in entry) return { turnOf: entry.turnOf, steps: entry.changes.map(stepOf) }
  return 'became' in entry ? { became: entry.became, era: writeEra(entry.era) } : entry
}

function stepOf({ kind, id, was, is }: Change): Step {
  if (!is) return { remove: kind, id }
  return was ? { replace: kind, record: is } : { insert: kind, record: is }
}
