import type { TeamInWorld, World } from '../../fixtures/world.ts'
import type { Store } from '../store/port.ts'

/** The initial records of each team, to which its reset brings it back. */
export class Origins {
  readonly #start: ReadonlyMap<string, TeamInWorld>
  readonly #created: Store['origins']

  constructor(start: World, { origins }: Store) {
    this.#start = new Map(start.teams.map((team) => [team._id, team]))
    this.#created = origins
  }

  async of(teamId: string): Promise<TeamInWorld | undefined> {
    return (await this.#created.get(teamId)) ?? this.#start.get(teamId)
  }

  /** Stores the initial records of these teams, and adds the teams: both, or neither. */
  async keepAnd(teams: readonly TeamInWorld[], add: () => Promise<void>): Promise<void> {
    const before = await Promise.all(teams.map(({ _id }) => this.#created.get(_id)))
    await this.#created.put(teams)
    try {
      await add()
    } catch (error) {
      // The first error is reported.
      await this.#created.remove(teams.map(({ _id }) => _id)).catch(() => undefined)
      await this.#created.put(before.filter((team) => team !== undefined)).catch(() => undefined)
      throw error
    }
  }

  /** Forgets all but these teams and the initial teams. */
  async forgetAll(but: readonly TeamInWorld[] = []): Promise<void> {
    const kept = new Set(but.map(({ _id }) => _id))
    const ids = await this.#created.ids()
    await this.#created.remove(ids.filter((id) => !kept.has(id)))
  }
}
