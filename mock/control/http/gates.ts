import type { GateToAdd } from '../../../control/gates.ts'
import { created, done, ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const gateRows = {
  addGate: async ({ gates }, { body }) => created('Gate added', await gates.add(body as GateToAdd)),

  listGates: async ({ gates }) => ok('Gates found', await gates.list()),

  async clearGates({ gates }) {
    await gates.clear()
    return done('All gates deleted')
  },

  getGate: async ({ gates }, { path: { gateId }, query: { wait } }) =>
    ok('Gate found', await (wait === undefined ? gates.get(gateId) : gates.wait(gateId, { wait }))),

  async deleteGate({ gates }, { path: { gateId } }) {
    await gates.delete(gateId)
    return done('Gate deleted')
  },

  releaseGate: async ({ gates }, { path: { gateId } }) => ok('Gate released', await gates.release(gateId)),

  failGate: async ({ gates }, { path: { gateId }, body }) => ok('Request failed', await gates.fail(gateId, body)),
} satisfies Partial<Rows>
