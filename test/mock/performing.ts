import type { World } from '../../fixtures/world.ts'
import { envelopeOf } from '../../mock/core/response.ts'
import { keyedBy } from '../../mock/core/idempotency.ts'
import { ids } from '../../mock/core/ids.ts'
import { operations as mocked } from '../../mock/operations/index.ts'
import type { Operations } from '../../mock/core/operation.ts'
import { executorOf, type Request } from '../../mock/core/execute.ts'
import { refuse } from '../../mock/core/refusals.ts'
import { Teams } from '../../mock/core/teams.ts'
import type { Store } from '../../mock/store/port.ts'
import { assumedBy } from '../../spec/assumed.ts'
import { chooseAll, type WrittenChoices } from '../../spec/choices.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { twoTeams } from './harness.ts'
import { engine, handClock } from './keyed.ts'

export const withOddTeams: World = {
  teams: [...twoTeams.teams, ...['a', 'a b'].map((name) => ({ _id: name, name, apiKeys: [] }))],
}

export interface Asking {
  readonly id: OperationId
  readonly teamId: string
  readonly refused: boolean
  readonly body: Record<string, unknown>
  readonly key: string
  readonly assume: WrittenChoices
}

export function createProduct(asking: Partial<Asking> = {}): Request {
  const { id = 'createProduct', teamId = 'acme', body = engine, key = 'once', assume = {}, refused = false } = asking
  return {
    operation: operations[id],
    caller: { teamId },
    assumed: assumedBy(chooseAll(assume))(),
    keyed: keyedBy(key, id, JSON.stringify([id, body])),
    parse: () => {
      if (refused) refuse('not like this', { limit: 'wellFormed' })
      return { path: {}, query: {}, body, media: undefined } as unknown as ReturnType<Request['parse']>
    },
  }
}

export function performOn(store: Store, assume: WrittenChoices = {}, others: Partial<Operations> = {}) {
  const chosen = chooseAll(assume)
  const assumed = assumedBy(chosen)
  const newAssumed = () => assumed()
  const teams = new Teams({ store, clock: handClock(), ids: ids(1), newAssumed, onDue: () => undefined })
  return executorOf({ operations: { ...mocked, ...others }, teams, envelopeFor: () => envelopeOf(chosen) })
}

/** A gate that stays closed until the test opens it. */
export function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

export function gatedStore(store: Store) {
  const { opened, open } = gate()
  const transaction: Store['transaction'] = async (teamId, work) => {
    await opened
    return store.transaction(teamId, work)
  }
  return { gated: standingIn(store, { transaction }), open }
}

/** A store that fails to insert answers. */
export function brokenStore(store: Store): Store {
  const noRoom = () => Promise.reject(new Error('no room for an answer'))
  const transaction: Store['transaction'] = (teamId, work) =>
    store.transaction(teamId, (team) => {
      const { records } = team
      const answers = standingIn(records.answers, { insert: noRoom })
      return work(standingIn(team, { records: { ...records, answers } }))
    })
  return standingIn(store, { transaction })
}

export function standingIn<Thing extends object>(thing: Thing, other: Partial<Thing>): Thing {
  return new Proxy(thing, {
    get(_, name) {
      const source = Object.hasOwn(other, name) ? other : thing
      const value: unknown = Reflect.get(source, name)
      return typeof value === 'function' ? (value.bind(source) as unknown) : value
    },
  })
}
