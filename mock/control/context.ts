import type { TeamOnFile } from '../../fixtures/world.ts'
import { quoteUnlessPlain } from '../../lib/text.ts'
import { closeTo } from '../../spec/close-to.ts'
import { operations } from '../../spec/operations.ts'
import type { Match } from '../http/faults/match.ts'
import { readJson } from '../http/json-body.ts'
import type { Engine } from '../operations/engine.ts'
import { NoSuchTeam, type Store } from '../store/port.ts'
import { UnknownName, reject } from '../core/rejections.ts'
import type { Steering } from './steering.ts'

/** The parts of a sandbox, and how it is served. */
export interface ControlContext extends Engine, Steering, Served {}

export interface Served {
  /** The name or the file of the initial data, if it has one. */
  readonly worldName: string | undefined
  /** The name of the store, as `--store` takes it. */
  readonly storeName: string
  /** The token that opens this control plane, if one is needed. */
  readonly controlToken: string | undefined
  /** Whether the metrics need no token. */
  readonly metricsOpen: boolean
  /** Whether an operation refuses fields and parameters that it ignores. */
  readonly isStrict: boolean
  /** Aborted as soon as the sandbox stops; it may still serve for a while. */
  readonly stopping: AbortSignal
  /** The OpenAPI document of the control plane. */
  readonly document: () => Promise<object>
}

export async function findTeam(teamId: string, store: Store): Promise<TeamOnFile> {
  const team = await store.team(teamId)
  if (!team)
    throw new UnknownName(
      'team',
      teamId,
      (await store.teams()).slice(0, mostCompared).map(({ _id }) => _id),
    )
  return team
}

/** How many names are compared with a misspelt one: each comparison takes thousands of steps. */
const mostCompared = 100

/** For work in all teams: a team may be deleted meanwhile. */
export function ignoreDeletedTeam(error: unknown): undefined {
  if (!(error instanceof NoSuchTeam)) throw error
}

/**
 * Refuses unknown operations and teams: a rule about them would never apply, and no test would notice. Refuses more fields
 * than can be compared with each request.
 */
export async function checkMatch({ operation = [], team, where }: Match, store: Store): Promise<void> {
  if (where) readWhere(JSON.stringify(where))
  const hint = 'it must be an operationId of the service, such as createContact'
  for (const id of [operation].flat()) checkName('operation', id, Object.keys(operations), hint)
  if (team !== undefined && !(await store.team(team)))
    reject(`there is no team ${quoteUnlessPlain(team)}; team must be the id of one, as \`ctl teams list\` shows them`)
}

/** Parses the fields of a filter; `undefined` when the text is not JSON. */
export const readWhere = (json: string) => readJson(json, 'where', { fields: 50, values: 1_000, levels: 32 })

export function checkName(kind: string, name: string, known: readonly string[], hint: string): void {
  if (known.includes(name)) return
  const [close] = closeTo(name, known)
  reject(`there is no ${kind} ${quoteUnlessPlain(name)}; ${close === undefined ? hint : `did you mean ${close}?`}`)
}
