import { kinds } from '../../fixtures/records.ts'
import type { World } from '../../fixtures/world.ts'
import { oneAtATime } from '../../lib/async.ts'
import { newPause } from '../../lib/pause.ts'
import { bytesOf, type MemoryBudget } from './retention.ts'
import { recordsOf, sizeOf, teamOf } from './teams.ts'

/** Worlds that users have saved as a snapshot, by name. */
export interface Snapshots {
  names(): Promise<readonly string[]>
  get(name: string): Promise<StoredSnapshot | undefined>
  /** Describes a snapshot without reading all of its world again. */
  summary(name: string): Promise<SnapshotSummary | undefined>
  /** Replaces the snapshot of that name. A `put` that fails changes nothing. */
  put(name: string, snapshot: StoredSnapshot): Promise<void>
  /** Also resolves if there is no such snapshot. */
  remove(name: string): Promise<void>
}

export interface StoredSnapshot {
  readonly world: World
  /** False for a snapshot of only some teams. */
  readonly isWhole: boolean
}

export interface SnapshotSummary {
  readonly isWhole: boolean
  readonly teams: readonly string[]
  readonly records: number
}

export const summaryOf = ({ world: { teams }, isWhole }: StoredSnapshot): SnapshotSummary => ({
  isWhole,
  teams: teams.map(({ _id }) => _id),
  records: teams.reduce((sum, team) => sum + sizeOf(team), 0),
})

/** The snapshots before this one take too much memory. */
export class SnapshotsAreFull extends Error {}

/** A snapshot shares with the teams, and with other snapshots, the records that have not changed since. */
export class SnapshotsInMemory implements Snapshots {
  readonly #worlds = new Map<string, StoredSnapshot>()
  readonly #present: () => Promise<World>
  readonly #memory: MemoryBudget
  readonly #inOrder = oneAtATime()

  constructor(present: () => Promise<World>, memory: MemoryBudget) {
    this.#present = present
    this.#memory = memory
  }

  async names(): Promise<readonly string[]> {
    return [...this.#worlds.keys()]
  }

  async get(name: string): Promise<StoredSnapshot | undefined> {
    return this.#worlds.get(name)
  }

  async summary(name: string): Promise<SnapshotSummary | undefined> {
    const snapshot = this.#worlds.get(name)
    return snapshot && summaryOf(snapshot)
  }

  put(name: string, snapshot: StoredSnapshot): Promise<void> {
    return this.#inOrder(async () => {
      const others = [...this.#worlds].filter(([other]) => other !== name).map(([, { world }]) => world)
      const bytes = others.length === 0 ? 0 : await bytesBeside([await this.#present(), snapshot.world], others)
      if (bytes > this.#memory.mostOf('snapshots')) throw new SnapshotsAreFull()
      this.#memory.used.snapshots = bytes
      this.#worlds.set(name, snapshot)
    })
  }

  async remove(name: string): Promise<void> {
    this.#worlds.delete(name)
    if (this.#worlds.size < 2) this.#memory.used.snapshots = 0 // the latest counts as nothing
  }
}

/** How many bytes have the records that only `others` have. */
async function bytesBeside(worlds: readonly World[], others: readonly World[]): Promise<number> {
  const pause = newPause()
  const seen = new Set<object>()
  let bytes = 0
  const visit = (part: object, count: boolean) => {
    const more = count && !seen.has(part) ? bytesOf(part) : 0
    seen.add(part)
    bytes += more
    return pause(1 + more / bytesInAStep)
  }
  for (const part of partsOf(worlds)) await visit(part, false)
  for (const part of partsOf(others)) await visit(part, true)
  return bytes
}

/** A step takes about as long for a long record. */
const bytesInAStep = 1_000

function* partsOf(worlds: readonly World[]): Generator<object> {
  for (const team of worlds.flatMap(({ teams }) => teams)) {
    for (const field of Object.values<unknown>({ ...teamOf(team) })) if (typeof field === 'object' && field) yield field
    for (const kind of kinds) yield* recordsOf(team, kind)
  }
}
