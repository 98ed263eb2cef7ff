import type { World } from '../../fixtures/world.ts'
import { sizeOf } from './teams.ts'

/** Worlds that users have saved under a name. */
export interface KeptWorlds {
  names(): Promise<readonly string[]>
  get(name: string): Promise<KeptWorld | undefined>
  /** Describes a world without reading all of it again. */
  summary(name: string): Promise<KeptWorldSummary | undefined>
  /** Replaces the world of that name: all of it, or nothing when it fails. */
  put(name: string, kept: KeptWorld): Promise<void>
  /** Resolves if there is none. */
  remove(name: string): Promise<void>
}

export interface KeptWorld {
  readonly world: World
  /** False when it holds some teams only. */
  readonly isWhole: boolean
}

export interface KeptWorldSummary {
  readonly isWhole: boolean
  readonly teams: readonly string[]
  readonly records: number
}

export const summaryOf = ({ world: { teams }, isWhole }: KeptWorld): KeptWorldSummary => ({
  isWhole,
  teams: teams.map(({ _id }) => _id),
  records: teams.reduce((sum, team) => sum + sizeOf(team), 0),
})

export class WorldsInMemory implements KeptWorlds {
  readonly #worlds = new Map<string, KeptWorld>()

  async names(): Promise<readonly string[]> {
    return [...this.#worlds.keys()]
  }

  async get(name: string): Promise<KeptWorld | undefined> {
    return this.#worlds.get(name)
  }

  async summary(name: string): Promise<KeptWorldSummary | undefined> {
    const kept = this.#worlds.get(name)
    return kept && summaryOf(kept)
  }

  async put(name: string, kept: KeptWorld): Promise<void> {
    this.#worlds.set(name, kept)
  }

  async remove(name: string): Promise<void> {
    this.#worlds.delete(name)
  }
}
