import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Assumed } from '../spec/assumed.ts'
import type { OperationId } from '../spec/types.ts'
import type { Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import type { Perform } from './perform.ts'
import { sendDuePart } from './rules/delivery-of-a-bulk-send.ts'
import { approveDueTemplates } from './rules/template-approval.ts'
import { NoSuchTeam, type Store } from './store/port.ts'
import { Team } from './team.ts'

export interface House {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly newAssumed: () => Assumed
  /** Told of what went wrong when nobody waits for an answer. */
  readonly failed: (error: unknown) => void
}

/** What leaves something to be done after its answer. */
const leavesWork: ReadonlySet<OperationId> = new Set(['createTemplate', 'updateTemplate', 'sendBulkMessages'])

const longestTimer = 2 ** 31 - 1
const patience = 5_000

/**
 * Does what happens later: queued messages are sent, and templates approved, when their time has come. What there is to
 * do stands in the store alone, so that a restart goes on where the work was left, and a reset leaves nothing of it.
 */
export class Later {
  readonly #house: House
  /** The teams in which something is due. */
  readonly #teams = new Set<string>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #atWork = new Set<Promise<void>>()
  #round: Promise<void> | undefined
  #isClosed = false

  constructor(house: House) {
    this.#house = house
  }

  /** Performs, and sees to what is left to be done. */
  after(perform: Perform): Perform {
    const andWake: Perform = async (request) => {
      const answered = await perform(request)
      void this.wake(request.caller.teamId)
      return answered
    }
    return (request) => (leavesWork.has(request.operation.id) ? andWake(request) : perform(request))
  }

  /** Does what is due, in one team or in all. To be called when something was queued, or the clock was set. */
  async wake(teamId?: string): Promise<void> {
    if (this.#isClosed) return
    const work = this.#do(teamId)
    this.#atWork.add(work)
    await work
    this.#atWork.delete(work)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#teams.clear()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.all(this.#atWork)
  }

  async #do(teamId: string | undefined): Promise<void> {
    // At once for a team that is named: a short list is sent before its next request has its turn.
    if (teamId !== undefined) await this.#step(teamId)
    else for (const { _id } of await this.#house.store.teams()) this.#teams.add(_id)
    while (this.#teams.size > 0) await (this.#round ??= this.#goRound())
  }

  /** A turn in each team, over and over, and between any two of them whatever else is waiting. */
  async #goRound(): Promise<void> {
    for (const teamId of this.#teams) {
      this.#teams.delete(teamId)
      await this.#step(teamId)
      await othersFirst()
    }
    this.#round = undefined
  }

  async #step(teamId: string): Promise<void> {
    if (this.#isClosed) return
    const { store, clock, ids, newAssumed, failed } = this.#house
    try {
      this.#goOnAt(
        teamId,
        await store.turn(teamId, ({ records, onFile }) =>
          doDue(new Team(onFile, records, clock, ids), clock, newAssumed()),
        ),
      )
    } catch (error) {
      if (error instanceof NoSuchTeam) return
      failed(error)
      this.#goOnAt(teamId, clock.now() + patience)
    }
  }

  #goOnAt(teamId: string, time: number | undefined): void {
    clearTimeout(this.#timers.get(teamId))
    this.#timers.delete(teamId)
    if (time === undefined || this.#isClosed) return
    const delay = time - this.#house.clock.now()
    if (delay <= 0) this.#teams.add(teamId)
    // A longer timer would go off at once. This one does too early, and the next goes on from there.
    else this.#timers.set(teamId, setTimeout(() => void this.wake(teamId), Math.min(delay, longestTimer)).unref())
  }
}

/** A turn's worth of what is due, and when there is more to do. */
async function doDue(team: Team, clock: Clock, assumed: Assumed): Promise<number | undefined> {
  const times = [await approveDueTemplates(team, clock), await sendDuePart(team, clock, assumed)]
  const next = Math.min(...times.filter((time) => time !== undefined))
  return next === Infinity ? undefined : next
}
