import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import { NoSuchTeam, type Store } from '../store/port.ts'
import type { SteeredClock } from './clock.ts'

interface SchedulerOptions {
  readonly store: Store
  readonly clock: SteeredClock
  /** Runs due work of a team in one transaction; returns when its next work is due. */
  readonly runDue: (teamId: string) => Promise<number | undefined>
  /** Receives errors, since no request waits for this work. */
  readonly failed: (error: unknown) => void
}

const longestTimer = 2 ** 31 - 1
/** Prevents a busy loop while a clock stands still just before the due time, or while failed work is leased. */
const shortestTimer = 10
/** The lease of a process on a team's due work; after a failure another attempt starts when it ends. */
const lease = 5_000

/**
 * Runs due work: queued messages and approvals of templates. Only the store contains due work, so a restart resumes it and a
 * reset clears it.
 */
export class Scheduler {
  readonly #options: SchedulerOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #first: Promise<unknown> | undefined
  #failures = 0
  #isAsked = false
  #isClosed = false

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** A closed scheduler runs no more work. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Runs due work in every team. */
  runAllDue(): Promise<void> {
    this.#isAsked = true
    return (this.#running ??= this.#run())
  }

  /** Runs work that became due because a clock was set; the timer follows the real time. */
  async runIfDue(): Promise<void> {
    const { store, clock } = this.#options
    if (this.#running) await this.#running
    const next = await store.nextDue()
    if (next !== undefined && next <= clock.now()) await this.finishDue()
  }

  /** Runs due work in every team, and waits for work that other processes have claimed. */
  async finishDue(): Promise<void> {
    const { store, clock } = this.#options
    const failures = this.#failures
    for (;;) {
      await this.runAllDue()
      if (!store.shared || this.#isClosed || this.#failures > failures) return
      const next = await store.nextDue()
      if (next === undefined || next > clock.now()) return
      await delay(shortestTimer)
    }
  }

  /** Starts work that other processes have scheduled or left. */
  startIfDue(next: number | undefined): void {
    if (next !== undefined && next <= this.#options.clock.now()) void this.runAllDue()
  }

  /** Runs one transaction in this team before other due work, so that a short list is sent before the team's next request. */
  async runDueFirst(teamId: string): Promise<void> {
    if (this.#isClosed) return
    await (this.#first = this.#step(teamId))
    await this.runAllDue()
  }

  /** Runs all due work of one team before the next request. */
  async runDue(teamId: string): Promise<void> {
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

  /** Runs one transaction in each team with due work, repeatedly; other requests run in between. */
  async #doAllDue(): Promise<void> {
    const { store, clock } = this.#options
    for (;;) {
      const now = clock.now()
      const leasedAt = Date.now()
      const teamId = this.#isClosed ? undefined : await store.claimDue(now, leasedAt, leasedAt + lease)
      if (teamId === undefined) return
      await this.#step(teamId)
      await setImmediate()
    }
  }

  async #step(teamId: string): Promise<number | undefined> {
    try {
      return await this.#options.runDue(teamId)
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
    if (store.shared) return // the engine polls
    const next = await store.nextDue()
    clearTimeout(this.#timer)
    if (next === undefined || this.#isClosed) return
    // Node fires a longer timer at once. This one fires early, and then sets the next.
    const wait = next - clock.now()
    if (wait > 0 && clock.isStopped) return // advancing the clock runs due work
    const milliseconds = Math.min(Math.max(wait, shortestTimer), longestTimer)
    this.#timer = setTimeout(() => void this.runAllDue(), milliseconds).unref()
  }
}
