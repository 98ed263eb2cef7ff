import type { FaultToAdd } from '../../../control/faults.ts'
import { created, done, ok } from '../../core/replies.ts'
import type { Rows } from './row.ts'

export const faultRows = {
  addFault: async ({ faults }, { body }) => created('Fault added', await faults.add(body as FaultToAdd)),

  listFaults: async ({ faults }) => ok('Faults found', await faults.list()),

  async clearFaults({ faults }) {
    await faults.clear()
    return done('All faults deleted')
  },

  getFault: async ({ faults }, { path: { faultId } }) => ok('Fault found', await faults.get(faultId)),

  async deleteFault({ faults }, { path: { faultId } }) {
    await faults.delete(faultId)
    return done('Fault deleted')
  },
} satisfies Partial<Rows>
