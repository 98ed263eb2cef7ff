import type { Role } from '../../fixtures/records.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { Clock } from './clock.ts'
import type { Team } from './team.ts'

/** The parameters of operations and rules during a transaction of a team. */
export interface Transaction {
  /** The records of the caller's team, and of no other. */
  readonly team: Team
  readonly caller: Caller
  /** The choices for what the specification leaves open. Reading one marks the answer. */
  readonly assumed: Assumed
  readonly clock: Clock
  /** Schedules the team's due work for this time, once the transaction is committed. */
  scheduleAt(at: number): void
}

/** The caller of a request: a team, and the user that a token names. An API key names no user. */
export interface Caller {
  readonly teamId: string
  readonly user?: User | undefined
}

export interface User {
  readonly id: string
  readonly role: Role
}
