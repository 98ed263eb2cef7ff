import { randomBytes } from 'node:crypto'
import type { Provider } from '../../fixtures/records.ts'
import { NotFound, refuse } from './refusals.ts'
import { created, done, ok } from '../core/replies.ts'
import type { Store } from '../store/port.ts'
import { bodyReader, optional, text } from './body-reader.ts'
import type { ControlRoute } from './route.ts'

const readNewTeam = bodyReader({
  name: optional(text(/^[^\p{Cc}]{1,100}$/u, '1 to 100 printable characters')),
  apiKey: optional(text(/^[!-~]{8,200}$/, '8 to 200 characters that can stand in a header, without spaces')),
})

export const teams: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/teams',
    async answer({ store, ids, secrets, controlToken }, { body }) {
      const { name, apiKey = `sandbox_${randomBytes(18).toString('hex')}` } = readNewTeam(body)
      if (apiKey === controlToken) refuse('apiKey is the control token; choose another')
      if ((await store.teamOfKey(apiKey)) !== undefined) refuse('apiKey is already the key of a team; choose another')
      const teamId = ids.next()
      secrets.add(apiKey)
      await store.addTeam({ _id: teamId, name: name ?? teamId, apiKeys: [apiKey], providers: newProviders(teamId) })
      return created('Team created', { teamId, apiKey })
    },
  },
  {
    method: 'GET',
    path: '/teams',
    async answer({ store }) {
      const all = await store.teams()
      return ok(
        'Teams found',
        all.map(({ _id, name }) => ({ teamId: _id, name })),
      )
    },
  },
  {
    method: 'GET',
    path: '/teams/:teamId',
    async answer({ store, teams }, { path: { teamId = '' } }) {
      const { name, apiKeys } = await findTeam(teamId, store)
      const providers = await teams.turn({ teamId }, ({ team }) => team.providers.find('all', 'all'))
      return ok('Team found', {
        teamId,
        name,
        apiKeys,
        providers: providers.map(({ _id, channel, address }) => ({ id: _id, channel, address })),
      })
    },
  },
  {
    method: 'DELETE',
    path: '/teams/:teamId',
    async answer({ store, secrets }, { path: { teamId = '' } }) {
      const { apiKeys } = await findTeam(teamId, store)
      await store.removeTeam(teamId)
      secrets.remove(...apiKeys)
      return done('Team deleted, with everything that it owned')
    },
  },
]

/** One for each channel, with fictional numbers. */
const newProviders = (teamId: string): Provider[] => [
  { _id: 'email-provider', channel: 'email', address: `hello@${teamId}.example.com` },
  { _id: 'sms-provider', channel: 'sms', address: '+14155550100' },
  { _id: 'whatsapp-provider', channel: 'whatsapp', address: '+14155550101' },
]

async function findTeam(teamId: string, store: Store) {
  const team = await store.team(teamId)
  if (!team) throw new NotFound()
  return team
}
