import { setImmediate as othersFirst } from 'node:timers/promises'
import { type Kind, kinds } from '../../fixtures/records.ts'
import type { World } from '../../fixtures/world.ts'
import { NoSuchTeam, type Records, type RecordsOf, type Store } from '../../mock/store/store.ts'

/** Opens a store whose name begins with `slow` or `racy`, such as `slow memory`, inside a wrapper. */
export function openAround({ openStore }: { openStore: Open }): { openStore: Open } {
  return {
    openStore: async (name, world) => {
      const [, word, inner = ''] = /^(slow|racy) (.*)$/s.exec(name) ?? []
      if (word === undefined) return openStore(name, world)
      return (word === 'slow' ? slow : racy)(await openStore(inner, world))
    },
  }
}

type Open = (name: string, world: World) => Promise<Store>

// In memory no other request can run between two steps, with or without turns. These stores yield at each step, as a
// store on another machine does.

/** A store that yields at each step of a turn. */
function slow(store: Store): Store {
  return around(store, (teamId, work) =>
    store.turn(teamId, (records, team) =>
      work(
        stepByStep((step) => step(records)),
        team,
      ),
    ),
  )
}

/** A store without turns: each step is atomic, and other requests may run between two of them. */
function racy(store: Store): Store {
  return around(store, async (teamId, work) => {
    const team = await store.team(teamId)
    if (!team) throw new NoSuchTeam(teamId)
    return work(
      stepByStep((step) => store.turn(teamId, step)),
      team,
    )
  })
}

function around(store: Store, turn: Store['turn']): Store {
  return {
    turn,
    teamOfKey: (apiKey) => store.teamOfKey(apiKey),
    team: (teamId) => store.team(teamId),
    teams: () => store.teams(),
    addTeam: (team) => store.addTeam(team),
    removeTeam: (teamId) => store.removeTeam(teamId),
    become: (world) => store.become(world),
    world: () => store.world(),
    close: () => store.close(),
  }
}

type Step<Result> = (records: Records) => Promise<Result>

function stepByStep(take: <Result>(step: Step<Result>) => Promise<Result>): Records {
  const stepsOf = <K extends Kind>(kind: K): RecordsOf<K> => {
    const step = async <Result>(work: (records: RecordsOf<K>) => Promise<Result>) => {
      await othersFirst()
      return take((records) => work(records[kind] as RecordsOf<K>))
    }
    return {
      get: (id) => step((records) => records.get(id)),
      find: (index, value) => step((records) => records.find(index, value)),
      page: (index, values, part) => step((records) => records.page(index, values, part)),
      insert: (record) => step((records) => records.insert(record)),
      replace: (record) => step((records) => records.replace(record)),
      remove: (id) => step((records) => records.remove(id)),
    }
  }
  return Object.fromEntries(kinds.map((kind) => [kind, stepsOf(kind)])) as unknown as Records
}
