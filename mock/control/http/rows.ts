import { bulkSendRows } from './bulk-sends.ts'
import { faultRows } from './faults.ts'
import { gateRows } from './gates.ts'
import { clockRows } from './clock.ts'
import type { Rows } from './row.ts'
import { sandboxRows } from './sandbox.ts'
import { teamRows } from './teams.ts'
import { templateRows } from './templates.ts'
import { tokenRows } from './tokens.ts'

/** What the control plane does over HTTP, by operationId. */
export const rows: Rows = {
  ...sandboxRows,
  ...clockRows,
  ...teamRows,
  ...tokenRows,
  ...templateRows,
  ...bulkSendRows,
  ...faultRows,
  ...gateRows,
}
