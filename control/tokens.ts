import type { Ask } from './ask.ts'
import type { ControlBody, ControlSchemas } from './types.ts'

/** Bearer tokens, for an admin or an agent of a team. */
export interface TokensControl {
  /** Signs a token; a user who is unknown is added to the team. */
  sign(token: ControlBody<'signToken'>): Promise<ControlSchemas['Token']>
}

export const tokensOver = (ask: Ask): TokensControl => ({ sign: (token) => ask('signToken', { body: token }) })
