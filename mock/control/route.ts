import type { Chosen } from '../../spec/choices.ts'
import type { AnyReply } from '../core/envelope.ts'
import type { Ids } from '../core/ids.ts'
import type { Teams } from '../core/teams.ts'
import type { Tokens } from '../core/tokens.ts'
import type { Secrets } from '../http/redaction.ts'
import type { Store } from '../store/port.ts'

/** A route of the sandbox itself, which the real service does not have. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below `/_sandbox`, such as `/teams/:teamId`. */
  readonly path: string
  answer(context: ControlContext, request: ControlRequest): Promise<AnyReply>
}

export interface ControlRequest {
  /** The parameters of the path, by name. */
  readonly path: Readonly<Record<string, string>>
  readonly query: unknown
  /** Not checked yet: each route reads it with a `bodyReader`. */
  readonly body: unknown
}

/** What the routes work with. */
export interface ControlContext {
  readonly store: Store
  readonly teams: Teams
  /** The name of the store, as `--store` takes it. */
  readonly storeName: string
  readonly tokens: Tokens
  readonly ids: Ids
  readonly chosen: Chosen
  readonly secrets: Secrets
  /** The token that opens this control plane, if one is needed. */
  readonly controlToken: string | undefined
  /** When the sandbox started, by `performance.now()`. */
  readonly startedAt: number
  readonly reset: () => Promise<void>
  /** Does the work that is due in a team. */
  readonly catchUp: (teamId: string) => Promise<void>
}
