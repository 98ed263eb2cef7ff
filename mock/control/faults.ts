import type { Interception } from '../faults/interception.ts'
import { type FaultGiven, readFault } from '../faults/read-fault.ts'
import type { Fault } from '../faults/faults.ts'
import { refuse } from '../core/refusals.ts'
import type { Store } from '../store/port.ts'

export function faultsIn({ interception: { faults }, store }: { interception: Interception; store: Store }) {
  return {
    async add(given: FaultGiven) {
      if (given.team !== undefined) await checkTeam(given.team, store)
      return show(faults.add(readFault(given)))
    },
    list: async () => faults.all().map(show),
    get: async (faultId: string) => show(faults.get(faultId)),
    delete: async (faultId: string) => {
      faults.remove(faultId)
    },
    clear: async () => {
      faults.clear()
    },
  }
}

const show = ({ id, given, matched, fired }: Fault) => ({ id, ...given, matched, fired })

async function checkTeam(teamId: string, store: Store): Promise<void> {
  if (!(await store.team(teamId))) refuse(`there is no team ${teamId}; team must be the id of one`)
}
