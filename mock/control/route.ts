import type { Chosen } from '../../spec/choices.ts'
import type { AnyReply } from '../core/envelope.ts'
import type { Ids } from '../core/ids.ts'
import type { Teams } from '../core/teams.ts'
import type { Tokens } from '../core/tokens.ts'
import type { Secrets } from '../http/redaction.ts'
import type { Store } from '../store/store.ts'

/** What the control plane has in its hands. */
export interface Controls {
  readonly store: Store
  readonly teams: Teams
  /** The name of the store, as `--store` takes it. */
  readonly storeName: string
  readonly tokens: Tokens
  readonly ids: Ids
  readonly chosen: Chosen
  readonly secrets: Secrets
  /** When the sandbox started, by `performance.now()`. */
  readonly startedAt: number
  readonly reset: () => Promise<void>
  /** Does what has become due, in one team or in all: to be called when the clock was set, or sends were released. */
  readonly wake: (teamId?: string) => Promise<void>
}

export interface Asked {
  /** The parameters of the path, by name. */
  readonly path: Readonly<Record<string, string>>
  readonly query: unknown
  /** As it came: the route reads it. */
  readonly body: unknown
}

/** What the real service does not have: one thing that a test may ask of the sandbox itself. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below `/_sandbox`, such as `/teams/:teamId`. */
  readonly path: string
  answer(controls: Controls, asked: Asked): Promise<AnyReply>
}
