import { bodyOf } from '../../control/options.ts'
import type { SnapshotsControl } from '../../control/snapshots.ts'
import type { ControlSchemas } from '../../control/types.ts'
import type { TeamInWorld, World } from '../../fixtures/world.ts'
import { NotFound, refuse } from './refusals.ts'
import type { KeptWorld } from '../store/kept-worlds.ts'
import { inWorldOf, sizeOf } from '../store/owned-records.ts'
import { type Store, UnusableKeptWorld } from '../store/port.ts'
import { checkBody, checkNames } from './check.ts'
import type { ControlContext } from './context.ts'
import { readWorld } from './sent-world.ts'

type Snapshot = ControlSchemas['Snapshot']

const mostSnapshots = 100
const mostRecords = 2_000_000

/** The format that says how a store writes worlds: its records may have fields that no schema lists. */
const version = 1

export function snapshotsIn(context: ControlContext): SnapshotsControl {
  const { store, become, later, origins, doDueWork } = context
  return {
    async save(name, of = {}) {
      checkBody('saveSnapshot', bodyOf({ name }, of))
      const { teamId } = of
      if (teamId !== undefined && !(await store.team(teamId))) throw new NotFound()
      await doDueWork()
      const world = teamId === undefined ? await store.world() : { teams: [await store.teamInWorld(teamId)] }
      return keep(name, { world, isWhole: teamId === undefined }, store)
    },

    async list() {
      const names = (await store.snapshots.names()).toSorted()
      const described = await Promise.all(names.map((name) => look(name, store)))
      return described.filter((one) => one !== undefined)
    },

    async restore(name, of = {}) {
      checkBody('restoreSnapshot', of)
      const { world, isWhole } = await findSnapshot(name, store)
      if (isWhole && of.teamId === undefined) await origins.keepUnknownAnd(world.teams, () => become(world))
      else await restoreTeam(world, of.teamId, context)
      await later.wake()
    },

    async delete(name) {
      checkNames(name)
      // One that cannot be read is deleted all the same.
      if (!(await store.snapshots.names()).includes(name)) throw new NotFound()
      await store.snapshots.remove(name)
    },

    async download(name) {
      const { world } = await findSnapshot(name, store)
      return { version, ...world } as unknown as Awaited<ReturnType<SnapshotsControl['download']>>
    },

    async upload(name, world) {
      checkBody('uploadSnapshot', world)
      checkBody('saveSnapshot', { name })
      return keep(name, { world: await readWorld(world), isWhole: true }, store)
    },
  }
}

/** The snapshot of that name. A name that none can have is one of none: it may lead anywhere. */
async function findSnapshot(name: string, { snapshots }: Store): Promise<KeptWorld> {
  checkNames(name)
  const kept = canBeName.test(name) ? await snapshots.get(name) : undefined
  if (!kept) throw new NotFound()
  return kept
}

const canBeName = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** One that cannot be read is told among the others, with the reason; one that was deleted meanwhile is not. */
async function look(name: string, { snapshots }: Store): Promise<Snapshot | undefined> {
  try {
    const kept = await snapshots.get(name)
    return kept && describe(name, kept)
  } catch (error) {
    if (!(error instanceof UnusableKeptWorld)) throw error
    return { name, of: 'unknown', teams: [], records: 0, damage: error.message }
  }
}

/** The world of a snapshot, for those who name it in a text. */
export async function findSnapshotWorld(name: string, store: Store): Promise<World> {
  const kept = canBeName.test(name) ? await store.snapshots.get(name) : undefined
  return kept?.world ?? refuse('from: there is no such snapshot; GET /_sandbox/snapshots lists them')
}

async function keep(name: string, kept: KeptWorld, store: Store): Promise<Snapshot> {
  const names = await store.snapshots.names()
  if (!names.includes(name) && names.length >= mostSnapshots)
    refuse(`there are ${mostSnapshots} snapshots already; delete one of them first`)
  const described = describe(name, kept)
  if (described.records > mostRecords) refuse(`a snapshot holds at most ${mostRecords} records`)
  await store.snapshots.put(name, kept)
  return described
}

const describe = (name: string, { world: { teams }, isWhole }: KeptWorld): Snapshot => ({
  name,
  of: isWhole ? 'everything' : 'team',
  teams: teams.map(({ _id }) => _id),
  records: teams.reduce((sum, team) => sum + sizeOf(team), 0),
})

async function restoreTeam(
  { teams }: World,
  asked: string | undefined,
  { store, origins }: ControlContext,
): Promise<void> {
  const saved = findSaved(asked, teams)
  const teamId = asked ?? saved._id
  const present = await store.team(teamId)
  if (present) return store.refillTeam(teamId, inWorldOf(present, saved))
  if (saved._id !== teamId) throw new NotFound()
  for (const key of saved.apiKeys) {
    const owner = await store.teamOfKey(key)
    if (owner !== undefined) refuse(`team ${teamId} cannot come back: a key of it is that of team ${owner} now`)
  }
  await origins.keepUnknownAnd([saved], () => store.addTeam(saved))
}

function findSaved(teamId: string | undefined, teams: readonly TeamInWorld[]): TeamInWorld {
  const [only, ...others] = teams
  const saved = teams.find(({ _id }) => _id === teamId) ?? (others.length === 0 ? only : undefined)
  return saved ?? refuse(`teamId must be that of a team in the snapshot: ${teams.map(({ _id }) => _id).join(', ')}`)
}
