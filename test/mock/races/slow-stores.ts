import { setImmediate } from 'node:timers/promises'
import { type Kind, kinds } from '../../../fixtures/records.ts'
import {
  type InitialWorld,
  NoSuchTeam,
  type StoreTransaction,
  type Records,
  type RecordsOf,
  type Store,
} from '../../../mock/store/port.ts'

type Open = (name: string, world: InitialWorld) => Promise<Store>

/** Opens `slow memory` and `racy memory` too, or the same of another store. */
export const openAround =
  (open: Open): Open =>
  async (name, world) => {
    const [, word, inner = ''] = /^(slow|racy) (.*)$/s.exec(name) ?? []
    if (word === undefined) return open(name, world)
    return (word === 'slow' ? slow : racy)(await open(inner, world))
  }

// In memory a step takes no time, so that no other request can run between two steps. Here each step lets others run, as
// it would if the records were on another machine.

/** A store with transactions that let other requests run between their steps. */
const slow = (store: Store): Store =>
  around(store, {
    read: (teamId, work) =>
      store.read(teamId, ({ onFile, records }) =>
        work({ onFile, records: stepByStep((step) => step(records as Records)) }),
      ),
    transaction: (teamId, work) =>
      store.transaction(teamId, (team) => work({ ...team, records: stepByStep((step) => step(team.records)) })),
  })

/** A store without transactions: each step is whole, and anything may happen between two of them. */
function racy(store: Store): Store {
  const open = async (teamId: string): Promise<StoreTransaction> => {
    const onFile = await store.team(teamId)
    if (!onFile) throw new NoSuchTeam(teamId)
    const later = (work: (team: StoreTransaction) => void) =>
      void store.transaction(teamId, async (team) => {
        work(team)
      })
    return {
      onFile,
      records: stepByStep((step) => store.transaction(teamId, ({ records }) => step(records))),
      scheduleAt: (at) => later((team) => team.scheduleAt(at)),
      scheduleNext: (next) => later((team) => team.scheduleNext(next)),
    }
  }
  return around(store, {
    read: async (teamId, work) => work(await open(teamId)),
    transaction: async (teamId, work) => work(await open(teamId)),
  })
}

/** The store with two of its methods replaced. */
function around(store: Store, methods: Pick<Store, 'read' | 'transaction'>): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(name in methods ? methods : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

type Step<Result> = (records: Records) => Promise<Result>

/** Records with methods that let other requests run first. */
function stepByStep(take: <Result>(step: Step<Result>) => Promise<Result>): Records {
  const recordsOf = (kind: Kind) =>
    new Proxy(
      {},
      {
        get:
          (_, method: keyof RecordsOf<Kind>) =>
          async (...given: unknown[]) => {
            await setImmediate()
            return take((records) => (records[kind][method] as (...given: unknown[]) => Promise<unknown>)(...given))
          },
      },
    )
  return Object.fromEntries(kinds.map((kind) => [kind, recordsOf(kind)])) as unknown as Records
}
