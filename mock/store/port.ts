import { randomBytes } from 'node:crypto'
import type { Kind, Kinds } from '../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile, World } from '../../fixtures/world.ts'
import type { Awaitable } from '../../lib/async.ts'
import type { IndexOf } from './indexes.ts'
import type { Snapshots } from './snapshots.ts'

/** The records of a new store, or the function that loads them. */
export type InitialWorld = World | (() => Promise<World>)

export const loadInitial = async (world: InitialWorld): Promise<World> =>
  typeof world === 'function' ? world() : world

/** Stores teams with their records, and the state that all processes on them share. */
export interface Store {
  /** Runs `work`, which changes nothing, on committed records. Several reads may run at once. */
  read<Result>(teamId: string, work: (team: ReadTeam) => Awaitable<Result>, reader?: Reader): Promise<Result>
  /**
   * Runs `work` as if nothing else touched the team. All of its changes are kept, or none when it throws. May run `work`
   * again (a serializable store retries), so `work` has no effect but on records.
   */
  transaction<Result>(
    teamId: string,
    work: (team: StoreTransaction) => Awaitable<Result>,
    reader?: Reader,
  ): Promise<Result>

  teamOfKey(apiKey: string): Awaitable<string | undefined>
  team(teamId: string): Promise<TeamOnFile | undefined>
  teams(): Promise<readonly TeamOnFile[]>
  addTeam(team: TeamInWorld): Promise<void>
  /** The team as it was added, or as the last `replaceAll` named it in `initialRecords`. */
  initialRecords(teamId: string): Promise<TeamInWorld | undefined>
  removeTeam(teamId: string): Promise<void>
  /** Replaces all records of a team in one transaction. The team itself stays. */
  restoreTeam(teamId: string, records: TeamInWorld): Promise<void>
  /** One team, as in a world. */
  teamInWorld(teamId: string, reader?: Reader): Promise<TeamInWorld>
  /** A part of the committed records of a kind, oldest first. */
  page<K extends Kind>(teamId: string, kind: K, part: Omit<Part, 'order'>, reader?: Reader): Promise<Page<Kinds[K]>>
  /**
   * All committed records of a kind, oldest first, in parts. A commit between two parts may be seen. A store may leave out
   * records that are all ASCII and do not contain the text in any case.
   */
  scan<K extends Kind>(teamId: string, kind: K, text?: string, reader?: Reader): AsyncIterable<readonly Kinds[K][]>

  /**
   * Replaces everything with this world and begins a new generation. Running transactions are rolled back. A team of the
   * world without an entry in `initialRecords` has none.
   */
  replaceAll(world: World, initialRecords?: readonly TeamInWorld[]): Promise<void>
  /**
   * Replaces everything with a snapshot, which need not fit in memory. `addedOf` receives its teams, and returns those that begin
   * with what it has of them; the others keep their initial records. Undefined where snapshots and teams share records.
   */
  restoreSnapshot?(name: string, addedOf: (teams: readonly TeamOnFile[]) => Promise<readonly string[]>): Promise<void>
  /** All teams and records. */
  world(reader?: Reader): Promise<World>
  /** How much it has. A database estimates the records. */
  size(): Promise<{ readonly teams: number; readonly records: number }>
  /** The work of this process on a database. */
  readonly work?: () => DatabaseWork
  close(): Promise<void>

  /** A reset does not delete them. */
  readonly snapshots: Snapshots

  /** Shared by all processes on this store until the next reset. */
  generation(): Promise<Generation>
  /**
   * Adds one to a counter. A counter that has ended starts again, and ends at `until`; so does a counter that would end
   * more than `clockTolerance` later, since it started before the clock was set back.
   */
  count(name: string, now: number, until: number): Promise<Count>
  /**
   * Leases the team with the earliest due work that has no lease. Leases are in real time, since `now` may stand still. A
   * lease ends when a transaction schedules work of the team, or at `leaseUntil`, so that work survives the process. A
   * team with records that may wait for a time is due at 0 after an open or a reset.
   */
  claimDue(now: number, leasedAt: number, leaseUntil: number): Promise<string | undefined>
  /** When the next work is due, leased or not; undefined when none is. */
  nextDue(): Promise<number | undefined>
  /** Undefined for a store that only one process can open. */
  readonly shared?: SharedState | undefined
}

/** The request for which a store reads. */
export interface Reader {
  /**
   * A shared store rejects with `SettingsChanged` unless the settings have this version, which saves the reader a round trip to
   * ask for it.
   */
  readonly settings?: number | undefined
  /** Called by a store with copies of its records, before it keeps so many bytes of them. A negative number gives bytes back. */
  readonly hold?: Hold | undefined
}

export type Hold = (bytes: number) => void

/** Memory that a reader holds for a while. */
export class Lease implements Reader {
  readonly #reader: Reader
  #bytes = 0

  constructor(reader: Reader) {
    this.#reader = reader
  }

  readonly hold = (bytes: number): void => {
    this.#reader.hold?.(bytes)
    this.#bytes += bytes
  }

  /** Gives it back, but for this part. */
  end(kept = 0): void {
    if (this.#bytes > 0) this.#reader.hold?.(-Math.floor(this.#bytes * (1 - kept)))
    this.#bytes = 0
  }
}

/** The connections are as of now; the counts are since the start. */
export interface DatabaseWork {
  readonly openConnections: number
  readonly idleConnections: number
  /** Requests that wait for a connection. */
  readonly waiting: number
  /** Changes that wait for an earlier change of their team. */
  readonly queued: number
  readonly roundTrips: number
  /** Statements that were repeated since their answer was lost. */
  readonly retries: number
  /** Attempts that another change of the team has made void. */
  readonly conflicts: number
  /** Of the reads and changes of the last 30 seconds. */
  readonly recent: Outcomes
}

export interface Outcomes {
  readonly succeeded: number
  readonly failed: number
  /** Whether none has succeeded, and one has failed a moment ago. */
  readonly areAllFailing: boolean
}

/** The state of all processes on a store, besides records. */
export interface SharedState {
  /**
   * The changes of all processes since the version `known`; undefined if there are none. The version grows with each change of
   * settings and of teams. One round trip, since it precedes every request.
   */
  observe(known: number | undefined): Promise<Observed | undefined>
  /** In one statement, since an idle process asks for it all the time. */
  poll(): Promise<Polled>
  /**
   * Replaces the settings of a team, or those for all teams, as if nothing else touched them, unless `work` throws. May run
   * `work` again.
   */
  change(teamId: string | undefined, work: (settings: object) => object): Promise<void>
  readonly tallies: Tallies
  readonly remoteQueries: RemoteQueries
  /** Makes all work fail that the database has not answered, and all later work, so that a process can end. */
  abandon(): void
  /** A text that differs after each commit of the team; without an id, of any team. */
  revision(teamId: string | undefined): Promise<string>
}

export interface Polled {
  readonly version: number
  /** When the next work is due. */
  readonly nextDue: number | undefined
  /** A text that differs after each commit of any process. It may also differ without one. */
  readonly commits: string
}

export interface Observed {
  readonly version: number
  readonly changed: readonly ObservedSettings[]
  /** Whether servers query each other. */
  readonly hasRemoteQueries: boolean
}

/** The changed settings of a team, or those for all teams. */
export interface ObservedSettings {
  readonly teamId: string | undefined
  /** As in JSON; empty at first. A reset does not delete them. Undefined when the team was removed. */
  readonly settings: object | undefined
  readonly apiKeys: readonly string[]
}

/** Queries of the servers on a store to each other, with their answers. */
export interface RemoteQueries {
  /** Makes the others expect answers of this server for 15 seconds. */
  announce(server: ServerOnStore): Promise<void>
  /** The others no longer expect answers of this server. */
  leave(server: ServerOnStore): Promise<void>
  /** Asks all others, and waits up to two seconds. */
  ask(server: ServerOnStore, query: string): Promise<RemoteAnswers>
  /** Answers the queries of others that this server has not answered. */
  answer(server: ServerOnStore, answerTo: (query: string) => Promise<string>): Promise<void>
}

export interface ServerOnStore {
  readonly id: string
  /** For people. */
  readonly name: string
}

export interface RemoteAnswers {
  readonly answers: readonly string[]
  /** The names of the servers that did not answer in time. */
  readonly unanswered: readonly string[]
}

/** Counters beside the settings, so that a count does not change these. A reset does not delete them. */
export interface Tallies {
  /** Adds one to each, unless it has reached `most`. Returns the new counts; undefined for one that has not changed. */
  add(tallies: readonly TallyName[], most?: number): Awaitable<readonly (number | undefined)[]>
  /** By name. */
  all(): Awaitable<ReadonlyMap<string, number>>
  remove(tallies: readonly TallyName[]): Awaitable<void>
}

/** The name is unique; the team, if it is about one, says where it is stored. */
export interface TallyName {
  readonly team: string | undefined
  readonly name: string
}

/** In milliseconds. The clocks of two processes on a store may differ by this. */
export const clockTolerance = 1_000

export interface Count {
  readonly times: number
  /** When the counter starts again. */
  readonly until: number
}

/** From one reset to the next. */
export interface Generation {
  readonly epoch: number
  /** Signs tokens, so that no token outlives a reset. */
  readonly tokenSecret: string
}

/** The generation of this number, with a new secret. */
export const newGeneration = (epoch: number): Generation => ({
  epoch,
  tokenSecret: randomBytes(32).toString('base64url'),
})

/** A team for the length of a read. */
export interface ReadTeam {
  readonly onFile: TeamOnFile
  readonly records: ReadRecords
}

/** A team for the length of a transaction. */
export interface StoreTransaction {
  readonly onFile: TeamOnFile
  readonly records: Records
  /** Schedules work at this time. An earlier time that was set before counts. Committed with the changes. */
  scheduleAt(at: number): void
  /** Sets when the next work is due, if there is any, in place of all earlier times. Committed with the changes. */
  scheduleNext(next: number | undefined): void
}

/** The records of one team, by kind. */
export type ReadRecords = { readonly [K in Kind]: ReadRecordsOf<K> }
export type Records = { readonly [K in Kind]: RecordsOf<K> }

interface ReadRecordsOf<K extends Kind> {
  get(id: string): Awaitable<Kinds[K] | undefined>
  /** In the order of the ids; those that do not exist are left out. An id that occurs twice is found twice. */
  getMany(ids: readonly string[]): Awaitable<readonly Kinds[K][]>
  /** The records with this value of the index, oldest first. */
  find(index: IndexOf<K>, value: string): Awaitable<readonly Kinds[K][]>
  /** The oldest record with this value of the index. */
  first(index: IndexOf<K>, value: string): Awaitable<Kinds[K] | undefined>
  /** The latest record with this value of the index. */
  last(index: IndexOf<K>, value: string): Awaitable<Kinds[K] | undefined>
  /** A part of the records with one of these values, of an index that gives each record one value. */
  page(index: IndexOf<K>, values: readonly string[], part: Part): Awaitable<Page<Kinds[K]>>
  /** How many records have one of these values, of an index that gives each record one value. */
  count(index: IndexOf<K>, values: readonly string[]): Awaitable<number>
}

export interface RecordsOf<K extends Kind> extends ReadRecordsOf<K> {
  insert(record: Kinds[K]): Awaitable<void>
  insertAll(records: readonly Kinds[K][]): Awaitable<void>
  replace(record: Kinds[K]): Awaitable<void>
  /** Also resolves if there is no such record. */
  remove(id: string): Awaitable<void>
  /** Removes the records with this value of the index, and returns their number. */
  removeWhere(index: IndexOf<K>, value: string): Awaitable<number>
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

/** The team does not exist, or was removed while it was worked on. */
export class NoSuchTeam extends Error {
  readonly teamId: string

  constructor(teamId: string) {
    super(`No team ${teamId}`)
    this.teamId = teamId
  }
}

/** A change could not be stored, and was rolled back. The store recovers as soon as its disk or its database does. */
export class StoreUnreachable extends Error {}

/** The caller relies on settings that another process has changed. */
export class SettingsChanged extends Error {}

/** A newer version has changed the tables of the database, and this version cannot read them. */
export class StoreOutdated extends StoreUnreachable {}

/** A snapshot cannot be read or written. The message says why, and what to do. */
export class UnusableSnapshot extends Error {}
