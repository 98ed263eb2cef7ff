import type { TeamOnFile } from '../../fixtures/world.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { Records, Store } from '../store/port.ts'
import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import { type Team, teamOn } from './team.ts'
import type { Turn } from './turn.ts'

interface TeamsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly newAssumed: (teamId: string) => Assumed
  /** Called after a turn that has asked for due work. */
  readonly onDue: (teamId: string) => void
  /** Called after each turn. */
  readonly onTurn?: () => void
}

type Work<Result> = (turn: Turn) => Promise<Result>

/** The one place where turns begin: for requests, for due work and for the control plane. */
export class Teams {
  readonly #options: TeamsOptions
  /** One for each team: a store gives a team the same records in every turn. */
  readonly #teams = new WeakMap<object, Team>()

  constructor(options: TeamsOptions) {
    this.#options = options
  }

  /** Runs `work` with the team to itself. All that it changes is kept, or nothing when it throws. */
  async turn<Result>(
    caller: Caller,
    work: Work<Result>,
    assumed = this.#options.newAssumed(caller.teamId),
  ): Promise<Result> {
    const { store, clock, onDue, onTurn } = this.#options
    const asked = { later: false }
    const result = await store.turn(caller.teamId, (open) => {
      const later = (at: number) => {
        asked.later = true
        open.dueBy(at)
      }
      const team = this.#teamOf(open.records, open.onFile)
      team.tally.begin()
      return work({ team, caller, assumed, clock, later, changed: () => team.tally.changed() })
    })
    if (asked.later) onDue(caller.teamId)
    onTurn?.()
    return result
  }

  /** Runs `work` on the team beside other reads. It must not change anything. */
  read<Result>(caller: Caller, work: Work<Result>, assumed = this.#options.newAssumed(caller.teamId)): Promise<Result> {
    const { store, clock } = this.#options
    return store.read(caller.teamId, ({ records, onFile }) =>
      // A store refuses to write during a read.
      work({
        team: this.#teamOf(records as Records, onFile),
        caller,
        assumed,
        clock,
        later: readsOnly,
        changed: nothing,
      }),
    )
  }

  /** Does due work in the team, and keeps when its next work is due. */
  async runDue(teamId: string, work: Work<number | undefined>): Promise<number | undefined> {
    const { store, clock, newAssumed, onTurn } = this.#options
    const due = await store.turn(teamId, async (open) => {
      const team = this.#teamOf(open.records, open.onFile)
      team.tally.begin()
      const later = (at: number) => {
        open.dueBy(at)
      }
      const next = await work({ team, caller: { teamId }, assumed: newAssumed(teamId), clock, later, changed: nothing })
      open.dueNext(next)
      return next
    })
    onTurn?.()
    return due
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

const nothing = () => []

function readsOnly(): never {
  throw new Error('A read asked for due work')
}
