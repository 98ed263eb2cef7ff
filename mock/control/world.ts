import { Type } from 'typebox'
import type { World } from '../../fixtures/world.ts'
import { isObject } from '../../spec/document.ts'
import { recordsOf } from '../store/teams.ts'
import { withWholeMessages } from '../whole-messages.ts'
import { NotFound, refuse } from './refusals.ts'
import { noun, route } from './route.ts'
import { ListedTeam, OfTeam, SentWorld, takesWorld, wholeNumber } from './schemas.ts'
import { addTeams, readWorld } from './worlds.ts'

const kinds = [
  ...(['contacts', 'conversations', 'messages', 'templates', 'companies', 'products'] as const),
  ...(['deals', 'quotes', 'users', 'providers', 'bulkSends'] as const),
]
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

/** The format of worlds that a store wrote: their records may have fields that no schema lists. */
export const worldVersion = 1

export const world = noun('world', 'What the sandbox holds: as a world, and record by record.', (context) => {
  const { store, replaceAll, scheduler, origins, doDueWork, addingTeams } = context

  const currentWorld = async (teamId?: string): Promise<World> => {
    await doDueWork()
    return withWholeMessages(teamId === undefined ? await store.world() : { teams: [await store.teamInWorld(teamId)] })
  }

  return [
    route('GET /world', {
      id: 'getWorld',
      summary: 'Get all records, or those of one team, as a world',
      query: OfTeam,
      data: SentWorld,
      handler: async ({ query: { teamId } }) => ({ version: worldVersion, ...(await currentWorld(teamId)) }),
    }),

    route('PUT /world', {
      id: 'loadWorld',
      summary: 'Replace everything with a world',
      description: 'It is checked first, and refused with all that is wrong with it. All tokens end.',
      ...takesWorld,
      message: 'World loaded',
      data: Type.Array(ListedTeam),
      async handler({ body }) {
        const next = await readWorld(body, context)
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
      ...takesWorld,
      status: 201,
      message: 'Teams added',
      data: Type.Array(ListedTeam),
      async handler({ body }) {
        const added = await readWorld(body, context)
        await addingTeams(async () => {
          await refuseTaken(added)
          await addTeams(added.teams, context)
        })
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
        const fields = Object.entries(where).map(([path, value]) => ({ path: path.split('.'), value: String(value) }))
        const found = (await currentWorld(teamId)).teams
          .flatMap((team) => recordsOf(team, wanted) as readonly Record<string, unknown>[])
          .filter((record) => fields.every(({ path, value }) => valuesAt(record, path).includes(value)))
        return { total: found.length, page, limit, records: found.slice((page - 1) * limit, page * limit) }
      },
    }),
  ]

  async function refuseTaken({ teams }: World): Promise<void> {
    for (const { _id, apiKeys } of teams) {
      if (await store.team(_id)) refuse(`there is a team ${_id} already; give the one in the world another _id`)
      for (const key of apiKeys) {
        const owner = await store.teamOfKey(key)
        if (owner !== undefined) refuse(`an API key of team ${_id} in the world is one of team ${owner} already`)
      }
    }
  }
})

const listTeams = ({ teams }: World) => teams.map(({ _id, name }) => ({ teamId: _id, name }))

/** The values at a path, as texts: the path continues in each item of a list. */
function valuesAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path))
  const [field, ...rest] = path
  if (isObject(value)) return field !== undefined && Object.hasOwn(value, field) ? valuesAt(value[field], rest) : []
  const isShown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isShown && field === undefined ? [String(value)] : []
}
