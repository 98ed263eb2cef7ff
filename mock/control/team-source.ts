import type { TeamInWorld, World } from '../../fixtures/world.ts'
import { quoteUnlessPlain } from '../../shared/text.ts'
import type { ControlContext } from './context.ts'
import { refuse } from './refusals.ts'
import { readWorld } from './sent-world.ts'
import type { AnyWorld } from './schemas.ts'
import { findSnapshotWorld } from './snapshots.ts'

/** What a new team starts from: the present state of a team, the team of a world, or nothing. */
export type Source = { readonly fork: string } | { readonly team: TeamInWorld } | undefined

/** How a source may be written, for refusals. */
export const sourceForm = 'empty, team:ID, world:NAME, snapshot:NAME, or a world with one team'

export async function findSource(
  from: string | AnyWorld | undefined,
  { store, controlToken }: Pick<ControlContext, 'store' | 'controlToken'>,
): Promise<Source> {
  if (from === undefined || from === 'empty') return undefined
  if (typeof from === 'object') return { team: onlyTeam((await readWorld(from, controlToken)).teams, 'from') }
  const [, kind, name = '', teamId] = /^(team|world|snapshot):([^/]+)(?:\/(.+))?$/s.exec(from) ?? []
  if (kind === 'team' && teamId === undefined) {
    if (!(await store.team(name)))
      refuse(`from: there is no team ${quoteUnlessPlain(name)}; GET /_sandbox/teams lists them`)
    return { fork: name }
  }
  if (kind !== 'world' && kind !== 'snapshot') refuse(`from must be ${sourceForm}`)
  const { teams } = kind === 'world' ? await shippedWorld(name) : await findSnapshotWorld(name, store)
  return { team: onlyTeam(teams, from, teamId) }
}

/** The team of that id, or the only one. */
function onlyTeam(teams: readonly TeamInWorld[], from: string, teamId?: string): TeamInWorld {
  const [first, ...others] = teamId === undefined ? teams : teams.filter(({ _id }) => _id === teamId)
  const ids = teams
    .map(({ _id }) => _id)
    .slice(0, 20)
    .join(', ')
  if (!first) {
    return refuse(
      teamId === undefined ? `${from} has no team` : `from: the world has no such team, but ${ids || 'none'}`,
    )
  }
  if (others.length === 0) return first
  return refuse(
    from === 'from'
      ? 'from must be a world with one team'
      : `from: several teams are in that world; name one of them, such as ${from}/${first._id}`,
  )
}

/** By name only: whoever may create a team may not read the files of this machine. */
async function shippedWorld(name: string): Promise<World> {
  const { loadWorld, shippedWorlds } = await import('../../fixtures/load-world.ts')
  const known = shippedWorlds.find((shipped) => shipped === name)
  return known === undefined
    ? refuse(`from: there is no world ${quoteUnlessPlain(name)}, only ${shippedWorlds.join(', ')}`)
    : loadWorld(known)
}
