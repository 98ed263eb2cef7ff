import { assumptionRows } from './assumptions.ts'
import { bulkSendRows } from './bulk-sends.ts'
import { faultRows } from './faults.ts'
import { gateRows } from './gates.ts'
import { incomingRows } from './incoming.ts'
import { outboxRows } from './outbox.ts'
import { clockRows } from './clock.ts'
import { requestRows } from './requests.ts'
import type { Rows } from './row.ts'
import { sandboxRows } from './sandbox.ts'
import { snapshotRows } from './snapshots.ts'
import { teamRows } from './teams.ts'
import { templateRows } from './templates.ts'
import { worldRows } from './world.ts'
import { tokenRows } from './tokens.ts'

/** What the control plane does over HTTP, by operationId. */
export const rows: Rows = {
  ...sandboxRows,
  ...clockRows,
  ...worldRows,
  ...teamRows,
  ...snapshotRows,
  ...tokenRows,
  ...templateRows,
  ...bulkSendRows,
  ...outboxRows,
  ...incomingRows,
  ...faultRows,
  ...gateRows,
  ...assumptionRows,
  ...requestRows,
}
