import type { TeamsControl } from '../../control/teams.ts'
import type { Provider } from '../../fixtures/records.ts'
import type { TeamInWorld, TeamOnFile } from '../../fixtures/world.ts'
import { NotFound, refuse } from './refusals.ts'
import { inWorldOf } from '../store/owned-records.ts'
import type { Store } from '../store/port.ts'
import { teamOf } from '../store/team-and-records.ts'
import { checkBody } from './check.ts'
import type { ControlContext } from './context.ts'
import { findSource, type Source } from './team-source.ts'

export function teamsIn(context: ControlContext): TeamsControl {
  const { store, teams, ids, newKey, secrets, origins, catchUp, choices, interception } = context
  /** Keys of teams that are being created. */
  const claimed = new Set<string>()

  return {
    async list() {
      return (await store.teams()).map(({ _id, name }) => ({ teamId: _id, name }))
    },

    async create(team = {}) {
      checkBody('createTeam', team)
      const { name, apiKey: given, from } = team
      if (given !== undefined && claimed.has(given)) refuse(keyIsTaken)
      if (given !== undefined) claimed.add(given)
      try {
        if (given !== undefined) await refuseTakenKey(given, context)
        const source = await findSource(from, store)
        const teamId = ids.next()
        const apiKey = given ?? newKey(teamId)
        secrets.add(apiKey)
        await addTeam({ _id: teamId, name: name ?? teamId, apiKeys: [apiKey] }, source, context).catch(
          (error: unknown) => {
            secrets.remove(apiKey)
            throw error
          },
        )
        await catchUp(teamId)
        return { teamId, apiKey }
      } finally {
        if (given !== undefined) claimed.delete(given)
      }
    },

    async get(teamId) {
      const { name, apiKeys } = await findTeam(teamId, store)
      const providers = await teams.turn({ teamId }, ({ team }) => team.providers.find('all', 'all'))
      return {
        teamId,
        name,
        apiKeys: [...apiKeys],
        providers: providers.map(({ _id, channel, address }) => ({ id: _id, channel, address })),
      }
    },

    async reset(teamId) {
      await findTeam(teamId, store)
      const origin = await origins.of(teamId)
      if (!origin)
        refuse('what this team started from is not known any more: it was created before the sandbox restarted')
      beginAnew(teamId)
      await store.refillTeam(teamId, origin)
      await catchUp(teamId)
    },

    async delete(teamId) {
      const { apiKeys } = await findTeam(teamId, store)
      beginAnew(teamId)
      await store.removeTeam(teamId)
      await origins.forget(teamId)
      secrets.remove(...apiKeys)
    },
  }

  /** What was asked for this team alone ends with its records. */
  function beginAnew(teamId: string): void {
    choices.forget(teamId)
    interception.clear(teamId)
  }
}

const keyIsTaken = 'apiKey is already the key of a team; choose another'

async function refuseTakenKey(apiKey: string, { store, controlToken }: ControlContext): Promise<void> {
  if (apiKey === controlToken) refuse('apiKey is the control token; choose another')
  if ((await store.teamOfKey(apiKey)) !== undefined) refuse(keyIsTaken)
}

/** Adds the team with what it starts from, or leaves nothing of it. */
async function addTeam(onFile: TeamOnFile, source: Source, { store, origins }: ControlContext): Promise<void> {
  if (source && 'fork' in source) {
    const forked = await store.team(source.fork)
    await store.forkTeam(source.fork, { ...forked, ...onFile })
    try {
      await origins.keep(await store.teamInWorld(onFile._id))
    } catch (error) {
      await store.removeTeam(onFile._id)
      throw error
    }
  } else {
    const team = source ? inWorldOf({ ...teamOf(source.team), ...onFile }, source.team) : emptyTeam(onFile)
    await origins.keepAnd([team], () => store.addTeam(team))
  }
}

const emptyTeam = (onFile: TeamOnFile): TeamInWorld => ({ ...onFile, providers: newProviders(onFile._id) })

/** One for each channel, with fictional numbers. */
const newProviders = (teamId: string): Provider[] => [
  { _id: 'email-provider', channel: 'email', address: `hello@${teamId}.example.com` },
  { _id: 'sms-provider', channel: 'sms', address: '+14155550100' },
  { _id: 'whatsapp-provider', channel: 'whatsapp', address: '+14155550101' },
]

async function findTeam(teamId: string, store: Store): Promise<TeamOnFile> {
  const team = await store.team(teamId)
  if (!team) throw new NotFound()
  return team
}
