import type { World } from '../fixtures/world.ts'
import type { AssumptionName } from '../spec/assumptions.ts'
import type { Redactor } from '../lib/redactor.ts'
import { assumedBy } from '../spec/assumed.ts'
import type { Chosen, WrittenChoices } from '../spec/choices.ts'
import { initialOfTeam, initialSettings, type Settings, type TeamSettings } from './control/settings.ts'
import { ChoicesInForce, type Watch } from './core/choices-in-force.ts'
import { type Clock, SteeredClock } from './core/clock.ts'
import { type Ids, newIds } from './core/ids.ts'
import { envelopeOf } from './core/operation.ts'
import { rateLimitOf } from './core/rate-limit.ts'
import { SharedSettings } from './core/shared-settings.ts'
import { Interception } from './http/faults/interception.ts'
import { OwnTallies } from './http/faults/rules.ts'
import { Journal, requestIds } from './http/journal/journal.ts'
import { OtherServers } from './http/journal/other-servers.ts'
import type { Store } from './store/port.ts'

export interface EngineOptions {
  readonly store: Store
  /** Loads the records after a reset. */
  readonly world: () => Promise<World>
  readonly profile: WrittenChoices
  readonly assume: WrittenChoices
  readonly seed: number | undefined
  readonly clock: Clock
  readonly faultsByHeader: boolean
  readonly isStrict: boolean
  /** Records which assumptions requests rely on. */
  readonly watch: Watch | undefined
  readonly secrets: Redactor
  readonly controlToken: string | undefined
  /** Receives errors outside of requests. */
  readonly failed: (error: unknown) => void
}

/** The settings of the control plane in effect: the time, the choices, the faults, and where ids and the journal begin. */
export class SettingsInForce {
  readonly clock: SteeredClock
  readonly choices: ChoicesInForce
  readonly ids: Ids
  readonly journal: Journal
  /** Undefined for a store that only this process can open. */
  readonly others: OtherServers | undefined
  readonly settings: SharedSettings<Settings, TeamSettings>
  readonly interception: Interception
  #resets = 0

  constructor({ store, clock, profile, assume, watch, seed, faultsByHeader, secrets, failed }: EngineOptions) {
    this.clock = new SteeredClock(clock)
    const make = (chosen: Chosen, learned: ReadonlySet<AssumptionName>) => ({
      chosen,
      newAssumed: assumedBy(chosen, learned),
      envelope: envelopeOf(chosen),
      rateLimit: rateLimitOf(chosen, store, this.clock),
    })
    this.choices = new ChoicesInForce({ profile, assume }, make, watch)
    this.ids = newIds(seed)
    this.journal = new Journal(this.clock, requestIds(seed), (teamId) => this.choices.of(teamId).chosen)
    this.others = store.shared && new OtherServers(store.shared.remoteQueries, this.journal, secrets, failed)
    this.settings = new SharedSettings({
      shared: store.shared,
      initial: initialSettings,
      initialOfTeam,
      apply: (changed) => this.#apply(changed),
      hide: (apiKeys) => secrets.add(apiKeys),
      asked: () => this.others?.answer(),
    })
    const [faults, gates] = [this.settings.part('faults'), this.settings.part('gates')]
    const tallies = store.shared?.tallies ?? new OwnTallies()
    const announce = () => this.settings.changes.notifyAll()
    this.interception = new Interception(faultsByHeader, faults, gates, tallies, announce)
  }

  #apply(changed: readonly (string | undefined)[]): void {
    const { clock, choices, resets } = this.settings.now
    this.clock.set(clock)
    this.choices.switchAll(choices)
    for (const teamId of changed)
      if (teamId !== undefined) this.choices.switchOf(teamId, this.settings.of(teamId)?.choices)
    this.interception.settle(changed)
    if (resets <= this.#resets) return
    this.#resets = resets
    this.ids.restart()
    this.journal.ids.restart()
    this.journal.clear()
  }
}
