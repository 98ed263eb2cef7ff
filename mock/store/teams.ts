import { type Kind, type Kinds, kinds } from '../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile } from '../../fixtures/world.ts'
import { inSteps } from '../../lib/pause.ts'

/** The team without what it owns. */
export function teamOf(inWorld: TeamInWorld): TeamOnFile {
  const own = Object.entries(inWorld).filter(([field]) => !isKind(field))
  return Object.fromEntries(own) as unknown as TeamOnFile
}

export function recordsOf<K extends Kind>(inWorld: TeamInWorld, kind: K): readonly Kinds[K][] {
  const owned: { readonly [Of in Kind]?: readonly Kinds[Of][] } = inWorld
  return owned[kind] ?? []
}

/** The team with its records in the order of creation. Kinds without records are left out. */
export function teamWith(team: TeamOnFile, records: (kind: Kind) => readonly Kinds[Kind][]): TeamInWorld {
  const owned = kinds.map((kind) => [kind, records(kind)] as const).filter(([, some]) => some.length > 0)
  return { ...team, ...Object.fromEntries(owned) }
}

const isKind = (field: string) => (kinds as readonly string[]).includes(field)

/** A team has a store for each kind of records, and their indexes. */
export const stepsOfTeam = 5

/** The number of records of all kinds. */
export function sizeOf(team: TeamInWorld): number {
  let size = 0
  for (const kind of kinds) size += team[kind]?.length ?? 0
  return size
}

/** Whether some of its records wait for a time: bulk sends, or templates for their approval. */
export const mayBeDue = ({ bulkSends = [], templates = [] }: Partial<TeamInWorld>) =>
  bulkSends.length > 0 || templates.some(({ approveAt }) => approveAt !== undefined)

/** Another team with the records of this one, which name it as their team. */
export async function inWorldOf(onFile: TeamOnFile, records: TeamInWorld): Promise<TeamInWorld> {
  const copies = new Map<Kind, Kinds[Kind][]>()
  for (const kind of kinds) {
    const ofKind: Kinds[Kind][] = []
    for await (const record of inSteps(recordsOf(records, kind))) ofKind.push(owned(kind, record, onFile._id))
    copies.set(kind, ofKind)
  }
  return teamWith(onFile, (kind) => copies.get(kind) ?? [])
}

function owned(kind: Kind, record: Kinds[Kind], teamId: string): Kinds[Kind] {
  if (kind === 'contacts' || kind === 'conversations' || kind === 'companies') {
    const isOwn = 'teamId' in record && record.teamId === teamId
    return isOwn ? record : { ...record, teamId }
  }
  if (kind !== 'deleted') return record
  const { record: deleted } = record as Kinds['deleted']
  const namesTeam = typeof deleted === 'object' && deleted !== null && 'teamId' in deleted
  return namesTeam ? { ...record, record: { ...deleted, teamId } } : record
}
