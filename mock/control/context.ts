import type { World } from '../../fixtures/world.ts'
import type { ChoicesInForce } from '../core/choices-in-force.ts'
import type { Ids } from '../core/ids.ts'
import type { NewKey } from '../core/team-keys.ts'
import type { Later } from '../core/later.ts'
import type { SteeredClock } from '../core/steered-clock.ts'
import type { Teams } from '../core/teams.ts'
import type { Tokens } from '../core/tokens.ts'
import type { Interception } from '../faults/interception.ts'
import type { Signal } from './signal.ts'
import type { Journal } from '../journal/journal.ts'
import type { Secrets } from '../../shared/redaction.ts'
import type { Store } from '../store/port.ts'
import type { Origins } from './origins.ts'

/** What the actions of the control plane work with. */
export interface ControlContext {
  readonly store: Store
  readonly teams: Teams
  /** The name of the store, as `--store` takes it. */
  readonly clock: SteeredClock
  readonly later: Later
  readonly storeName: string
  readonly tokens: Tokens
  readonly ids: Ids
  readonly newKey: NewKey
  readonly choices: ChoicesInForce
  readonly journal: Journal
  readonly secrets: Secrets
  readonly origins: Origins
  /** Replaces everything with this world. */
  readonly become: (world: World) => Promise<void>
  readonly doDueWork: () => Promise<void>
  /** The token that opens this control plane, if one is needed. */
  readonly controlToken: string | undefined
  /** When the sandbox started, by `performance.now()`. */
  readonly startedAt: number
  /** Tells when a turn of a team has ended. */
  readonly changes: Signal
  /** Faults and gates. */
  readonly interception: Interception
  readonly reset: () => Promise<void>
  /** Does the work that is due in a team. */
  readonly catchUp: (teamId: string) => Promise<void>
}
