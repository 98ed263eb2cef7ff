import type { ControlContext } from './context.ts'
import { assumptions } from './assumptions.ts'
import { changes } from './changes.ts'
import { clock } from './clock.ts'
import { coverage } from './coverage.ts'
import { events } from './events.ts'
import { faults, gates } from './faults.ts'
import { inbox } from './inbox.ts'
import { bulkSends, incoming, outbox } from './messages.ts'
import { metrics } from './metrics.ts'
import { requests } from './requests.ts'
import { sandbox } from './sandbox.ts'
import { snapshots } from './snapshots.ts'
import { teams, tokens } from './teams.ts'
import { templates } from './templates.ts'
import { world } from './world.ts'

export const routesOfNouns = [
  ...([sandbox, teams, snapshots, changes, world, clock, tokens, templates] as const),
  ...([bulkSends, outbox, incoming, inbox, faults, gates, assumptions, requests] as const),
  ...([coverage, events, metrics] as const),
] as const

/** For routes of which no handler runs. */
export const noContext = { interception: {}, memory: { most: 1024 ** 3 } } as unknown as ControlContext
