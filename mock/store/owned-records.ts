import { type Kind, type Kinds, kinds } from '../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile } from '../../fixtures/world.ts'
import { recordsOf, teamWith } from './team-and-records.ts'

type Own<K extends Kind> = (record: Kinds[K], teamId: string) => Kinds[K]

/** The kinds whose records name their team, and how such a record becomes another team's. */
const owners: { readonly [K in Kind]?: Own<K> } = {
  contacts: (contact, teamId) => ({ ...contact, teamId }),
  conversations: (conversation, teamId) => ({ ...conversation, teamId }),
  companies: (company, teamId) => ({ ...company, teamId }),
  deleted: (deleted, teamId) => ({ ...deleted, record: ownNested(deleted.record, teamId) }),
}

/** Undefined for the other kinds, whose records every team can share. */
export function ownerOf<K extends Kind>(kind: K): Own<K> | undefined {
  return owners[kind]
}

function ownNested(record: unknown, teamId: string): unknown {
  return typeof record === 'object' && record !== null && 'teamId' in record ? { ...record, teamId } : record
}

/** Another team with the records of this one, which become its own. */
export function inWorldOf(onFile: TeamOnFile, records: TeamInWorld): TeamInWorld {
  return teamWith(onFile, (kind) => ownAll(kind, records, onFile._id))
}

function ownAll<K extends Kind>(kind: K, from: TeamInWorld, teamId: string): readonly Kinds[K][] {
  const own = ownerOf(kind)
  const records = recordsOf(from, kind)
  return own ? records.map((record) => own(record, teamId)) : records
}

/** How many records a team has, of all kinds. */
export const sizeOf = (team: TeamInWorld) => kinds.reduce((sum, kind) => sum + recordsOf(team, kind).length, 0)
