import { type Awaitable, oneAtATime } from '../../lib/async.ts'
import type { Observed, SharedState } from '../store/port.ts'
import { ChangeSubscriptions } from './changes.ts'

/** A field of the settings of all teams, with `teamId` undefined, and of each team. */
export interface Part<Value> {
  entries(): Iterable<readonly [teamId: string | undefined, value: Value]>
  of(teamId: string | undefined): Value | undefined
  change<Result>(teamId: string | undefined, work: (value: Value) => Result): Awaitable<Result>
}

interface SettingsOptions<All, Own> {
  /** Undefined when only this process changes the settings. */
  readonly shared: SharedState | undefined
  readonly initial: () => All
  readonly initialOfTeam: () => Own
  /** Applies the changed settings of these teams; undefined are those for all teams. */
  readonly apply: (changed: readonly (string | undefined)[]) => void
  /** Receives the API keys of the teams that any process has changed; none of a team that is gone. */
  readonly hide: (
    changed: readonly { readonly teamId: string | undefined; readonly apiKeys: readonly string[] }[],
  ) => void
  /** Called when a process on the store has asked the others. */
  readonly asked: () => void
}

/**
 * The settings of the control plane: for all teams, and of each team. On a shared store a change is stored before a process
 * applies it.
 */
export class SharedSettings<All extends Own, Own extends object> {
  /** Announces each change. */
  readonly changes = new ChangeSubscriptions()
  readonly #options: SettingsOptions<All, Own>
  readonly #oneByOne = oneAtATime()
  #now: All
  /** Without a shared store, only of the teams with changed settings. */
  readonly #ofTeams = new Map<string, Own>()
  #version: number | undefined
  #observing: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(options: SettingsOptions<All, Own>) {
    this.#options = options
    this.#now = options.initial()
  }

  /** Of the settings that this process knows; undefined without a shared store. */
  get version(): number | undefined {
    return this.#version
  }

  get now(): All {
    return this.#now
  }

  of(teamId: string): Own | undefined {
    return this.#ofTeams.get(teamId)
  }

  /** Changes the settings for all teams. */
  change<Result>(work: (settings: All) => Result): Awaitable<Result> {
    if (this.#options.shared) return this.#write(undefined, (stored) => this.#read(stored), work)
    const result = work(this.#now)
    this.#announce([undefined])
    return result
  }

  /** Changes the settings of a team. */
  changeOf<Result>(teamId: string, work: (settings: Own) => Result): Awaitable<Result> {
    if (this.#options.shared) return this.#write(teamId, (stored) => this.#readOf(stored), work)
    const settings = this.#ofTeams.get(teamId) ?? this.#options.initialOfTeam()
    this.#ofTeams.set(teamId, settings)
    const result = work(settings)
    this.#announce([teamId])
    return result
  }

  /** Changes the settings of the teams that `isMeant` accepts. Returns the results. */
  async changeEach<Result>(isMeant: (settings: Own) => boolean, work: (settings: Own) => Result): Promise<Result[]> {
    const results: Result[] = []
    for (const [teamId, settings] of [...this.#ofTeams])
      if (isMeant(settings)) results.push(await this.changeOf(teamId, work))
    return results
  }

  /** Drops the settings of teams that the store has removed. */
  async drop(removed: readonly string[]): Promise<void> {
    if (this.#options.shared) return this.refresh()
    for (const teamId of removed) this.#ofTeams.delete(teamId)
    this.#announce(removed)
  }

  part<Name extends keyof Own>(name: Name): Part<Own[Name]> {
    return {
      entries: () => [[undefined, this.#now[name]], ...[...this.#ofTeams].map(([id, own]) => [id, own[name]] as const)],
      of: (teamId) => (teamId === undefined ? this.#now : this.#ofTeams.get(teamId))?.[name],
      change: (teamId, work) => {
        const change = (settings: Own) => work(settings[name])
        return teamId === undefined ? this.change(change) : this.changeOf(teamId, change)
      },
    }
  }

  /**
   * Applies what other processes have changed. Calls share an observation that begins after them. They fail with the one
   * before, so that none waits twice for a database that does not answer.
   */
  refresh(): Promise<void> {
    return (this.#next ??= this.#refreshAfter(this.#observing))
  }

  /** Applies what other processes have changed, if there is another version. */
  async refreshTo(version: number): Promise<void> {
    if (version !== this.#version) await this.refresh()
  }

  async #refreshAfter(before: Promise<void>): Promise<void> {
    try {
      await before
      this.#observing = this.#observe().finally(() => {
        this.#observing = Promise.resolve()
      })
    } finally {
      this.#next = undefined
    }
    return this.#observing
  }

  async #observe(): Promise<void> {
    const observed = await this.#options.shared?.observe(this.#version)
    if (observed) this.#become(observed)
  }

  async #write<Settings extends object, Result>(
    teamId: string | undefined,
    read: (stored: object) => Settings,
    work: (settings: Settings) => Result,
  ): Promise<Result> {
    let result: Result | undefined
    await this.#oneByOne(async () =>
      this.#options.shared?.change(teamId, (stored) => {
        const settings = read(stored)
        result = work(settings)
        return settings
      }),
    )
    await this.refresh()
    return result as Result
  }

  #become({ version, changed, hasRemoteQueries }: Observed): void {
    this.#version = version
    this.#options.hide(changed)
    for (const { teamId, settings } of changed) {
      if (teamId === undefined) this.#now = this.#read(settings)
      else if (settings) this.#ofTeams.set(teamId, this.#readOf(settings))
      else this.#ofTeams.delete(teamId)
    }
    if (changed.length > 0) this.#announce(changed.map(({ teamId }) => teamId))
    if (hasRemoteQueries) this.#options.asked()
  }

  #announce(changed: readonly (string | undefined)[]): void {
    this.#options.apply(changed)
    this.changes.notifyAll()
  }

  /** Another version of the package may have stored other fields. */
  #read(settings: object | undefined): All {
    return { ...this.#options.initial(), ...settings }
  }

  #readOf(settings: object): Own {
    return { ...this.#options.initialOfTeam(), ...settings }
  }
}
