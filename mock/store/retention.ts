import { getHeapStatistics } from 'node:v8'
import { type Awaitable, bothOf } from '../../lib/async.ts'
import type { Sized } from '../../fixtures/records.ts'

export const mebibyte = 1024 * 1024

/** The uses of memory beside the records of teams. */
export const memoryUses = ['requests', 'answers', 'rules', 'journal', 'kept', 'snapshots'] as const
type MemoryUse = (typeof memoryUses)[number]

/** The part of the memory that each use may take. Work in flight may take all the rest. */
const shares = {
  rules: 1 / 12,
  journal: 1 / 12,
  /** The records of all snapshots but the latest that no team has. */
  snapshots: 1 / 12,
  /** The stored responses, and the copies of deleted contacts. */
  kept: 1 / 6,
  /** The stored responses of a team, and as much for the copies of its deleted contacts. */
  keptOfTeam: 1 / 16,
}

/** No memory is free for a request. */
export class NoMemoryFree extends Error {
  override readonly message = 'No memory is free for the request'
}

/** The bytes that requests in flight, rules and all that is kept beside the records take together. */
export class MemoryBudget {
  readonly most: number
  readonly used: Record<MemoryUse, number> = { requests: 0, answers: 0, rules: 0, journal: 0, kept: 0, snapshots: 0 }
  /** Removes the oldest requests of the journal that have so many bytes. */
  shrinkJournal: (bytes: number) => void = () => undefined

  constructor(most = Math.min(192 * mebibyte, Math.floor(getHeapStatistics().heap_size_limit / 3))) {
    this.most = most
  }

  mostOf(share: keyof typeof shares): number {
    return Math.floor(this.most * shares[share])
  }

  /** Takes bytes for work in flight; false when none are free. */
  take(use: 'requests' | 'answers', bytes: number): boolean {
    if (bytes > this.#free()) this.shrinkJournal(bytes - this.#free())
    if (bytes > this.#free()) return false
    this.used[use] += bytes
    return true
  }

  give(use: 'requests' | 'answers', bytes: number): void {
    this.used[use] -= bytes
  }

  #free(): number {
    return Object.values(this.used).reduce((free, bytes) => free - bytes, this.most)
  }
}

/** About how many bytes a value takes in memory. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 16 + Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 16
  if (Array.isArray(value)) for (const item of value) bytes += bytesOf(item)
  else for (const name in value) bytes += name.length + bytesOf(value[name as keyof typeof value])
  return bytes
}

export const keptKinds = ['answers', 'deleted'] as const
type KeptKind = (typeof keptKinds)[number]

interface SizedRecord extends Sized {
  readonly _id: string
}

interface FirstPart {
  readonly skip: 0
  readonly take: number
  readonly order: 'oldestFirst'
}

/** The kept records of a kind of a team. */
interface KeptRecords {
  first(index: 'all', value: string): Awaitable<SizedRecord | undefined>
  last(index: 'all', value: string): Awaitable<SizedRecord | undefined>
  page(
    index: 'all',
    values: readonly string[],
    part: FirstPart,
  ): Awaitable<{ readonly records: readonly SizedRecord[] }>
  remove(id: string): Awaitable<void>
}

/** Sets the sizes of new records, inserts them and removes the oldest above the limit. Returns how many bytes are left. */
export async function keepLatest<Record extends SizedRecord>(
  records: KeptRecords & { insert(record: Record): Awaitable<unknown> },
  added: readonly Record[],
  most: number,
): Promise<number> {
  const ends = readEnds(records)
  const [first, last] = ends instanceof Promise ? await ends : ends
  let bytesUpTo = last?.bytesUpTo ?? 0
  for (const record of added) {
    const size: { bytes?: number; bytesUpTo?: number } = record
    // A smaller record counts as much, so that there are at most 10,000.
    size.bytes = Math.max(Math.ceil(most / 10_000), bytesOf(record))
    size.bytesUpTo = bytesUpTo += size.bytes
    const inserted = records.insert(record)
    if (inserted instanceof Promise) await inserted
  }
  const oldest = first ?? added[0]
  const bytes = oldest ? bytesFrom(oldest, bytesUpTo) : 0
  return bytes > most ? removeOldest(records, bytesUpTo, most) : bytes
}

/** Removes the oldest records above so many bytes. Returns how many are left. */
export async function keepWithin(most: number, records: KeptRecords): Promise<number> {
  const [first, last] = await readEnds(records)
  const bytesUpTo = last?.bytesUpTo ?? 0
  const bytes = first ? bytesFrom(first, bytesUpTo) : 0
  return bytes > most ? removeOldest(records, bytesUpTo, most) : bytes
}

export const readEnds = (records: KeptRecords) => bothOf(records.first('all', 'all'), records.last('all', 'all'))

/** The bytes of this record and of all later ones. */
const bytesFrom = ({ bytes = 0, bytesUpTo = 0 }: Sized, end: number) => end - bytesUpTo + bytes

async function removeOldest(records: KeptRecords, bytesUpTo: number, most: number): Promise<number> {
  // A sixteenth more than needed, since the next request adds a record too.
  const left = (most * 15) / 16
  for (;;) {
    const { records: some } = await records.page('all', ['all'], { skip: 0, take: removedAtOnce, order: 'oldestFirst' })
    const firstToKeep = some.find((record) => bytesFrom(record, bytesUpTo) <= left)
    for (const { _id } of some) {
      if (_id === firstToKeep?._id) return bytesFrom(firstToKeep, bytesUpTo)
      await records.remove(_id)
    }
    if (some.length === 0) return 0
  }
}

const removedAtOnce = 100

/** How many bytes each team keeps. */
export class KeptBytes {
  /** Whether all teams together keep too many. */
  areTooMany = false
  /** The most of a kind in a team. */
  readonly mostOfTeam: number
  readonly #memory: MemoryBudget
  readonly #ofTeams = new Map<string, Record<KeptKind, number>>()

  constructor(memory: MemoryBudget) {
    this.#memory = memory
    this.mostOfTeam = memory.mostOf('keptOfTeam')
  }

  set(teamId: string, kind: KeptKind, bytes: number): void {
    let ofTeam = this.#ofTeams.get(teamId)
    if (!ofTeam) this.#ofTeams.set(teamId, (ofTeam = { answers: 0, deleted: 0 }))
    this.#memory.used.kept += bytes - ofTeam[kind]
    ofTeam[kind] = bytes
    this.areTooMany = this.#memory.used.kept > this.#memory.mostOf('kept')
  }

  forget(teamId: string): void {
    for (const kind of keptKinds) this.set(teamId, kind, 0)
    this.#ofTeams.delete(teamId)
  }

  /** Halves the bytes of the team that keeps most. The caller removes its older records. */
  halveLargest(): { readonly teamId: string; readonly most: Readonly<Record<KeptKind, number>> } {
    let largest = ''
    let most = { answers: 0, deleted: 0 }
    for (const [teamId, ofTeam] of this.#ofTeams)
      if (ofTeam.answers + ofTeam.deleted > most.answers + most.deleted) [largest, most] = [teamId, ofTeam]
    for (const kind of keptKinds) this.set(largest, kind, Math.floor(most[kind] / 2))
    return { teamId: largest, most: { ...most } }
  }
}
