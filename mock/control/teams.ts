import { randomBytes } from 'node:crypto'
import type { TeamsControl } from '../../control/teams.ts'
import type { Provider } from '../../fixtures/records.ts'
import type { TeamOnFile } from '../../fixtures/world.ts'
import { NotFound, refuse } from './refusals.ts'
import type { Store } from '../store/port.ts'
import { checkBody } from './check.ts'
import type { ControlContext } from './context.ts'

export function teamsIn({ store, teams, ids, secrets, controlToken }: ControlContext): TeamsControl {
  return {
    async list() {
      return (await store.teams()).map(({ _id, name }) => ({ teamId: _id, name }))
    },

    async create(team = {}) {
      checkBody('createTeam', team)
      const { name, apiKey = newKey() } = team
      if (apiKey === controlToken) refuse('apiKey is the control token; choose another')
      if ((await store.teamOfKey(apiKey)) !== undefined) refuse('apiKey is already the key of a team; choose another')
      const teamId = ids.next()
      secrets.add(apiKey)
      await store.addTeam({ _id: teamId, name: name ?? teamId, apiKeys: [apiKey], providers: newProviders(teamId) })
      return { teamId, apiKey }
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

    async delete(teamId) {
      const { apiKeys } = await findTeam(teamId, store)
      await store.removeTeam(teamId)
      secrets.remove(...apiKeys)
    },
  }
}

const newKey = () => `sandbox_${randomBytes(18).toString('hex')}`

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
