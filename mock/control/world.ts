import type { ControlSchemas } from '../../control/types.ts'
import { faultIn, type Wanted, type WorldControl } from '../../control/world.ts'
import type { TeamInWorld, World } from '../../fixtures/world.ts'
import { oneAtATime } from '../../shared/one-at-a-time.ts'
import { isObject } from '../../spec/document.ts'
import { recordNames } from '../../spec/voice/records.ts'
import { NotFound, refuse } from './refusals.ts'
import type { Store } from '../store/port.ts'
import { recordsOf } from '../store/team-and-records.ts'
import { withWholeMessages } from '../whole-messages.ts'
import { checkBody, readQuery } from './check.ts'
import type { ControlContext } from './context.ts'
import { readWorld } from './sent-world.ts'

/** As `WorldControl`, with worlds of the type that this process has. */
export interface OwnWorldControl extends WorldControl {
  readonly world: (of?: { readonly teamId?: string }) => Promise<World>
}

export function worldIn(context: ControlContext): OwnWorldControl {
  const { store, become, later, origins, secrets, doDueWork } = context
  /** For a team that is added twice at once, which is one that there is already. */
  const inTurn = oneAtATime()

  const world = async (of: { readonly teamId?: string } = {}) => {
    const { teamId } = readQuery('getWorld', of)
    if (teamId !== undefined && !(await store.team(teamId))) throw new NotFound()
    await doDueWork()
    return withWholeMessages(teamId === undefined ? await store.world() : { teams: [await store.teamInWorld(teamId)] })
  }

  return {
    world,

    async loadWorld(sent) {
      checkBody('loadWorld', sent)
      const next = await readOwnWorld(sent, context)
      await origins.keepAnd(next.teams, () => become(next))
      await origins.forgetAll(next.teams)
      await later.wake()
      return listTeams(next)
    },

    async addWorld(sent) {
      checkBody('addWorld', sent)
      const added = await readOwnWorld(sent, context)
      await inTurn(async () => {
        await refuseTaken(added, context)
        await origins.keepAnd(added.teams, () => addTeams(added.teams, store))
      })
      for (const { apiKeys } of added.teams) secrets.add(...apiKeys)
      await later.wake()
      return listTeams(added)
    },

    async records(teamId, kind, wanted = {}) {
      const fault = faultIn(wanted)
      if (fault !== undefined) refuse(fault)
      const { where = {}, ...asked } = wanted
      const { page = 1, limit = 100 } = readQuery('findRecords', asked)
      if (!kinds.includes(kind) || !(await store.team(teamId))) throw new NotFound()
      const [team] = (await world({ teamId })).teams
      const all: readonly object[] = team ? recordsOf(team, kind) : []
      const found = all.filter(matcherFor(where))
      return { total: found.length, page, limit, records: found.slice((page - 1) * limit, page * limit) as Shown }
    },
  }
}

type Shown = ControlSchemas['Records']['records']

const kinds: readonly string[] = [
  ...recordNames,
  'users',
  'providers',
  'bulkSends',
] satisfies readonly ControlSchemas['Kind'][]

/** All of them, or none. */
async function addTeams(teams: readonly TeamInWorld[], store: Store): Promise<void> {
  const added: string[] = []
  try {
    for (const team of teams) {
      await store.addTeam(team)
      added.push(team._id)
    }
  } catch (error) {
    for (const teamId of added) await store.removeTeam(teamId)
    throw error
  }
}

const listTeams = ({ teams }: World) => teams.map(({ _id, name }) => ({ teamId: _id, name }))

async function readOwnWorld(sent: unknown, { controlToken }: ControlContext): Promise<World> {
  const world = await readWorld(sent)
  const isTaken = ({ apiKeys }: TeamInWorld) => controlToken !== undefined && apiKeys.includes(controlToken)
  if (world.teams.some(isTaken)) refuse('an API key in the world is the control token; choose another')
  return world
}

async function refuseTaken({ teams }: World, { store }: ControlContext): Promise<void> {
  for (const { _id, apiKeys } of teams) {
    if (await store.team(_id)) refuse(`there is a team ${_id} already; give the one in the world another _id`)
    for (const key of apiKeys) {
      const owner = await store.teamOfKey(key)
      if (owner !== undefined) refuse(`an API key of team ${_id} in the world is one of team ${owner} already`)
    }
  }
}

function matcherFor(where: NonNullable<Wanted['where']>): (record: object) => boolean {
  const fields = Object.entries(where).map(([path, value]) => ({ path: path.split('.'), value: String(value) }))
  return (record) => fields.every(({ path, value }) => [valueAt(record, path)].flat().some((one) => isText(one, value)))
}

const isText = (value: unknown, text: string) =>
  (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') && String(value) === text

function valueAt(record: unknown, [field, ...path]: readonly string[]): unknown {
  if (field === undefined) return record
  if (Array.isArray(record)) return record.map((one) => valueAt(one, [field, ...path]))
  return isObject(record) && Object.hasOwn(record, field) ? valueAt(record[field], path) : undefined
}
