import type { TeamInWorld, TeamOnFile, World } from '../../fixtures/world.ts'
import { inSteps } from '../../lib/pause.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { UserError } from '../../lib/user-error.ts'
import { RejectedNow, reject } from '../core/rejections.ts'
import type { SharedSettings } from '../core/shared-settings.ts'
import type { Interception } from '../http/faults/interception.ts'
import type { Engine } from '../operations/engine.ts'
import { stepsOfTeam } from '../store/teams.ts'
import { clear, isSet, restartClock, type Settings, type TeamSettings } from './settings.ts'

export interface WorldsOptions {
  /** Loads the records after a reset. */
  readonly world: () => Promise<World>
  readonly secrets: Redactor
  /** The token that the control plane requires, if any. */
  readonly controlToken: string | undefined
}

/** Replaces everything in the store, by another world or by the initial one. */
export class Worlds {
  /** Hides the keys of all teams. */
  readonly secrets: Redactor
  #initial: () => Promise<World>
  readonly #controlToken: string | undefined
  readonly #engine: Pick<Engine, 'store' | 'teams'>
  readonly #settings: SharedSettings<Settings, TeamSettings>
  readonly #interception: Interception

  constructor(
    { world, secrets, controlToken }: WorldsOptions,
    engine: Pick<Engine, 'store' | 'teams'>,
    settings: SharedSettings<Settings, TeamSettings>,
    interception: Interception,
  ) {
    this.#initial = world
    this.secrets = secrets
    this.#controlToken = controlToken
    this.#engine = engine
    this.#settings = settings
    this.#interception = interception
  }

  /** The initial records of a team, to which its reset brings it back. */
  async initialRecordsOf(teamId: string): Promise<TeamInWorld | undefined> {
    const initialRecords = await this.#engine.store.initialRecords(teamId)
    if (initialRecords) return initialRecords
    const { teams } = await this.#loadInitial()
    return teams.find(({ _id }) => _id === teamId)
  }

  async replaceAll(next: World, initialRecords: readonly TeamInWorld[] = []): Promise<void> {
    await this.checkKeys(next.teams)
    const before = await this.#engine.store.teams()
    await this.#engine.store.replaceAll(next, initialRecords)
    await this.hideKeys(next.teams)
    const present = new Set(next.teams.map(({ _id }) => _id))
    await this.#settings.drop(before.map(({ _id }) => _id).filter((teamId) => !present.has(teamId)))
    this.#engine.teams.changes.notifyAll()
  }

  /** Replaces everything, and what a reset brings back. The settings stay. */
  async replaceInitial(next: World): Promise<void> {
    await this.replaceAll(next)
    this.#initial = async () => next
    await this.#engine.teams.scheduler.runAllDue()
  }

  async reset(): Promise<void> {
    await this.replaceAll(await this.#loadInitial())
    const dropped = await this.#settings.change((settings) => {
      restartClock(settings)
      settings.resets++
      return clear(settings)
    })
    const ofTeams = await this.#settings.changeEach(isSet, clear)
    await this.#interception.forget([...dropped, ...ofTeams.flat()])
    await this.#engine.teams.scheduler.runAllDue()
  }

  async #loadInitial(): Promise<World> {
    try {
      return await this.#initial()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      throw new RejectedNow(409, `The initial data cannot be read: ${error.message}`)
    }
  }

  /** Refuses the control token as a key: clients of the API could steer the sandbox. */
  async checkKeys(teams: readonly TeamOnFile[]): Promise<void> {
    const token = this.#controlToken
    if (token === undefined) return
    for await (const { _id, apiKeys } of inSteps(teams, stepsOfTeam))
      if (apiKeys.includes(token)) reject(`The control token is an API key of team ${_id}; choose another key`)
  }

  /** Adds the keys of these teams to the secrets. */
  async hideKeys(teams: readonly TeamOnFile[]): Promise<void> {
    for await (const { apiKeys } of inSteps(teams, stepsOfTeam)) this.secrets.add(apiKeys)
  }
}
