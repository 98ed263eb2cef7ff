import { type Gate as Shown, type GatesControl, type GateToAdd, withUsualWait } from '../../control/gates.ts'
import type { Gate } from '../faults/gates.ts'
import { readEffect, readGate } from '../faults/read-fault.ts'
import { checkBody, readQuery } from './check.ts'
import type { ControlContext } from './context.ts'
import { checkMatch } from './match.ts'
import { readWait } from './wait.ts'

export function gatesIn({ interception: { gates }, store }: ControlContext): GatesControl {
  return {
    async add(gate = {}) {
      checkBody('addGate', gate)
      await checkMatch(gate, store)
      return showGate(gates.add(readGate(gate)))
    },
    list: async () => gates.all().map(showGate),
    get: async (gateId) => showGate(gates.get(gateId)),
    async wait(gateId, time = {}) {
      const { wait } = readQuery('getGate', withUsualWait(time))
      return showGate(wait === undefined ? gates.get(gateId) : await gates.wait(gateId, readWait(wait)))
    },
    release: async (gateId) => showGate(gates.release(gateId)),
    async fail(gateId, failure = {}) {
      checkBody('failGate', failure)
      return showGate(gates.fail(gateId, readEffect(failure)))
    },
    async delete(gateId) {
      gates.remove(gateId)
    },
    async clear() {
      gates.clear()
    },
  }
}

const showGate = ({ id, given, state, matched }: Gate): Shown => ({ id, ...(given as GateToAdd), state, matched })
