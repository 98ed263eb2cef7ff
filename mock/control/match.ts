import { quoteUnlessPlain } from '../../shared/text.ts'
import { closeTo } from '../../spec/close-to.ts'
import { operations } from '../../spec/operations.ts'
import { refuse } from './refusals.ts'
import type { Match } from '../faults/rules.ts'
import type { Store } from '../store/port.ts'

/** Refuses operations and teams that there are not: a rule about them would never apply, and no test would notice. */
export async function checkMatch(
  { operation = [], team }: Pick<Match, 'operation' | 'team'>,
  store: Store,
): Promise<void> {
  for (const id of [operation].flat()) {
    if (!Object.hasOwn(operations, id)) refuseOperation(id)
  }
  if (team !== undefined && !(await store.team(team)))
    refuse(`there is no team ${quoteUnlessPlain(team)}; team must be the id of one, as GET /_sandbox/teams lists them`)
}

function refuseOperation(id: string): never {
  const [meant] = closeTo(id, Object.keys(operations))
  const hint =
    meant === undefined ? 'it must be an operationId of the service, such as createContact' : `did you mean ${meant}?`
  refuse(`there is no operation ${quoteUnlessPlain(id)}; ${hint}`)
}
