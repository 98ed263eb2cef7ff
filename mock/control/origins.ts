import type { TeamInWorld, World } from '../../fixtures/world.ts'
import type { Store } from '../store/port.ts'

/** What each team started from, to which its reset brings it back. */
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

  /** Stores what the teams start from, and adds them: both, or neither. */
  async keepAnd(teams: readonly TeamInWorld[], add: () => Promise<void>): Promise<void> {
    const before = await Promise.all(teams.map(({ _id }) => this.#created.get(_id)))
    await this.#created.put(teams)
    try {
      await add()
    } catch (error) {
      await this.#created.remove(teams.map(({ _id }) => _id)).catch(ignore)
      await this.#created.put(before.filter((team) => team !== undefined)).catch(ignore)
      throw error
    }
  }

  /** Likewise for teams that come back: one that was deleted, or that a reset ended, starts from what it comes back as. */
  async keepUnknownAnd(teams: readonly TeamInWorld[], add: () => Promise<void>): Promise<void> {
    const known = await Promise.all(teams.map(({ _id }) => this.of(_id)))
    await this.keepAnd(
      teams.filter((_, at) => known[at] === undefined),
      add,
    )
  }

  keep(team: TeamInWorld): Promise<void> {
    return this.#created.put([team])
  }

  forget(teamId: string): Promise<void> {
    return this.#created.remove([teamId])
  }

  /** After a reset there are the teams of the start only, and after a world was loaded those of that world. */
  async forgetAll(but: readonly TeamInWorld[] = []): Promise<void> {
    const kept = new Set(but.map(({ _id }) => _id))
    const ids = await this.#created.ids()
    await this.#created.remove(ids.filter((id) => !kept.has(id)))
  }
}

/** The first error is reported. */
const ignore = () => undefined
