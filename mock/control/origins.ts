import { createHash } from 'node:crypto'
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
    const kept = await this.#created.get(nameOf(teamId))
    return kept?.world.teams[0] ?? this.#start.get(teamId)
  }

  keep(team: TeamInWorld): Promise<void> {
    return this.#created.put(nameOf(team._id), { world: { teams: [team] }, isWhole: false })
  }

  forget(teamId: string): Promise<void> {
    return this.#created.remove(nameOf(teamId))
  }

  /** After a reset there are the teams of the start only. */
  async forgetAll(): Promise<void> {
    for (const name of await this.#created.names()) await this.#created.remove(name)
  }
}

/** The id, where it can stand in the name of a file: a world may have teams of any id. */
const nameOf = (teamId: string) =>
  /^[a-z0-9][a-z0-9_-]{0,63}$/.test(teamId) ? teamId : `~${createHash('sha256').update(teamId).digest('hex')}`
