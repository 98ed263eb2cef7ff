import { createHash } from 'node:crypto'
import type { TeamInWorld, World } from '../../fixtures/world.ts'
import type { KeptWorld } from '../store/kept-worlds.ts'
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
    const kept = await this.#created.get(nameOf(teamId))
    return kept?.world.teams[0] ?? this.#start.get(teamId)
  }

  /** Keeps what the teams start from, and adds them; a disk that fills up on the way leaves it as it was. */
  async keepAnd(teams: readonly TeamInWorld[], add: () => Promise<void>): Promise<void> {
    const before = await Promise.all(teams.map((team) => this.#kept(team._id)))
    try {
      for (const team of teams) await this.keep(team)
      await add()
    } catch (error) {
      for (const [at, { _id }] of teams.entries()) await this.#putBack(_id, before[at]).catch(ignore)
      throw error
    }
  }

  /** Likewise for teams that come back: one that was deleted, or that a reset ended, starts from what it comes back as. */
  async keepUnknownAnd(teams: readonly TeamInWorld[], add: () => Promise<void>): Promise<void> {
    const known = await Promise.all(teams.map(({ _id }) => this.of(_id).catch(ignore)))
    await this.keepAnd(
      teams.filter((_, at) => known[at] === undefined),
      add,
    )
  }

  keep(team: TeamInWorld): Promise<void> {
    return this.#created.put(nameOf(team._id), { world: { teams: [team] }, isWhole: false })
  }

  forget(teamId: string): Promise<void> {
    return this.#created.remove(nameOf(teamId))
  }

  /** After a reset there are the teams of the start only, and after a world was loaded those of that world. */
  async forgetAll(but: readonly TeamInWorld[] = []): Promise<void> {
    const kept = new Set(but.map(({ _id }) => nameOf(_id)))
    for (const name of await this.#created.names()) if (!kept.has(name)) await this.#created.remove(name)
  }

  /** What cannot be read is as good as not there. */
  async #kept(teamId: string): Promise<KeptWorld | undefined> {
    return this.#created.get(nameOf(teamId)).catch(ignore)
  }

  #putBack(teamId: string, kept: KeptWorld | undefined): Promise<void> {
    return kept ? this.#created.put(nameOf(teamId), kept) : this.forget(teamId)
  }
}

/** The first error is told. */
const ignore = () => undefined

/** The id, where it can stand in the name of a file: a world may have teams of any id. */
const nameOf = (teamId: string) =>
  /^[a-z0-9][a-z0-9_-]{0,63}$/.test(teamId) ? teamId : `~${createHash('sha256').update(teamId).digest('hex')}`
