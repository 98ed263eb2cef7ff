import type { World } from '../../fixtures/world.ts'

/** Worlds that are kept under names, beside what a store works on. Their records are shared with it where they can be. */
export interface KeptWorlds {
  names(): Promise<readonly string[]>
  get(name: string): Promise<KeptWorld | undefined>
  /** Replaces what was kept under the name: all of it, or nothing when it fails. */
  put(name: string, kept: KeptWorld): Promise<void>
  /** It is fine if there is none. */
  remove(name: string): Promise<void>
}

export interface KeptWorld {
  readonly world: World
  /** Whether it is all that there was, or some teams of it. */
  readonly isWhole: boolean
}

export class WorldsInMemory implements KeptWorlds {
  readonly #worlds = new Map<string, KeptWorld>()

  async names(): Promise<readonly string[]> {
    return [...this.#worlds.keys()]
  }

  async get(name: string): Promise<KeptWorld | undefined> {
    return this.#worlds.get(name)
  }

  async put(name: string, kept: KeptWorld): Promise<void> {
    this.#worlds.set(name, kept)
  }

  async remove(name: string): Promise<void> {
    this.#worlds.delete(name)
  }
}
