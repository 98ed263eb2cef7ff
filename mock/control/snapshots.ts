import { type Static, Type } from 'typebox'
import type { TeamInWorld, World } from '../../fixtures/world.ts'
import { type KeptWorld, type KeptWorldSummary, summaryOf } from '../store/kept-worlds.ts'
import { type Store, UnusableKeptWorld } from '../store/port.ts'
import { inWorldOf } from '../store/teams.ts'
import type { ControlContext } from './context.ts'
import { NotFound, refuse } from './refusals.ts'
import { noun, route, wholeRoute } from './route.ts'
import { closed, Id, OneTeam, SentWorld } from './schemas.ts'
import { readWorld, worldBodyLimit } from './sent-world.ts'
import { worldVersion } from './world.ts'

const mostSnapshots = 100
const mostRecords = 2_000_000

const nameForm = '1 to 64 small letters, digits, dashes and underscores, beginning with a letter or a digit'
const namePattern = '^[a-z0-9][a-z0-9_-]{0,63}$'

const Snapshot = Type.Object(
  {
    name: Type.String(),
    of: Type.Enum(['everything', 'team', 'unknown'], { description: 'Unknown, if it cannot be read.' }),
    teams: Type.Array(Type.String(), { description: 'The ids of its teams.' }),
    records: Type.Integer(),
    damage: Type.Optional(Type.String({ description: 'Why it cannot be read, if it cannot, and what to do.' })),
  },
  { title: 'Snapshot' },
)
export type Snapshot = Static<typeof Snapshot>

const SnapshotToSave = Type.Object(
  { name: Type.String({ pattern: namePattern, 'x-form': nameForm }), teamId: Type.Optional(Id) },
  { ...closed, title: 'SnapshotToSave' },
)

export const snapshots = noun('snapshots', 'What everything, or one team, was like at a moment.', (context) => {
  const { store, replaceAll, scheduler, origins, doDueWork } = context

  return [
    route('POST /snapshots', {
      id: 'saveSnapshot',
      summary: 'Save what there is now under a name',
      description: 'All teams, or one. A snapshot of that name is replaced.',
      body: SnapshotToSave,
      example: { name: 'seeded' },
      status: 201,
      message: 'Snapshot saved',
      data: Snapshot,
      async handler({ body: { name, teamId } }) {
        if (teamId !== undefined && !(await store.team(teamId))) throw new NotFound()
        await doDueWork()
        const world = teamId === undefined ? await store.world() : { teams: [await store.teamInWorld(teamId)] }
        return keep(name, { world, isWhole: teamId === undefined }, store)
      },
    }),

    route('GET /snapshots', {
      id: 'listSnapshots',
      summary: 'List the snapshots',
      message: 'Snapshots found',
      data: Type.Array(Snapshot),
      async handler() {
        const described: Snapshot[] = []
        for (const name of (await store.snapshots.names()).toSorted()) {
          const snapshot = await describeKept(name, store)
          if (snapshot) described.push(snapshot)
        }
        return described
      },
    }),

    wholeRoute('GET /snapshots/:name', {
      id: 'downloadSnapshot',
      summary: 'Download a snapshot as a world',
      description: 'A world, as `--world` and `uploadSnapshot` take it.',
      type: 'application/json; charset=utf-8',
      data: SentWorld,
      handler: async ({ params: { name } }) =>
        JSON.stringify({ version: worldVersion, ...(await findSnapshot(name, store)).world }),
    }),

    route('PUT /snapshots/:name', {
      id: 'uploadSnapshot',
      summary: 'Upload a world as a snapshot of everything',
      description: 'A snapshot of that name is replaced.',
      body: SentWorld,
      example: { teams: [] },
      bodyLimit: worldBodyLimit,
      status: 201,
      message: 'Snapshot saved',
      data: Snapshot,
      async handler({ params: { name }, body }) {
        if (!new RegExp(namePattern).test(name)) refuse(`name must be ${nameForm}`)
        return keep(name, { world: await readWorld(body, context.controlToken), isWhole: true }, store)
      },
    }),

    route('POST /snapshots/:name/restore', {
      id: 'restoreSnapshot',
      summary: 'Bring back what a snapshot holds',
      description:
        'A snapshot of everything replaces everything, and ends all tokens. A snapshot of one team, or a `teamId`, replaces the records of that team alone.',
      body: OneTeam,
      message: 'Snapshot restored',
      async handler({ params: { name }, body: { teamId } }) {
        const { world, isWhole } = await findSnapshot(name, store)
        if (isWhole && teamId === undefined) await origins.keepUnknownAnd(world.teams, () => replaceAll(world))
        else await restoreTeam(world, teamId, context)
        await scheduler.runAllDue()
      },
    }),

    route('DELETE /snapshots/:name', {
      id: 'deleteSnapshot',
      summary: 'Delete a snapshot',
      message: 'Snapshot deleted',
      async handler({ params: { name } }) {
        // Not `findSnapshot`: a damaged snapshot can be deleted too.
        if (!(await store.snapshots.names()).includes(name)) throw new NotFound()
        await store.snapshots.remove(name)
      },
    }),
  ]
})

/** Other names are never looked up: they could lead to other files. */
async function findSnapshot(name: string, { snapshots }: Store): Promise<KeptWorld> {
  const kept = new RegExp(namePattern).test(name) ? await snapshots.get(name) : undefined
  if (!kept) throw new NotFound()
  return kept
}

/** The world of the snapshot that a new team starts from. */
export async function findSnapshotWorld(name: string, store: Store): Promise<World> {
  const kept = await findSnapshot(name, store).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error
  })
  return kept?.world ?? refuse('from: there is no such snapshot; GET /_sandbox/snapshots lists them')
}

/** A damaged snapshot is listed with the reason; one that was deleted meanwhile is not. */
async function describeKept(name: string, { snapshots }: Store): Promise<Snapshot | undefined> {
  try {
    const summary = await snapshots.summary(name)
    return summary && describe(name, summary)
  } catch (error) {
    if (!(error instanceof UnusableKeptWorld)) throw error
    return { name, of: 'unknown', teams: [], records: 0, damage: error.message }
  }
}

async function keep(name: string, kept: KeptWorld, store: Store): Promise<Snapshot> {
  const names = await store.snapshots.names()
  if (!names.includes(name) && names.length >= mostSnapshots)
    refuse(`there are ${mostSnapshots} snapshots already; delete one of them first`)
  const described = describe(name, summaryOf(kept))
  if (described.records > mostRecords) refuse(`a snapshot holds at most ${mostRecords} records`)
  await store.snapshots.put(name, kept)
  return described
}

const describe = (name: string, { isWhole, teams, records }: KeptWorldSummary): Snapshot => ({
  name,
  of: isWhole ? 'everything' : 'team',
  teams: [...teams],
  records,
})

async function restoreTeam(
  { teams }: World,
  wantedId: string | undefined,
  { store, origins, secrets }: ControlContext,
): Promise<void> {
  const saved = findSaved(wantedId, teams)
  const teamId = wantedId ?? saved._id
  const present = await store.team(teamId)
  if (present) return store.restoreTeam(teamId, inWorldOf(present, saved))
  if (saved._id !== teamId) throw new NotFound()
  for (const key of saved.apiKeys) {
    const owner = await store.teamOfKey(key)
    if (owner !== undefined) refuse(`team ${teamId} cannot come back: a key of it is that of team ${owner} now`)
  }
  await origins.keepUnknownAnd([saved], () => store.addTeam(saved))
  secrets.add(saved.apiKeys)
}

function findSaved(teamId: string | undefined, teams: readonly TeamInWorld[]): TeamInWorld {
  const [only, ...others] = teams
  const saved = teams.find(({ _id }) => _id === teamId) ?? (others.length === 0 ? only : undefined)
  return saved ?? refuse(`teamId must be that of a team in the snapshot: ${teams.map(({ _id }) => _id).join(', ')}`)
}
