import { ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const clockRows = {
  getClock: async ({ clock }) => ok('The clock', await clock.read()),
  setClock: async ({ clock }, { body }) => ok('Clock set', await clock.set(body)),
  restartClock: async ({ clock }) => ok('The clock tells its own time again', await clock.restart()),
  advanceClock: async ({ clock }, { body: { by } }) => ok('Clock advanced', await clock.advance(by)),
} satisfies Partial<Rows>
