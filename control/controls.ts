import type { AssumptionsControl } from './assumptions.ts'
import type { BulkSendsControl } from './bulk-sends.ts'
import type { FaultsControl } from './faults.ts'
import type { GatesControl } from './gates.ts'
import type { IncomingControl } from './incoming.ts'
import type { OutboxControl } from './outbox.ts'
import type { ClockControl } from './clock.ts'
import type { RequestsControl } from './requests.ts'
import type { SnapshotsControl } from './snapshots.ts'
import type { TeamsControl } from './teams.ts'
import type { TemplatesControl } from './templates.ts'
import type { TokensControl } from './tokens.ts'
import type { WorldControl } from './world.ts'
import type { ControlSchemas } from './types.ts'

/** What steers a sandbox: the same in process, on a sandbox, and from elsewhere, by the client `control()`. */
export interface Controls extends WorldControl {
  /** The version, the store, and the choices that were changed. */
  readonly health: () => Promise<ControlSchemas['Health']>
  /** Restores the state of the start. */
  readonly reset: () => Promise<void>
  readonly clock: ClockControl
  readonly teams: TeamsControl
  readonly snapshots: SnapshotsControl
  readonly tokens: TokensControl
  readonly templates: TemplatesControl
  readonly bulkSends: BulkSendsControl
  readonly outbox: OutboxControl
  readonly incoming: IncomingControl
  readonly faults: FaultsControl
  readonly gates: GatesControl
  readonly assumptions: AssumptionsControl
  readonly requests: RequestsControl
}
