import type { World } from '../../fixtures/world.ts'
import type { Redactor } from '../../shared/redactor.ts'
import type { ChoicesInForce } from '../core/choices-in-force.ts'
import type { Ids } from '../core/ids.ts'
import type { SteeredClock } from '../core/clock.ts'
import type { Scheduler } from '../core/scheduler.ts'
import type { NewKey, Teams } from '../core/teams.ts'
import type { Tokens } from '../core/tokens.ts'
import type { Transaction } from '../core/transaction.ts'
import type { Interception } from '../faults/interception.ts'
import type { Journal } from '../journal/journal.ts'
import { NoSuchTeam, type Store } from '../store/port.ts'
import type { Origins } from './origins.ts'
import { NotFound } from './refusals.ts'
import type { Signal } from './signal.ts'

/** What the routes of the control plane work with. */
export interface ControlContext {
  readonly store: Store
  readonly teams: Teams
  readonly clock: SteeredClock
  readonly scheduler: Scheduler
  /** The name of the store, as `--store` takes it. */
  readonly storeName: string
  readonly tokens: Tokens
  readonly ids: Ids
  readonly newKey: NewKey
  readonly choices: ChoicesInForce
  readonly journal: Journal
  readonly secrets: Redactor
  readonly origins: Origins
  /** Runs one addition of teams at a time, so that no key is taken twice. */
  readonly addingTeams: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Replaces everything with this world. */
  readonly replaceAll: (world: World) => Promise<void>
  readonly doDueWork: () => Promise<void>
  /** The token that opens this control plane, if one is needed. */
  readonly controlToken: string | undefined
  /** When the sandbox started, by `performance.now()`. */
  readonly startedAt: number
  /** Signals the end of each transaction. */
  readonly changes: Signal
  /** Faults and gates. */
  readonly interception: Interception
  /** The OpenAPI document of the control plane. */
  readonly document: () => Promise<object>
  readonly reset: () => Promise<void>
  /** Does the work that is due in a team. */
  readonly runDue: (teamId: string) => Promise<void>
}

/** Runs a transaction of the team in a path. */
export async function inTeam<Result>(
  teamId: string,
  { store, teams }: Pick<ControlContext, 'store' | 'teams'>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  if (!(await store.team(teamId))) throw new NotFound()
  return teams.transaction({ teamId }, work)
}

/** For work in all teams: a team may be deleted meanwhile. */
export function ignoreDeletedTeam(error: unknown): undefined {
  if (!(error instanceof NoSuchTeam)) throw error
}
