import type { Assumed } from '../../spec/assumed.ts'
import type { Chosen } from '../../spec/choices.ts'
import type { Clock } from '../clock.ts'
import type { AnyReply } from '../envelope.ts'
import type { Ids } from '../ids.ts'
import type { Secrets } from '../http/redaction.ts'
import type { Store } from '../store/port.ts'
import type { Tokens } from '../tokens.ts'

/** What the control plane has in its hands. */
export interface Controls {
  readonly store: Store
  /** The name of the store, as `--store` takes it. */
  readonly storeName: string
  readonly tokens: Tokens
  readonly clock: Clock
  readonly ids: Ids
  readonly chosen: Chosen
  readonly newAssumed: () => Assumed
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
