import { setImmediate as othersFirst } from 'node:timers/promises'
import { NoSuchTeam } from '../store/store.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Teams } from './teams.ts'
import type { Turn } from './turn.ts'

export interface LaterOptions {
  readonly store: Store
  readonly teams: Teams
  readonly clock: Clock
  /** Does a turn's worth of what is due, and tells when there is more to do. */
  readonly doDue: (turn: Turn) => Promise<number | undefined>
  /** Told of errors, since no request waits for this work. */
  readonly failed: (error: unknown) => void
}

const longestTimer = 2 ** 31 - 1
const patience = 5_000

/**
 * Runs due work: queued messages and approvals of templates whose time has come. What is due is kept in the store alone,
 * so a restart resumes it and a reset clears it.
 */
export class Later {
  readonly #options: LaterOptions
  /** The teams in which something is due. */
  readonly #due = new Set<string>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #atWork = new Set<Promise<void>>()
  #round: Promise<void> | undefined
  #isClosed = false

  constructor(options: LaterOptions) {
    this.#options = options
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
    this.#due.clear()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.all(this.#atWork)
  }

  async #do(teamId: string | undefined): Promise<void> {
    // At once for a team that is named: a short list is sent before its next request has its turn.
    if (teamId !== undefined) await this.#step(teamId)
    else for (const { _id } of await this.#options.store.teams()) this.#due.add(_id)
    while (this.#due.size > 0) await (this.#round ??= this.#goRound())
  }

  /** A turn in each team, over and over, and between any two of them whatever else is waiting. */
  async #goRound(): Promise<void> {
    for (const teamId of this.#due) {
      this.#due.delete(teamId)
      await this.#step(teamId)
      await othersFirst()
    }
    this.#round = undefined
  }

  async #step(teamId: string): Promise<void> {
    if (this.#isClosed) return
    const { teams, clock, doDue, failed } = this.#options
    try {
      this.#goOnAt(teamId, await teams.turn({ teamId }, doDue))
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
    const delay = time - this.#options.clock.now()
    if (delay <= 0) this.#due.add(teamId)
    // A longer timer would go off at once. This one does too early, and the next goes on from there.
    else this.#timers.set(teamId, setTimeout(() => void this.wake(teamId), Math.min(delay, longestTimer)).unref())
  }
}
