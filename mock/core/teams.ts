import type { TeamOnFile } from '../../fixtures/world.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { Records, Store } from '../store/port.ts'
import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import { teamOn, type Team } from './team.ts'
import type { Transaction } from './transaction.ts'
import { createHmac, randomBytes } from 'node:crypto'

interface TeamsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly newAssumed: (teamId: string) => Assumed
  /** Called after a transaction that scheduled work. */
  readonly onDue: (teamId: string) => void
  /** Called after each transaction. */
  readonly onCommit?: (teamId: string) => void
}

type Work<Result> = (tx: Transaction) => Promise<Result>

/** Starts the transactions of requests, due work and the control plane. */
export class Teams {
  readonly #options: TeamsOptions
  /** One for each team: a store gives a team the same records in every transaction. */
  readonly #teams = new WeakMap<object, Team>()

  constructor(options: TeamsOptions) {
    this.#options = options
  }

  /** Runs `work` in a transaction of the team: all of its changes are stored, or none when it throws. */
  async transaction<Result>(
    caller: Caller,
    work: Work<Result>,
    assumed = this.#options.newAssumed(caller.teamId),
  ): Promise<Result> {
    const { store, clock, onDue, onCommit } = this.#options
    const due = { isAsked: false }
    const result = await store.transaction(caller.teamId, (open) => {
      const scheduleAt = (at: number) => {
        due.isAsked = true
        open.scheduleAt(at)
      }
      const team = this.#teamOf(open.records, open.onFile)
      team.tally.begin()
      return work({ team, caller, assumed, clock, scheduleAt, changed: () => team.tally.changed() })
    })
    if (due.isAsked) onDue(caller.teamId)
    onCommit?.(caller.teamId)
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
        scheduleAt: readsOnly,
        changed: nothing,
      }),
    )
  }

  /** Runs due work of the team, and stores when its next work is due. */
  async runDue(teamId: string, work: Work<number | undefined>): Promise<number | undefined> {
    const { store, clock, newAssumed, onCommit } = this.#options
    const due = await store.transaction(teamId, async (open) => {
      const team = this.#teamOf(open.records, open.onFile)
      team.tally.begin()
      const scheduleAt = (at: number) => {
        open.scheduleAt(at)
      }
      const next = await work({
        team,
        caller: { teamId },
        assumed: newAssumed(teamId),
        clock,
        scheduleAt,
        changed: nothing,
      })
      open.scheduleNext(next)
      return next
    })
    onCommit?.(teamId)
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

/** Makes the API key of a new team. With a seed, a team of the same id gets the same key in every run. */
export type NewKey = (teamId: string) => string

export const keyMaker =
  (seed: number | undefined): NewKey =>
  (teamId) =>
    `sandbox_${seed === undefined ? randomBytes(18).toString('hex') : keyOf(teamId, seed)}`

const keyOf = (teamId: string, seed: number) =>
  createHmac('sha256', `crm-sandbox ${seed}`).update(teamId).digest('hex').slice(0, 36)
