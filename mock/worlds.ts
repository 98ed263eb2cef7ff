import type { TeamInWorld, World } from '../fixtures/world.ts'
import { inSteps } from '../lib/pause.ts'
import type { Redactor } from '../lib/redactor.ts'
import { keepChoices, restartSettings, type Settings } from './control/settings.ts'
import type { Teams } from './core/execute.ts'
import type { SharedSettings } from './core/shared-settings.ts'
import type { Store } from './store/port.ts'
import { stepsOfTeam } from './store/teams.ts'

/** Replaces everything in the store, by another world or by the initial one. */
export class Worlds {
  /** Hides the keys of all teams. */
  readonly secrets: Redactor
  readonly #initial: World
  readonly #initialTeams: ReadonlyMap<string, TeamInWorld>
  readonly #store: Store
  readonly #settings: SharedSettings<Settings>
  readonly #teams: Teams

  constructor(initial: World, store: Store, settings: SharedSettings<Settings>, teams: Teams, secrets: Redactor) {
    this.secrets = secrets
    this.#initial = initial
    this.#initialTeams = new Map(initial.teams.map((team) => [team._id, team]))
    this.#store = store
    this.#settings = settings
    this.#teams = teams
  }

  /** The initial records of a team, to which its reset brings it back. */
  async originOf(teamId: string): Promise<TeamInWorld | undefined> {
    return (await this.#store.origin(teamId)) ?? this.#initialTeams.get(teamId)
  }

  async replaceAll(next: World, origins: readonly TeamInWorld[] = []): Promise<void> {
    await this.#store.replaceAll(next, origins)
    await this.hideKeys()
    const present = new Set(next.teams.map(({ _id }) => _id))
    await this.#settings.change((all) => keepChoices(all, (teamId) => present.has(teamId)))
    this.#teams.changes.notifyAll()
  }

  async reset(): Promise<void> {
    await this.replaceAll(this.#initial)
    await this.#settings.change(restartSettings)
    await this.#teams.scheduler.runAllDue()
  }

  /** Adds the keys of all teams to the secrets. */
  async hideKeys(): Promise<void> {
    for await (const { apiKeys } of inSteps(await this.#store.teams(), stepsOfTeam)) this.secrets.add(apiKeys)
  }
}
