import { quoteUnlessPlain } from '../../shared/text.ts'
import { closeTo } from '../../spec/close-to.ts'
import { operations } from '../../spec/operations.ts'
import type { Match } from '../faults/match.ts'
import type { Store } from '../store/port.ts'
import { refuse } from './refusals.ts'

/** Refuses unknown operations and teams: a rule about them would never apply, and no test would notice. */
export async function checkMatch({ operation = [], team }: Match, store: Store): Promise<void> {
  const hint = 'it must be an operationId of the service, such as createContact'
  for (const id of [operation].flat()) checkName('operation', id, Object.keys(operations), hint)
  if (team !== undefined && !(await store.team(team)))
    refuse(`there is no team ${quoteUnlessPlain(team)}; team must be the id of one, as GET /_sandbox/teams lists them`)
}

export function checkName(kind: string, name: string, known: readonly string[], hint: string): void {
  if (known.includes(name)) return
  const [close] = closeTo(name, known)
  refuse(`there is no ${kind} ${quoteUnlessPlain(name)}; ${close === undefined ? hint : `did you mean ${close}?`}`)
}
