import type { World } from '../fixtures/world.ts'
import type { AssumptionName } from '../spec/assumptions.ts'
import type { Redactor } from '../lib/redactor.ts'
import { assumedBy } from '../spec/assumed.ts'
import type { Chosen, WrittenChoices } from '../spec/choices.ts'
import { initialSettings, type Settings } from './control/settings.ts'
import { ChoicesInForce, type Watch } from './core/choices-in-force.ts'
import { type Clock, SteeredClock } from './core/clock.ts'
import { type Ids, newIds } from './core/ids.ts'
import { envelopeOf } from './core/operation.ts'
import { rateLimitOf } from './core/rate-limit.ts'
import { SharedSettings } from './core/shared-settings.ts'
import { Interception } from './http/faults/interception.ts'
import { Journal, requestIds } from './http/journal/journal.ts'
import type { Store } from './store/port.ts'

export interface EngineOptions {
  readonly store: Store
  /** The records after a reset. */
  readonly world: World
  readonly profile: WrittenChoices
  readonly assume: WrittenChoices
  readonly seed: number | undefined
  readonly clock: Clock
  readonly faultsByHeader: boolean
  readonly isStrict: boolean
  /** Records which assumptions requests rely on. */
  readonly watch: Watch | undefined
  readonly secrets: Redactor
  /** Receives errors outside of requests. */
  readonly failed: (error: unknown) => void
}

/** What the settings of the control plane decide: the time, the choices, the faults, and where ids and the journal begin. */
export class SettingsInForce {
  readonly clock: SteeredClock
  readonly choices: ChoicesInForce
  readonly ids: Ids
  readonly journal: Journal
  readonly settings: SharedSettings<Settings>
  readonly interception: Interception
  #resets = 0

  constructor({ store, clock, profile, assume, watch, seed, faultsByHeader }: EngineOptions) {
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
    this.settings = new SharedSettings(store.shared, initialSettings, (now) => this.#apply(now))
    this.interception = new Interception(faultsByHeader, this.settings.part('faults'), this.settings.part('gates'))
  }

  #apply({ clock, choices, resets }: Settings): void {
    this.clock.set(clock)
    this.choices.switch(choices)
    this.interception.settle()
    if (resets <= this.#resets) return
    this.#resets = resets
    this.ids.restart()
    this.journal.ids.restart()
    this.journal.clear()
  }
}
