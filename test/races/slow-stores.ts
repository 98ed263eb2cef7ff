import { setImmediate as othersFirst } from 'node:timers/promises'
import { type Kind, kinds } from '../../fixtures/records.ts'
import type { World } from '../../fixtures/world.ts'
import { NoSuchTeam, type OpenTeam, type Records, type RecordsOf, type Store } from '../../mock/store/port.ts'

/** A word before the name of a store, such as `slow memory`, says what is put around it. */
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

// In memory a step takes no time, so that nothing can come in between even where nothing prevents it. Here each step lets
// others go first, as it would if the records were on another machine.

/** A store that takes its time in each turn. */
function slow(store: Store): Store {
  return {
    ...around(store),
    read: (teamId, work) =>
      store.read(teamId, ({ onFile, records }) =>
        work({ onFile, records: stepByStep((step) => step(records as Records)) }),
      ),
    turn: (teamId, work) =>
      store.turn(teamId, (team) => work({ ...team, records: stepByStep((step) => step(team.records)) })),
  }
}

/** The same without turns: each step is whole, and anything may happen between two of them. */
function racy(store: Store): Store {
  const open = async (teamId: string): Promise<OpenTeam> => {
    const onFile = await store.team(teamId)
    if (!onFile) throw new NoSuchTeam(teamId)
    return {
      onFile,
      records: stepByStep((step) => store.turn(teamId, ({ records }) => step(records))),
      dueBy: (at) =>
        void store.turn(teamId, async (team) => {
          team.dueBy(at)
        }),
      dueNext: (next) =>
        void store.turn(teamId, async (team) => {
          team.dueNext(next)
        }),
    }
  }
  return {
    ...around(store),
    read: async (teamId, work) => work(await open(teamId)),
    turn: async (teamId, work) => work(await open(teamId)),
  }
}

function around(store: Store): Omit<Store, 'read' | 'turn'> {
  return {
    snapshots: store.snapshots,
    origins: store.origins,
    teamOfKey: (apiKey) => store.teamOfKey(apiKey),
    team: (teamId) => store.team(teamId),
    teams: () => store.teams(),
    addTeam: (team) => store.addTeam(team),
    forkTeam: (teamId, fork) => store.forkTeam(teamId, fork),
    refillTeam: (teamId, records) => store.refillTeam(teamId, records),
    teamInWorld: (teamId) => store.teamInWorld(teamId),
    removeTeam: (teamId) => store.removeTeam(teamId),
    become: (world) => store.become(world),
    world: () => store.world(),
    close: () => store.close(),
    era: () => store.era(),
    count: (name, now, until) => store.count(name, now, until),
    claimDue: (now, leaseUntil) => store.claimDue(now, leaseUntil),
    nextDue: () => store.nextDue(),
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
      getMany: (ids) => step((records) => records.getMany(ids)),
      find: (index, value) => step((records) => records.find(index, value)),
      first: (index, value) => step((records) => records.first(index, value)),
      page: (index, values, part) => step((records) => records.page(index, values, part)),
      count: (index, values) => step((records) => records.count(index, values)),
      kept: () => step((records) => records.kept()),
      charactersOfAllTeams: () => step((records) => records.charactersOfAllTeams()),
      insert: (record) => step((records) => records.insert(record)),
      insertAll: (all) => step((records) => records.insertAll(all)),
      replace: (record) => step((records) => records.replace(record)),
      replaceAll: (all) => step((records) => records.replaceAll(all)),
      remove: (id) => step((records) => records.remove(id)),
      removeWhere: (index, value) => step((records) => records.removeWhere(index, value)),
    }
  }
  return Object.fromEntries(kinds.map((kind) => [kind, stepsOf(kind)])) as unknown as Records
}
