import { setImmediate as othersFirst } from 'node:timers/promises'
import { NoSuchTeam, type Store } from '../store/port.ts'
import type { SteeredClock } from './steered-clock.ts'
import type { Teams } from './teams.ts'
import type { Turn } from './turn.ts'

interface LaterOptions {
  readonly store: Store
  readonly teams: Teams
  readonly clock: SteeredClock
  /** Does a turn's worth of what is due in a team; answers when there is more to do. */
  readonly doDue: (turn: Turn) => Promise<number | undefined>
  /** Told of errors, since no request waits for this work. */
  readonly failed: (error: unknown) => void
}

const longestTimer = 2 ** 31 - 1
/** A clock may stand still just before the time. */
const shortestTimer = 10
/** How long a team's due work belongs to the process that took it; after a failure it is tried again then. */
const lease = 5_000

/**
 * Runs due work: queued messages and approvals of templates whose time has come. What is due is kept in the store alone,
 * so a restart resumes it and a reset clears it.
 */
export class Later {
  readonly #options: LaterOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #first: Promise<unknown> | undefined
  #failures = 0
  #isAsked = false
  #isClosed = false

  constructor(options: LaterOptions) {
    this.#options = options
  }

  /** How often due work has failed. */
  get failures(): number {
    return this.#failures
  }

  /** When closed, nothing is done any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Does all that is due, in every team. */
  wake(): Promise<void> {
    this.#isAsked = true
    return (this.#running ??= this.#run())
  }

  /** Does what became due since the last look, as when a clock was set: its own timer follows the real time. */
  async catchUpWithClock(): Promise<void> {
    const { store, clock } = this.#options
    if (this.#running) await this.#running
    const next = await store.nextDue()
    if (next !== undefined && next <= clock.now()) await this.wake()
  }

  /** Does a turn's worth in one team before it looks for more: so a short list is sent before the team's next request. */
  async wakeFor(teamId: string): Promise<void> {
    if (this.#isClosed) return
    await (this.#first = this.#step(teamId))
    await this.wake()
  }

  /** Does all that is due in one team, so that the next request finds it done. */
  async catchUp(teamId: string): Promise<void> {
    const { clock } = this.#options
    for (let next = await this.#step(teamId); next !== undefined && next <= clock.now();)
      next = await this.#step(teamId)
    await this.#setTimer()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#first
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      while (this.#isAsked && !this.#isClosed) {
        this.#isAsked = false
        await this.#doAllDue()
        await this.#setTimer()
      }
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#running = undefined
    }
  }

  /** One turn in each team that has due work, over and over; other requests run between any two of them. */
  async #doAllDue(): Promise<void> {
    const { store, clock } = this.#options
    for (;;) {
      const now = clock.now()
      const teamId = this.#isClosed ? undefined : await store.claimDue(now, now + lease)
      if (teamId === undefined) return
      await this.#step(teamId)
      await othersFirst()
    }
  }

  async #step(teamId: string): Promise<number | undefined> {
    const { teams, doDue } = this.#options
    try {
      return await teams.runDue(teamId, doDue)
    } catch (error) {
      // A team that was deleted meanwhile has nothing to do.
      if (!(error instanceof NoSuchTeam)) this.#fail(error)
      return undefined
    }
  }

  #fail(error: unknown): void {
    this.#failures++
    this.#options.failed(error)
  }

  async #setTimer(): Promise<void> {
    const { store, clock } = this.#options
    const next = await store.nextDue()
    clearTimeout(this.#timer)
    if (next === undefined || this.#isClosed) return
    // Node fires a longer timer at once. This one fires early, and then sets the next.
    const wait = next - clock.now()
    if (wait > 0 && clock.isStopped) return // whoever moves it on wakes this
    const delay = wait > 0 ? Math.min(Math.max(wait, shortestTimer), longestTimer) : 0
    this.#timer = setTimeout(() => void this.wake(), delay).unref()
  }
}
