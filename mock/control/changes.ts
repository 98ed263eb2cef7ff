import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import type { Kind, Kinds } from '../../fixtures/records.ts'
import type { TeamInWorld } from '../../fixtures/world.ts'
import { inSteps, newPause, type Pause } from '../../lib/pause.ts'
import { reject, RejectedNow } from '../core/rejections.ts'
import { dictionaryOf, input, listOf, optionalId, optionalText, output, queryOf, text } from '../core/schemas.ts'
import type { Reader } from '../store/port.ts'
import { bytesOf } from '../store/retention.ts'
import { recordsOf, stepsOfTeam } from '../store/teams.ts'
import { changesInWords } from './changes-in-words.ts'
import { checkNames, differencesIn, ExpectedKinds } from './expected-changes.ts'
import { type ControlContext, findTeam, ignoreDeletedTeam } from './context.ts'
import { noun, route } from './route.ts'
import { findSnapshot, listedKinds } from './world.ts'

const AnyRecord = dictionaryOf(Type.Unknown())

const RecordUpdate = output('RecordUpdate', {
  _id: text(),
  teamId: text(),
  fields: dictionaryOf(Type.Object({ before: Type.Optional(Type.Unknown()), after: Type.Optional(Type.Unknown()) }), {
    description: 'The fields that differ. One that was added has no `before`, one that was removed no `after`.',
  }),
})
type RecordUpdate = Static<typeof RecordUpdate>

const RecordChanges = output(
  'RecordChanges',
  {
    created: listOf(AnyRecord, 'The records that are new, the oldest first.'),
    updated: listOf(RecordUpdate),
    deleted: listOf(AnyRecord, 'The records that are gone, as they were.'),
  },
  'What changed among the records of a kind. Each record has the id of its team.',
)
type RecordChanges = Static<typeof RecordChanges>

type FoundChanges = Record<string, RecordChanges>

const period = {
  since: optionalText('The name of a snapshot; the last reset by default.'),
  teamId: optionalId('The team; all teams by default.'),
}

export const changes = noun('changes', 'Which records changed.', (context) => ({
  getChanges: route('GET /changes', 'Say which records were created, updated and deleted', {
    call: 'changes',
    description:
      'Since the initial records of each team, as a reset brings them back, or since a snapshot. A team that was created later begins with its creation. Kinds without a change are left out.',
    query: queryOf(period),
    message: changesInWords,
    data: dictionaryOf(RecordChanges, { title: 'Changes', description: 'By kind, such as contacts.' }),
    handler: ({ query }, reply) => findChanges(query, context, reply),
  }),

  expectChanges: route('POST /changes/expect', 'Verify which records changed', {
    call: 'changes.expect',
    description:
      'Only these records may have changed, in these ways; a record may have more fields than are named. Anything else is answered 409, with a line for each difference.',
    body: input('ChangesToExpect', { expected: ExpectedKinds, ...period }),
    example: { expected: { contacts: { created: [{ email: 'ada@example.com' }] } }, teamId: 'demo' },
    message: 'The changes are as expected',
    async handler({ body: { expected, ...period } }, reply) {
      const found = await findChanges(period, context, reply)
      await checkNames(expected, found, listedKinds)
      const differences = await differencesIn(found, expected)
      if (differences.length === 0) return
      const lines = differences.slice(0, mostLines)
      const others = differences.length - lines.length
      if (others > 0) lines.push(`and ${others} other differences`)
      throw new RejectedNow(409, ['The changes are not as expected:', ...lines].join('\n  '))
    },
  }),
}))

const mostLines = 20

async function findChanges(
  { since, teamId }: { readonly since?: string; readonly teamId?: string },
  context: ControlContext,
  reader: Reader,
): Promise<FoundChanges> {
  const { scheduler, store } = context
  await scheduler.runIfDue()
  const before = since === undefined ? await initialTeams(teamId, context) : await teamsSince(since, teamId, context)
  const changes: FoundChanges = {}
  const pause = newPause()
  for (const [id, teamBefore] of before) {
    const teamNow = await store.teamInWorld(id, reader).catch(ignoreDeletedTeam)
    for (const kind of listedKinds) await addChanges(kind, id, teamBefore, teamNow, changes, pause)
    await pause(stepsOfTeam)
  }
  return changes
}

type TeamsBefore = readonly (readonly [teamId: string, before: TeamInWorld | undefined])[]

/** The teams of now with the records that a reset of each would bring back. */
async function initialTeams(teamId: string | undefined, { store, worlds }: ControlContext): Promise<TeamsBefore> {
  const teams = teamId === undefined ? await store.teams() : [await findTeam(teamId, store)]
  const initial: [string, TeamInWorld][] = []
  for await (const { _id } of inSteps(teams, stepsOfTeam)) {
    const records = await worlds.initialRecordsOf(_id)
    if (!records)
      reject(
        `the initial records of team ${_id} are unknown: it was created before the sandbox restarted; name a snapshot`,
      )
    initial.push([_id, records])
  }
  return initial
}

/** The teams of a snapshot; for a snapshot of everything, also the present teams. */
async function teamsSince(since: string, teamId: string | undefined, { store }: ControlContext): Promise<TeamsBefore> {
  const { world, isWhole } = await findSnapshot(since, store)
  const saved = new Map(world.teams.map((team) => [team._id, team]))
  const now = isWhole ? (await store.teams()).map(({ _id }) => _id) : []
  const ids = new Set([...saved.keys(), ...now])
  if (teamId === undefined) return [...ids].map((id) => [id, saved.get(id)])
  if (ids.has(teamId)) return [[teamId, saved.get(teamId)]]
  if (isWhole) await findTeam(teamId, store) // refuses it, with the nearest id
  return reject(`teamId must be that of a team in the snapshot: ${[...ids].join(', ')}`)
}

/** Adds what differs between the records of a kind of a team. Other requests are answered in between. */
async function addChanges(
  kind: Kind,
  teamId: string,
  before: TeamInWorld | undefined,
  now: TeamInWorld | undefined,
  changes: FoundChanges,
  pause: Pause,
): Promise<void> {
  const ofKind = (): RecordChanges => (changes[kind] ??= { created: [], updated: [], deleted: [] })
  const left = new Map<string, Kinds[Kind]>()
  for (const record of before ? recordsOf(before, kind) : []) {
    left.set(record._id, record)
    const paused = pause()
    if (paused) await paused
  }
  for (const record of now ? recordsOf(now, kind) : []) {
    const old = left.get(record._id)
    left.delete(record._id)
    if (!old) ofKind().created.push({ ...record, teamId })
    else if (old !== record) {
      const fields = changedFields(old, record)
      if (Object.keys(fields).length > 0) ofKind().updated.push({ _id: record._id, teamId, fields })
    }
    const paused = pause(old === record ? 1 : 1 + bytesOf(record) / bytesInAStep)
    if (paused) await paused
  }
  for (const record of left.values()) {
    ofKind().deleted.push({ ...record, teamId })
    const paused = pause()
    if (paused) await paused
  }
}

/** A step takes about as long for a long record. */
const bytesInAStep = 150

function changedFields(before: object, after: object): RecordUpdate['fields'] {
  const [old, now] = [new Map(Object.entries<unknown>({ ...before })), new Map(Object.entries<unknown>({ ...after }))]
  const fields: RecordUpdate['fields'] = {}
  for (const name of new Set([...old.keys(), ...now.keys()]))
    if (!isDeepStrictEqual(old.get(name), now.get(name))) fields[name] = { before: old.get(name), after: now.get(name) }
  return fields
}
