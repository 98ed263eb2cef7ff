import type { TeamInWorld, TeamOnFile, World } from '../../fixtures/world.ts'
import { inSteps } from '../../lib/pause.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { UserError } from '../../lib/user-error.ts'
import { RejectedNow, reject } from '../core/rejections.ts'
import type { SharedSettings } from '../core/shared-settings.ts'
import type { Interception } from '../http/faults/interception.ts'
import type { Engine } from '../operations/engine.ts'
import { stepsOfTeam } from '../store/teams.ts'
import { clear, isSet, restartClock, type Settings, type TeamSettings } from './settings.ts'

export interface WorldsOptions {
  /** Loads the records after a reset. */
  readonly world: () => Promise<World>
  readonly secrets: Redactor
  /** The token that the control plane requires, if any. */
  readonly controlToken: string | undefined
}

type Keys = Pick<TeamOnFile, '_id' | 'apiKeys'>

/** Replaces everything in the store, by another world or by the initial one. */
export function worldsOf(
  { world, secrets, controlToken }: WorldsOptions,
  { store, teams, memory }: Pick<Engine, 'store' | 'teams' | 'memory'>,
  settings: SharedSettings<Settings, TeamSettings>,
  interception: Interception,
) {
  let load = world
  const keysOf = new Map<string, readonly string[]>()
  return {
    /** Hides the keys of all teams. */
    secrets,
    checkKeys,
    hideKeys,
    setKeys,
    replaceAll,
    restoreSnapshot,

    /** The initial records of a team, to which its reset brings it back. */
    async initialRecordsOf(teamId: string): Promise<TeamInWorld | undefined> {
      return (await store.initialRecords(teamId)) ?? byId(await loadInitial()).get(teamId)
    },

    /** Replaces everything, and what a reset brings back. The settings stay. */
    async replaceInitial(next: World): Promise<void> {
      await replaceAll(next)
      load = async () => next
      await teams.scheduler.runAllDue()
    },

    async reset(): Promise<void> {
      await replaceAll(await loadInitial())
      const dropped = await settings.change((all) => {
        restartClock(all)
        all.resets++
        return clear(all)
      })
      const ofTeams = await settings.changeEach(isSet, clear)
      await interception.forget([...dropped, ...ofTeams.flat()])
      await teams.scheduler.runAllDue()
    },
  }

  function replaceAll({ teams }: World, initialRecords: readonly TeamInWorld[] = []): Promise<void> {
    return replaceBy(async () => {
      await checkKeys(teams)
      await store.replaceAll({ teams }, initialRecords)
      return teams
    })
  }

  /** Of a team that is gone, and no initial one, a reset brings back what the snapshot has. */
  function restoreSnapshot(name: string, restore: NonNullable<typeof store.restoreSnapshot>): Promise<void> {
    return replaceBy(async (before) => {
      let teams: readonly TeamOnFile[] = []
      await restore(name, async (saved) => {
        await checkKeys((teams = saved))
        const known = new Set(before.map(({ _id }) => _id))
        const gone = saved.map(({ _id }) => _id).filter((teamId) => !known.has(teamId))
        if (gone.length > 0) for (const { _id } of (await loadInitial()).teams) known.add(_id)
        return gone.filter((teamId) => !known.has(teamId))
      })
      return teams
    })
  }

  /** `replace` receives the teams before it, and returns those after it. */
  async function replaceBy(replace: (before: readonly TeamOnFile[]) => Promise<readonly TeamOnFile[]>): Promise<void> {
    const before = await store.teams()
    const after = await replace(before)
    const present = new Set(after.map(({ _id }) => _id))
    const gone = before.map(({ _id }) => _id).filter((teamId) => !present.has(teamId))
    await hideKeys([...gone.map((_id) => ({ _id, apiKeys: [] })), ...after])
    await settings.drop(gone)
    teams.changes.notifyAll()
  }

  async function loadInitial(): Promise<World> {
    try {
      return await load()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      throw new RejectedNow(409, `The initial data cannot be read: ${error.message}`)
    }
  }

  /** Refuses the control token as a key: clients of the API could steer the sandbox. */
  async function checkKeys(added: readonly TeamOnFile[]): Promise<void> {
    if (controlToken === undefined) return
    for await (const { _id, apiKeys } of inSteps(added, stepsOfTeam))
      if (apiKeys.includes(controlToken)) reject(`The control token is an API key of team ${_id}; choose another key`)
  }

  async function hideKeys(teams: readonly Keys[]): Promise<void> {
    const present = new Set(teams.flatMap(({ apiKeys }) => apiKeys))
    for await (const team of inSteps(teams, stepsOfTeam)) setKeys([team], present)
  }

  /** Hides the present keys of teams. Too many earlier keys are discarded, with the journal. */
  function setKeys(teams: readonly Keys[], present = new Set(teams.flatMap(({ apiKeys }) => apiKeys))): void {
    for (const { _id, apiKeys } of teams) {
      const gone = keysOf.get(_id)?.filter((key) => !present.has(key)) ?? []
      if (secrets.retire(gone)) memory.shrinkJournal(Infinity)
      secrets.add(apiKeys)
      if (apiKeys.length > 0) keysOf.set(_id, apiKeys)
      else keysOf.delete(_id)
    }
  }
}

const indexes = new WeakMap<World, ReadonlyMap<string, TeamInWorld>>()

function byId(world: World): ReadonlyMap<string, TeamInWorld> {
  const index = indexes.get(world) ?? new Map(world.teams.map((team) => [team._id, team]))
  indexes.set(world, index)
  return index
}
