import type { TeamOnFile } from '../../fixtures/world.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { Records, Store } from '../store/store.ts'
import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import { type Team, teamOn } from './team.ts'
import type { Turn } from './turn.ts'

export interface TeamsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly newAssumed: () => Assumed
  /** Told when a turn has asked for work at a later time. */
  readonly onLater: (teamId: string, at: number) => void
}

/** The one place where a turn begins: requests, due work and the control plane all work with what they get here. */
export class Teams {
  readonly #options: TeamsOptions
  /** One for each team: a store gives a team the same records in every turn. */
  readonly #teams = new WeakMap<Records, Team>()

  constructor(options: TeamsOptions) {
    this.#options = options
  }

  /** Runs `work` with the team to itself. All that it changes is kept, or nothing when it throws. */
  async turn<Result>(
    caller: Caller,
    work: (turn: Turn) => Promise<Result>,
    assumed: Assumed = this.#options.newAssumed(),
  ): Promise<Result> {
    const { store, clock, onLater } = this.#options
    const { teamId } = caller
    let due: number | undefined
    const later = (at: number) => {
      due = Math.min(at, due ?? at)
    }
    const result = await store.turn(teamId, (records, onFile) =>
      work({ team: this.#teamOf(records, onFile), caller, assumed, clock, later }),
    )
    if (due !== undefined) onLater(teamId, due)
    return result
  }

  #teamOf(records: Records, onFile: TeamOnFile): Team {
    const known = this.#teams.get(records)
    if (known) return known
    const { clock, ids } = this.#options
    const team = teamOn(records, onFile, clock, ids)
    this.#teams.set(records, team)
    return team
  }
}
