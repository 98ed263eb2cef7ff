import { Type } from 'typebox'
import { apiKinds } from '../../fixtures/records.ts'
import type { World } from '../../fixtures/world.ts'
import { findRecords } from './find-records.ts'
import { NotFound } from './refusals.ts'
import { noun, route } from './route.ts'
import {
  integer,
  ListedTeam,
  listOf,
  OfTeam,
  optionalInteger,
  optionalText,
  output,
  SentWorld,
  takesWorld,
  text,
} from './schemas.ts'
import { addTeams, currentWorld, findShippedWorld, listShippedWorlds, readWorld } from './worlds.ts'

const kinds = [...apiKinds, 'users', 'providers', 'bulkSends'] as const
export type Kind = (typeof kinds)[number]

const Records = output('Records', {
  total: integer(),
  page: integer(),
  limit: integer(),
  records: listOf(Type.Record(Type.String(), Type.Unknown())),
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
  const { store, replaceAll, scheduler, doDueWork } = context
  return {
    getWorld: route('GET /world', 'Get all records, or those of one team, as a world', {
      query: OfTeam,
      data: SentWorld,
      handler: async ({ query: { teamId } }) => ({ version: worldVersion, ...(await currentWorld(teamId, context)) }),
    }),

    loadWorld: route('PUT /world', 'Replace everything with a world', {
      description: 'It is checked first, and refused with all that is wrong with it. All tokens end.',
      ...takesWorld,
      message: 'World loaded',
      data: listOf(ListedTeam),
      async handler({ body }) {
        const next = await readWorld(body)
        await replaceAll(next, next.teams)
        await scheduler.runAllDue()
        return listTeams(next)
      },
    }),

    addWorld: route('POST /world', 'Add the teams of a world, with their keys', {
      description: 'All of them, or none.',
      ...takesWorld,
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
      message: 'Worlds found',
      data: listOf(ShippedWorld),
      handler: () => listShippedWorlds(),
    }),

    getShippedWorld: route('GET /worlds/:name', 'Get a world or a story of the package', {
      description: 'By a name such as `demo` or `story:shop`. It replaces everything, or is added, like any world.',
      data: SentWorld,
      handler: ({ params: { name } }) => findShippedWorld(name),
    }),

    findRecords: route('GET /teams/:teamId/:kind', 'Find records of a team', {
      description:
        'Any other parameter is a field that the records must have, such as `email=ada@example.com`. A dot leads into an object, as in `additionalFields.tier=gold`. A list matches by any of its values.',
      query: Type.Object(
        {
          search: optionalText('A text that any field contains, ignoring case.', { maxLength: 1000 }),
          sort: optionalText(
            'A field, such as `lastName`; with a minus, as in `-createdAt`, the last value comes first. Records without the field are the last. The oldest record is the first by default.',
            {
              pattern: '^-?[^-]',
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
      async handler({ params: { teamId, kind }, query: { search = '', sort, page = 1, limit = 100, ...fields } }) {
        const wanted = kinds.find((one) => one === kind)
        if (wanted === undefined) throw new NotFound('kind of records', kind, kinds)
        await doDueWork()
        const where = Object.entries(fields).map(([path, value]) => [path, String(value)] as const)
        const part = { skip: (page - 1) * limit, take: limit }
        const { total, records } = await findRecords(store, teamId, wanted, { where, search, sort, ...part })
        return { total, page, limit, records: records.map((record) => ({ ...record })) }
      },
    }),
  }
})

const listTeams = ({ teams }: World) => teams.map(({ _id, name }) => ({ teamId: _id, name }))
