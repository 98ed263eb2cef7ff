import type { Kind, Kinds } from '../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../fixtures/world.ts'
import type { IndexOf } from './indexes.ts'

/** Keeps worlds. What happens in a team's turn is kept whole or not at all. */
export interface Store {
  /** Runs `work` while nothing else touches the team. If it throws, none of its changes is kept. */
  turn<Result>(teamId: string, work: (records: Records, team: TeamOnFile) => Promise<Result>): Promise<Result>

  teamOfKey(apiKey: string): Promise<string | undefined>
  team(teamId: string): Promise<TeamOnFile | undefined>
  teams(): Promise<readonly TeamOnFile[]>
  addTeam(team: TeamInWorld): Promise<void>
  removeTeam(teamId: string): Promise<void>

  /** Becomes this world. A turn that began before commits nothing after. */
  become(world: World): Promise<void>
  /** Everything that is kept, as a world. */
  world(): Promise<World>
  close(): Promise<void>
}

/** The records of one team, by kind, for the length of a turn. */
export type Records = { readonly [K in Kind]: RecordsOf<K> }

export interface RecordsOf<K extends Kind> {
  get(id: string): Promise<Kinds[K] | undefined>
  /** Those with this value of the index, oldest first. */
  find(index: IndexOf<K>, value: string): Promise<readonly Kinds[K][]>
  page(index: IndexOf<K>, values: readonly string[], part: Part): Promise<Page<Kinds[K]>>
  insert(record: Kinds[K]): Promise<void>
  replace(record: Kinds[K]): Promise<void>
  remove(id: string): Promise<void>
}

export interface Part {
  readonly skip: number
  readonly take: number
  readonly order: 'newestFirst' | 'oldestFirst'
}

export interface Page<Record> {
  readonly total: number
  readonly records: readonly Record[]
}

/** The team went away between the credential and the turn. */
export class NoSuchTeam extends Error {
  constructor(teamId: string) {
    super(`No team ${teamId}`)
  }
}
