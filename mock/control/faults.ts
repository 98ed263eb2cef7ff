import type { Fault as Shown, FaultsControl, FaultToAdd } from '../../control/faults.ts'
import type { Fault } from '../faults/faults.ts'
import { readFault } from '../faults/read-fault.ts'
import { checkBody } from './check.ts'
import type { ControlContext } from './context.ts'
import { checkMatch } from './match.ts'

export function faultsIn({ interception: { faults }, store }: ControlContext): FaultsControl {
  return {
    async add(fault = {}) {
      checkBody('addFault', fault)
      await checkMatch(fault, store)
      return showFault(faults.add(readFault({ ...fault })))
    },
    list: async () => faults.all().map(showFault),
    get: async (faultId) => showFault(faults.get(faultId)),
    async delete(faultId) {
      faults.remove(faultId)
    },
    async clear() {
      faults.clear()
    },
  }
}

const showFault = ({ id, given, matched, fired }: Fault): Shown => ({ id, ...(given as FaultToAdd), matched, fired })
