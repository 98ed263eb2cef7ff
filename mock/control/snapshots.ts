import { type Static, Type } from 'typebox'
import type { TeamInWorld, World } from '../../fixtures/world.ts'
import { inSteps, stepsInARow } from '../../lib/pause.ts'
import { type StoredSnapshot, SnapshotsAreFull, type SnapshotSummary, summaryOf } from '../store/snapshots.ts'
import { type Store, UnusableSnapshot } from '../store/port.ts'
import { mebibyte } from '../store/retention.ts'
import { inWorldOf } from '../store/teams.ts'
import type { ControlContext } from './context.ts'
import { UnknownName, reject } from '../core/rejections.ts'
import { noun, route } from './route.ts'
import {
  input,
  integer,
  listOf,
  OneTeam,
  optionalId,
  optionalText,
  output,
  SentWorld,
  ofWorld,
  text,
  texts,
} from '../core/schemas.ts'
import { addTeams, currentWorld, findSnapshot, readWorld, snapshotName, worldVersion } from './world.ts'

const mostSnapshots = 100

const nameForm = '1 to 64 small letters, digits, dashes and underscores, beginning with a letter or a digit'

const Snapshot = output('Snapshot', {
  name: text(),
  of: Type.Enum(['everything', 'team', 'unknown'], { description: 'Unknown, if it cannot be read.' }),
  teams: texts('The ids of its teams.'),
  records: integer(),
  damage: optionalText('Why it cannot be read, and what to do.'),
})
type Snapshot = Static<typeof Snapshot>

const SnapshotToSave = input('SnapshotToSave', {
  name: text(undefined, { pattern: snapshotName.source, 'x-form': nameForm }),
  teamId: optionalId(),
})

export const snapshots = noun('snapshots', 'What everything, or one team, was like at a moment.', (context) => {
  const { store, scheduler, worlds } = context
  return {
    saveSnapshot: route('POST /snapshots', 'Save what there is now under a name', {
      description: 'All teams, or one. A snapshot of that name is replaced.',
      body: SnapshotToSave,
      example: { name: 'seeded' },
      status: 201,
      message: 'Snapshot saved',
      data: Snapshot,
      async handler({ body: { name, teamId } }, reply) {
        const world = await currentWorld(teamId, context, reply)
        return saveSnapshot(name, { world, isWhole: teamId === undefined }, context)
      },
    }),

    listSnapshots: route('GET /snapshots', 'List the snapshots', {
      message: 'Snapshots found',
      data: listOf(Snapshot),
      async handler() {
        const described: Snapshot[] = []
        for await (const name of inSteps((await store.snapshots.names()).toSorted(), stepsInARow)) {
          const snapshot = await describeStored(name, store)
          if (snapshot) described.push(snapshot)
        }
        return described
      },
    }),

    downloadSnapshot: route('GET /snapshots/:name', 'Download a snapshot as a world', {
      description: 'A world, as `--world` and `uploadSnapshot` take it.',
      data: SentWorld,
      handler: async ({ params: { name } }) => ({ version: worldVersion, ...(await findSnapshot(name, store)).world }),
    }),

    uploadSnapshot: route('PUT /snapshots/:name', 'Upload a world as a snapshot of everything', {
      description: 'A snapshot of that name is replaced.',
      ...ofWorld,
      status: 201,
      message: 'Snapshot saved',
      data: Snapshot,
      async handler({ params: { name }, body }) {
        if (!snapshotName.test(name)) reject(`name must be ${nameForm}`)
        return saveSnapshot(name, { world: await readWorld(body), isWhole: true }, context)
      },
    }),

    restoreSnapshot: route('POST /snapshots/:name/restore', 'Bring back what a snapshot holds', {
      description:
        'A snapshot of everything replaces everything, and ends all tokens. A snapshot of one team, or a `teamId`, replaces the records of that team alone.',
      body: OneTeam,
      message: 'Snapshot restored',
      async handler({ params: { name }, body: { teamId } }) {
        const restore = teamId === undefined && snapshotName.test(name) ? store.restoreSnapshot?.bind(store) : undefined
        if (restore && (await store.snapshots.summary(name))?.isWhole) {
          await worlds.restoreSnapshot(name, restore)
          await scheduler.runAllDue()
          return
        }
        const { world, isWhole } = await findSnapshot(name, store)
        if (isWhole && teamId === undefined) {
          const initialRecords: TeamInWorld[] = []
          for await (const team of inSteps(world.teams))
            initialRecords.push((await worlds.initialRecordsOf(team._id)) ?? team)
          await worlds.replaceAll(world, initialRecords)
        } else await restoreTeam(world, teamId, context)
        await scheduler.runAllDue()
      },
    }),

    deleteSnapshot: route('DELETE /snapshots/:name', 'Delete a snapshot', {
      message: 'Snapshot deleted',
      async handler({ params: { name } }) {
        // Not `findSnapshot`: a damaged snapshot can be deleted too.
        const names = await store.snapshots.names()
        if (!names.includes(name)) throw new UnknownName('snapshot', name, names)
        await store.snapshots.remove(name)
      },
    }),
  }
})

/** A damaged snapshot is listed with the reason; one that was deleted meanwhile is not. */
async function describeStored(name: string, { snapshots }: Store): Promise<Snapshot | undefined> {
  try {
    const summary = await snapshots.summary(name)
    return summary && describe(name, summary)
  } catch (error) {
    if (!(error instanceof UnusableSnapshot)) throw error
    return { name, of: 'unknown', teams: [], records: 0, damage: error.message }
  }
}

async function saveSnapshot(
  name: string,
  snapshot: StoredSnapshot,
  { store, memory }: ControlContext,
): Promise<Snapshot> {
  const names = await store.snapshots.names()
  if (!names.includes(name) && names.length >= mostSnapshots)
    reject(`there are ${mostSnapshots} snapshots already; delete one of them first`)
  await store.snapshots.put(name, snapshot).catch((error: unknown) => {
    if (!(error instanceof SnapshotsAreFull)) throw error
    reject(
      `the other snapshots have more than ${Math.floor(memory.mostOf('snapshots') / mebibyte)} MiB of records that no team has now; delete one of them first, or start the sandbox with a larger --memory, or with --store file:PATH, which writes snapshots to files`,
    )
  })
  return describe(name, summaryOf(snapshot))
}

const describe = (name: string, { isWhole, teams, records }: SnapshotSummary): Snapshot => ({
  name,
  of: isWhole ? 'everything' : 'team',
  teams: [...teams],
  records,
})

async function restoreTeam({ teams }: World, wanted: string | undefined, context: ControlContext): Promise<void> {
  const { store } = context
  const saved = teams.find(({ _id }) => _id === wanted) ?? (teams.length === 1 ? teams[0] : undefined)
  if (!saved) reject(`teamId must be that of a team in the snapshot: ${teams.map(({ _id }) => _id).join(', ')}`)
  const teamId = wanted ?? saved._id
  const present = await store.team(teamId)
  if (present) return store.restoreTeam(teamId, await inWorldOf(present, saved))
  if (saved._id !== teamId) throw new UnknownName('team', teamId, [saved._id])
  await addTeams([saved], context)
}
