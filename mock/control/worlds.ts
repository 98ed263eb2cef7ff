import type { TeamInWorld, World } from '../../fixtures/world.ts'
import { quoteUnlessPlain } from '../../shared/text.ts'
import type { KeptWorld } from '../store/kept-worlds.ts'
import type { Store } from '../store/port.ts'
import type { ControlContext } from './context.ts'
import { NotFound, refuse } from './refusals.ts'
import type { AnyWorld } from './schemas.ts'

/** Checks a world; refuses it with all of its faults. */
export async function readWorld(sent: unknown, { controlToken }: Pick<ControlContext, 'controlToken'>): Promise<World> {
  const { checkWorld, UnreadableWorld } = await import('../../fixtures/check-world.ts')
  try {
    const world = checkWorld(sent, 'the world')
    if (controlToken !== undefined && keysOf(world.teams).includes(controlToken))
      refuse('an API key in the world is the control token; choose another')
    return world
  } catch (error) {
    if (error instanceof UnreadableWorld) refuse(error.message)
    throw error
  }
}

/** Adds teams with their keys: all of them, or none. */
export async function addTeams(
  teams: readonly TeamInWorld[],
  { store, origins, secrets }: ControlContext,
): Promise<void> {
  secrets.add(keysOf(teams))
  const added: string[] = []
  await origins.keepAnd(teams, async () => {
    try {
      for (const team of teams) {
        await store.addTeam(team)
        added.push(team._id)
      }
    } catch (error) {
      for (const teamId of added) await store.removeTeam(teamId)
      throw error
    }
  })
}

const keysOf = (teams: readonly TeamInWorld[]) => teams.flatMap(({ apiKeys }) => apiKeys)

/** The initial state of a new team: the present state of a team, the team of a world, or nothing. */
export type Source = { readonly fork: string } | { readonly team: TeamInWorld } | undefined

/** How a source may be written, for refusals. */
export const sourceForm = 'empty, team:ID, world:NAME, snapshot:NAME, or a world with one team'

export async function findSource(from: string | AnyWorld | undefined, context: ControlContext): Promise<Source> {
  const { store } = context
  if (from === undefined || from === 'empty') return undefined
  if (typeof from === 'object') {
    const [team, ...others] = (await readWorld(from, context)).teams
    if (!team) refuse('from has no team')
    return others.length === 0 ? { team } : refuse('from must be a world with one team')
  }
  const [, kind, name = '', teamId] = /^(team|world|snapshot):([^/]+)(?:\/(.+))?$/s.exec(from) ?? []
  if (kind === 'team' && teamId === undefined) {
    if (await store.team(name)) return { fork: name }
    refuse(`from: there is no team ${quoteUnlessPlain(name)}; GET /_sandbox/teams lists them`)
  }
  if (kind !== 'world' && kind !== 'snapshot') refuse(`from must be ${sourceForm}`)
  if (kind === 'world') return { team: findTeam(await findShipped(name), from, teamId) }
  const saved = await readSnapshot(name, store)
  if (!saved) refuse('from: there is no such snapshot; GET /_sandbox/snapshots lists them')
  return { team: findTeam(saved.world, from, teamId) }
}

/** The team of that id, or the only one. */
function findTeam({ teams }: World, from: string, teamId: string | undefined): TeamInWorld {
  const ids = teams.map(({ _id }) => _id).slice(0, 20)
  const [first, ...others] = teams.filter(({ _id }) => teamId === undefined || _id === teamId)
  if (!first) refuse(`from: the world has no such team, but ${ids.join(', ') || 'none'}`)
  if (others.length === 0) return first
  return refuse(`from: several teams are in that world; name one of them, such as ${from}/${first._id}`)
}

/** By name only: a client that may create a team may not read the files of this machine. */
async function findShipped(name: string): Promise<World> {
  const { loadWorld, shippedWorlds } = await import('../../fixtures/load-world.ts')
  const known = shippedWorlds.find((shipped) => shipped === name)
  if (known !== undefined) return loadWorld(known)
  return refuse(`from: there is no world ${quoteUnlessPlain(name)}, only ${shippedWorlds.join(', ')}`)
}

export const snapshotName = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** Other names are never looked up: they could lead to other files. */
const readSnapshot = async (name: string, { snapshots }: Store) =>
  snapshotName.test(name) ? snapshots.get(name) : undefined

export async function findSnapshot(name: string, store: Store): Promise<KeptWorld> {
  const kept = await readSnapshot(name, store)
  if (!kept) throw new NotFound()
  return kept
}
