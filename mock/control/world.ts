import { Type } from 'typebox'
import { apiKinds } from '../../fixtures/records.ts'
import type { TeamInWorld, World } from '../../fixtures/world.ts'
import { inSteps } from '../../lib/pause.ts'
import { quoteUnlessPlain } from '../../lib/text.ts'
import { closeTo } from '../../spec/close-to.ts'
import type { StoredSnapshot } from '../store/snapshots.ts'
import { type Reader, type Store, StoreUnreachable } from '../store/port.ts'
import { stepsOfTeam } from '../store/teams.ts'
import { checkName, type ControlContext } from './context.ts'
import { findRecords } from './find-records.ts'
import { UnknownName, reject } from '../core/rejections.ts'
import { noun, route } from './route.ts'
import {
  type AnyWorld,
  dictionaryOf,
  integer,
  ListedTeam,
  listOf,
  OfTeam,
  optionalInteger,
  optionalText,
  output,
  SentWorld,
  ofWorld,
  text,
} from '../core/schemas.ts'

export const listedKinds = [...apiKinds, 'users', 'providers', 'bulkSends'] as const
export type ListedKind = (typeof listedKinds)[number]

const Records = output('Records', {
  total: integer(),
  page: integer(),
  limit: integer(),
  records: listOf(dictionaryOf(Type.Unknown())),
})

const ShippedWorld = output('ShippedWorld', {
  name: text('As `--world` takes it.'),
  description: text(),
  teams: listOf(
    Type.Object({ teamId: text(), name: text(), from: text('The `from` of a new team that starts as this one.') }),
  ),
})

/** The format of worlds that a store wrote: their records may have fields that no schema lists. */
export const worldVersion = 1

export const world = noun('world', 'What the sandbox holds: as a world, and record by record.', (context) => {
  const { store, scheduler, worlds } = context
  return {
    getWorld: route('GET /world', 'Get all records, or those of one team, as a world', {
      call: 'world',
      query: OfTeam,
      data: SentWorld,
      handler: async ({ query: { teamId } }, reply) => ({
        version: worldVersion,
        ...(await currentWorld(teamId, context, reply)),
      }),
    }),

    loadWorld: route('PUT /world', 'Replace everything with a world', {
      call: 'loadWorld',
      description: 'It is checked first, and refused with all that is wrong with it. All tokens end.',
      ...ofWorld,
      message: 'World loaded',
      data: listOf(ListedTeam),
      async handler({ body }) {
        const next = await readWorld(body)
        await worlds.replaceAll(next, next.teams)
        await scheduler.runAllDue()
        return listTeams(next)
      },
    }),

    addWorld: route('POST /world', 'Add the teams of a world, with their keys', {
      call: 'addWorld',
      description: 'All of them, or none.',
      ...ofWorld,
      status: 201,
      message: 'Teams added',
      data: listOf(ListedTeam),
      async handler({ body }) {
        const added = await readWorld(body)
        await addTeams(added.teams, context)
        await scheduler.runAllDue()
        return listTeams(added)
      },
    }),

    listWorlds: route('GET /worlds', 'List the worlds and stories of the package', {
      call: 'worlds.list',
      message: 'Worlds found',
      data: listOf(ShippedWorld),
      handler: () => listShippedWorlds(),
    }),

    getShippedWorld: route('GET /worlds/:name', 'Get a world or a story of the package', {
      call: 'worlds.download',
      description: 'By a name such as `demo` or `story:shop`. It replaces everything, or is added, like any world.',
      data: SentWorld,
      handler: ({ params: { name } }) => findShippedWorld(name, context),
    }),

    findRecords: route('GET /teams/:teamId/:kind', 'Find records of a team', {
      call: 'records',
      description:
        'Any other parameter is a field that the records must have, such as `email=ada@example.com`. A dot leads into an object, as in `additionalFields.tier=gold`. A list matches by any of its values.',
      query: Type.Object(
        {
          search: optionalText(
            'Words that the fields contain, in any order, without regard to case and accents, or a telephone number, however it is written; those of a contact with the name of its company.',
            {
              maxLength: 1000,
            },
          ),
          sort: optionalText(
            'A field, such as `lastName`; with a minus, as in `-createdAt`, the last value comes first. Records without the field are the last. The oldest record is the first by default, and the newest with a minus alone.',
            {
              pattern: '^(-?[^-]|-$)',
              maxLength: 1000,
              'x-form': 'the name of a field, after a minus for the reverse order',
            },
          ),
          page: optionalInteger(1, 1_000_000_000, '1 by default.'),
          limit: optionalInteger(1, 1000, 'How many records are on a page; 100 by default.'),
        },
        // A schema of numbers too would read the id 12e34 as one.
        { additionalProperties: Type.Unsafe<string | number | boolean>(Type.String()) },
      ),
      message: ({ total }) => `${total} ${total === 1 ? 'record' : 'records'}`,
      data: Records,
      async handler(
        { params: { teamId, kind }, query: { search = '', sort, page = 1, limit = 100, ...fields } },
        reply,
      ) {
        const wanted = listedKinds.find((one) => one === kind)
        if (wanted === undefined) throw new UnknownName('kind of records', kind, listedKinds)
        await scheduler.runIfDue()
        const where = Object.entries(fields).map(([path, value]) => [path, String(value)] as const)
        const part = { skip: (page - 1) * limit, take: limit }
        const { total, records } = await findRecords(store, teamId, wanted, { where, search, sort, ...part }, reply)
        // No record has a field that was misspelt.
        if (total === 0)
          for (const path of Object.keys(fields)) await checkField(path.split('.')[0] ?? '', teamId, wanted, store)
        return { total, page, limit, records: records.map((record) => ({ ...record })) }
      },
    }),
  }
})

/** Refuses a field that neither the document lists nor a record has. */
async function checkField(name: string, teamId: string, kind: ListedKind, store: Store): Promise<void> {
  const { recordShapes } = await import('../../fixtures/shapes.ts')
  const known = recordShapes[kind].listed({})
  if (known.has(name) || kind === 'bulkSends') return
  for await (const part of store.scan(teamId, kind, ''))
    for (const record of part) if (Object.hasOwn(record, name)) return
  const [close] = closeTo(name, [...known])
  reject(`${kind} have no field ${quoteUnlessPlain(name)}${close === undefined ? '' : `; did you mean ${close}?`}`)
}

const listTeams = ({ teams }: World) => teams.map(({ _id, name }) => ({ teamId: _id, name }))

/** Checks a world; refuses it with all of its faults. */
export async function readWorld(sent: unknown): Promise<World> {
  const { checkWorld, UnreadableWorld } = await import('../../fixtures/check-world.ts')
  try {
    return await checkWorld(sent, 'the world')
  } catch (error) {
    if (error instanceof UnreadableWorld) reject(error.message)
    throw error
  }
}

/** All teams with their records, or one team, after the due work. */
export async function currentWorld(
  teamId: string | undefined,
  { scheduler, store }: ControlContext,
  reader: Reader,
): Promise<World> {
  await scheduler.runIfDue()
  return teamId === undefined ? store.world(reader) : { teams: [await store.teamInWorld(teamId, reader)] }
}

/** Adds teams with their keys: all of them, or none. */
export function addTeams(teams: readonly TeamInWorld[], context: ControlContext): Promise<void> {
  const { store, settings, worlds, addingTeams } = context
  return addingTeams(async () => {
    await worlds.checkKeys(teams)
    await refuseTaken(teams, store)
    const added: string[] = []
    try {
      for await (const team of inSteps(teams, stepsOfTeam)) {
        worlds.setKeys([team])
        await store.addTeam(team)
        added.push(team._id)
      }
      settings.changes.notifyAll()
    } catch (error) {
      for (const teamId of added) await store.removeTeam(teamId)
      // Another process may have added one meanwhile. If the answer of the store was lost, it may be ours.
      if (!(error instanceof StoreUnreachable)) await refuseTaken(teams, store)
      throw error
    }
  })
}

async function refuseTaken(teams: readonly TeamInWorld[], store: Store): Promise<void> {
  for await (const { _id, apiKeys } of inSteps(teams, stepsOfTeam)) {
    if (await store.team(_id)) reject(`there is a team ${_id} already; give the one in the world another _id`)
    for (const key of apiKeys) {
      const owner = await store.teamOfKey(key)
      if (owner !== undefined) reject(`an API key of team ${_id} is one of team ${owner} already; choose another`)
    }
  }
}

/** How the initial records of a new team may be written, for refusals. */
export const sourceForm = 'empty, team:ID, world:NAME, story:NAME, snapshot:NAME, or a world with one team'

/** The initial records of a new team: the records of another team, of a team in a world, or none. */
export async function findSource(
  from: string | AnyWorld,
  context: ControlContext,
  reader: Reader,
): Promise<TeamInWorld | undefined> {
  if (from === 'empty') return undefined
  if (typeof from === 'object') return theTeamOf(await readWorld(from), undefined)
  const [, kind, name = '', teamId] = /^(team|world|story|snapshot):([^/]+)(?:\/(.+))?$/s.exec(from) ?? []
  if (kind === undefined) reject(`from must be ${sourceForm}`)
  const world = await worldNamed(kind, name, context, reader)
  if (!world) reject(`from: there is no ${kind} ${quoteUnlessPlain(name)}; \`ctl ${kind}s list\` shows them`)
  return theTeamOf(world, teamId)
}

/** The team of that id, or the only one. */
function theTeamOf({ teams }: World, teamId: string | undefined): TeamInWorld {
  const [first, ...others] = teams.filter(({ _id }) => teamId === undefined || _id === teamId)
  if (first && others.length === 0) return first
  const ids = teams.map(({ _id }) => _id).slice(0, 20)
  return reject(`from must name one team of that world, which has ${ids.join(', ') || 'none'}`)
}

async function worldNamed(
  kind: string,
  name: string,
  context: ControlContext,
  reader: Reader,
): Promise<World | undefined> {
  const { store } = context
  if (kind === 'world' || kind === 'story') return findShippedWorld(kind === 'story' ? `story:${name}` : name, context)
  if (kind === 'snapshot') return (await readSnapshot(name, store))?.world
  return (await store.team(name)) && { teams: [await store.teamInWorld(name, reader)] }
}

/**
 * A world or a story of the package, by the name that `--world` takes. By name only: a client that may create a team may
 * not read the files of this machine.
 */
async function findShippedWorld(name: string, { endOfStory }: ControlContext): Promise<World> {
  const { descriptions, loadWorld } = await import('../../fixtures/load-world.ts')
  const known = Object.keys(descriptions)
  checkName('world', name, known, `there are ${known.join(', ')}`)
  return loadWorld(name, endOfStory())
}

/** The worlds and stories of the package, with the `from` of each of their teams. */
async function listShippedWorlds() {
  const { descriptions, loadWorld } = await import('../../fixtures/load-world.ts')
  return Promise.all(
    Object.entries(descriptions).map(async ([name, description]) => {
      const { teams } = await loadWorld(name)
      const from = name.startsWith('story:') ? name : `world:${name}`
      const fromOf = (teamId: string) => (teams.length === 1 ? from : `${from}/${teamId}`)
      return { name, description, teams: teams.map(({ _id, name }) => ({ teamId: _id, name, from: fromOf(_id) })) }
    }),
  )
}

export const snapshotName = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** Other names are never looked up: they could lead to other files. */
const readSnapshot = async (name: string, { snapshots }: Store) =>
  snapshotName.test(name) ? snapshots.get(name) : undefined

export async function findSnapshot(name: string, store: Store): Promise<StoredSnapshot> {
  const snapshot = await readSnapshot(name, store)
  if (!snapshot) throw new UnknownName('snapshot', name, await store.snapshots.names())
  return snapshot
}
