import type { Interception } from '../faults/interception.ts'
import { type EffectGiven, type GateGiven, readEffect, readGate } from '../faults/read-fault.ts'
import type { Gate } from '../faults/gates.ts'

export function gatesIn({ interception: { gates } }: { interception: Interception }) {
  return {
    add: async (given: GateGiven) => show(gates.add(readGate(given))),
    list: async () => gates.all().map(show),
    get: async (gateId: string) => show(gates.get(gateId)),
    wait: async (gateId: string, milliseconds: number) => show(await gates.wait(gateId, milliseconds)),
    release: async (gateId: string) => show(gates.release(gateId)),
    fail: async (gateId: string, given: EffectGiven) => show(gates.fail(gateId, readEffect(given))),
    delete: async (gateId: string) => {
      gates.remove(gateId)
    },
    clear: async () => {
      gates.clear()
    },
  }
}

const show = ({ id, given, state, matched }: Gate) => ({ id, ...given, state, matched })
