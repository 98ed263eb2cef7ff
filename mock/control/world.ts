import { type Static, Type } from 'typebox'
import type { TeamInWorld, World } from '../../fixtures/world.ts'
import { isObject } from '../../spec/document.ts'
import type { Store } from '../store/port.ts'
import { recordsOf } from '../store/teams.ts'
import { withWholeMessages } from '../whole-messages.ts'
import { NotFound, refuse } from './refusals.ts'
import { noun, route, wholeRoute } from './route.ts'
import { Id, ListedTeam, SentWorld, wholeNumber } from './schemas.ts'
import { readWorld, worldBodyLimit } from './sent-world.ts'

const kinds = [
  'contacts',
  'conversations',
  'messages',
  'templates',
  'companies',
  'products',
  'deals',
  'quotes',
  'users',
  'providers',
  'bulkSends',
] as const
export type Kind = (typeof kinds)[number]

const Records = Type.Object(
  {
    total: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
    records: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'Records' },
)
export type Records = Static<typeof Records>

/** The format of worlds that a store wrote: their records may have fields that no schema lists. */
export const worldVersion = 1

export const world = noun('world', 'What the sandbox holds: as a world, and record by record.', (context) => {
  const { store, replaceAll, scheduler, origins, secrets, doDueWork, addingTeams } = context

  const currentWorld = async (teamId?: string): Promise<World> => {
    if (teamId !== undefined && !(await store.team(teamId))) throw new NotFound()
    await doDueWork()
    return withWholeMessages(teamId === undefined ? await store.world() : { teams: [await store.teamInWorld(teamId)] })
  }

  return [
    wholeRoute('GET /world', {
      id: 'getWorld',
      summary: 'Get all records, or those of one team, as a world',
      query: Type.Object({ teamId: Type.Optional(Id) }, { additionalProperties: false }),
      type: 'application/json; charset=utf-8',
      data: SentWorld,
      handler: async ({ query: { teamId } }) =>
        JSON.stringify({ version: worldVersion, ...(await currentWorld(teamId)) }),
    }),

    route('PUT /world', {
      id: 'loadWorld',
      summary: 'Replace everything with a world',
      description: 'It is checked first, and refused with all that is wrong with it. All tokens end.',
      body: SentWorld,
      example: { teams: [] },
      bodyLimit: worldBodyLimit,
      message: 'World loaded',
      data: Type.Array(ListedTeam),
      async handler({ body }) {
        const next = await readWorld(body, context.controlToken)
        await origins.keepAnd(next.teams, () => replaceAll(next))
        await origins.forgetAll(next.teams)
        await scheduler.runAllDue()
        return listTeams(next)
      },
    }),

    route('POST /world', {
      id: 'addWorld',
      summary: 'Add the teams of a world, with their keys',
      description: 'All of them, or none.',
      body: SentWorld,
      example: { teams: [] },
      bodyLimit: worldBodyLimit,
      status: 201,
      message: 'Teams added',
      data: Type.Array(ListedTeam),
      async handler({ body }) {
        const added = await readWorld(body, context.controlToken)
        await addingTeams(async () => {
          await refuseTaken(added, store)
          await origins.keepAnd(added.teams, () => addTeams(added.teams, store))
        })
        secrets.add(added.teams.flatMap(({ apiKeys }) => apiKeys))
        await scheduler.runAllDue()
        return listTeams(added)
      },
    }),

    route('GET /teams/:teamId/:kind', {
      id: 'findRecords',
      summary: 'Find records of a team, oldest first',
      description:
        'Any other parameter is a field that the records must have, such as `email=ada@example.com`. A dot leads into an object, as in `additionalFields.tier=gold`. A list matches by any of its values.',
      query: Type.Object(
        {
          page: wholeNumber(1, 1_000_000_000, '1 by default.'),
          limit: wholeNumber(1, 1000, 'How many records are on a page; 100 by default.'),
        },
        { additionalProperties: Type.Union([Type.String(), Type.Number(), Type.Boolean()]) },
      ),
      message: ({ total }) => `${total} ${total === 1 ? 'record' : 'records'}`,
      data: Records,
      async handler({ params: { teamId, kind }, query: { page = 1, limit = 100, ...where } }) {
        const wanted = kinds.find((one) => one === kind)
        if (wanted === undefined) throw new NotFound()
        const [team] = (await currentWorld(teamId)).teams
        const all = team ? (recordsOf(team, wanted) as readonly Records['records'][number][]) : []
        const found = all.filter(matcherFor(where))
        return { total: found.length, page, limit, records: found.slice((page - 1) * limit, page * limit) }
      },
    }),
  ]
})

const listTeams = ({ teams }: World) => teams.map(({ _id, name }) => ({ teamId: _id, name }))

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

async function refuseTaken({ teams }: World, store: Store): Promise<void> {
  for (const { _id, apiKeys } of teams) {
    if (await store.team(_id)) refuse(`there is a team ${_id} already; give the one in the world another _id`)
    for (const key of apiKeys) {
      const owner = await store.teamOfKey(key)
      if (owner !== undefined) refuse(`an API key of team ${_id} in the world is one of team ${owner} already`)
    }
  }
}

function matcherFor(where: object): (record: object) => boolean {
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
