import { type Kind, type Kinds, kinds } from '../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile } from '../../fixtures/world.ts'

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
