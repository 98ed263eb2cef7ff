import type { World } from '../../fixtures/world.ts'
import { sizeOf } from './teams.ts'

/** Worlds that users have saved as a snapshot, by name. */
export interface Snapshots {
  names(): Promise<readonly string[]>
  get(name: string): Promise<StoredSnapshot | undefined>
  /** Describes a snapshot without reading all of its world again. */
  summary(name: string): Promise<SnapshotSummary | undefined>
  /** Replaces the snapshot of that name. A `put` that fails changes nothing. */
  put(name: string, kept: StoredSnapshot): Promise<void>
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

export class SnapshotsInMemory implements Snapshots {
  readonly #worlds = new Map<string, StoredSnapshot>()

  async names(): Promise<readonly string[]> {
    return [...this.#worlds.keys()]
  }

  async get(name: string): Promise<StoredSnapshot | undefined> {
    return this.#worlds.get(name)
  }

  async summary(name: string): Promise<SnapshotSummary | undefined> {
    const kept = this.#worlds.get(name)
    return kept && summaryOf(kept)
  }

  async put(name: string, kept: StoredSnapshot): Promise<void> {
    this.#worlds.set(name, kept)
  }

  async remove(name: string): Promise<void> {
    this.#worlds.delete(name)
  }
}
