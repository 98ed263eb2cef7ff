import type { Assumed } from '../../spec/assumed.ts'
import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import type { Changed } from './tally.ts'
import type { Team } from './team.ts'

/** What operations and rules work with while they have the team to themselves. */
export interface Turn {
  /** The records of the caller's team, and of no other. */
  readonly team: Team
  readonly caller: Caller
  /** The choices for what the specification leaves open. Reading one marks the answer. */
  readonly assumed: Assumed
  readonly clock: Clock
  /** Asks for the team's due work to run at this time, once the turn's changes are kept. */
  readonly later: (at: number) => void
  /** What it has changed so far. */
  readonly changed: () => readonly Changed[]
}
