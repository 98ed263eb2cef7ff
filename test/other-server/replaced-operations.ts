import { type Given, type Operation, Refusal, type Reply } from './replies.ts'
import type { Lie } from './server.ts'
import type { Team } from './team.ts'

// Operations of the other server in other ways, by their routes.

export const updates = {
  contact: 'PUT /api/contacts/:id',
  template: 'PUT /api/templates/:id',
  company: 'PUT /api/companies/edit/:id',
  product: 'PUT /api/products/:id',
  deal: 'PUT /api/deals/edit/:id',
  quote: 'PUT /api/quotes/:id',
}

export const reads = {
  conversation: 'GET /api/conversations/:id',
  'list of conversations': 'GET /api/conversations/getAllConversationsOfContact/:id',
  history: 'GET /api/messages/:id',
  template: 'GET /api/templates/:id',
}
export const sends = {
  chat: 'POST /api/messages/sendLiveMessage',
  'e-mail': 'POST /api/messages/sendEmailMessage',
  text: 'POST /api/messages/sendMessage',
}

/** Searches the other team for a record that the team of the caller does not have. */
export const crossing =
  (route: string): Lie =>
  (teams) => ({ [route]: (original) => (given) => crossOver(original, given, teams) })

function crossOver(original: Operation, given: Given, teams: readonly Team[]): Reply {
  try {
    return original(given)
  } catch (refusal) {
    const other = teams.find((team) => team !== given.team)
    if (!(refusal instanceof Refusal) || refusal.status !== 404 || !other) throw refusal
    return original({ ...given, team: other, caller: { user: undefined, role: 'admin' } })
  }
}

export const rewrite =
  (route: string, change: (reply: Reply, given: Given) => Reply): Lie =>
  () => ({
    [route]: (original) => (given) => change(original(given), given),
  })
