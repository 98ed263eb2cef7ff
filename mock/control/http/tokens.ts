import { ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const tokenRows = {
  signToken: async ({ tokens }, { body }) => ok('Token signed', await tokens.sign(body)),
} satisfies Partial<Rows>
